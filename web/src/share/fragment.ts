import { parseSnapshot, type Snapshot } from "./snapshot.ts";

/** Begins the fragment of a link that holds a snapshot. */
const PREFIX = "#code=";

/** The first byte of what the fragment encodes; another stands for a format this page cannot read. */
const VERSION = 1;

/** A link that unpacks to more bytes than this is refused: it would only freeze the page. */
const LARGEST = 4_000_000;

/** Why a link's fragment cannot be opened, in words for the person who followed it. */
export class FragmentError extends Error {
  override name = "FragmentError";
}

/** Whether an address's fragment claims to hold a snapshot. */
export function isFragment(hash: string): boolean {
  return hash.startsWith(PREFIX);
}

/** Packs a snapshot into a URL fragment, which browsers never send to a server. */
export async function encodeFragment(snapshot: Snapshot): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(snapshot));
  const packed = await readAll(throughStream(text, new CompressionStream("deflate-raw")), Infinity);
  const bytes = new Uint8Array([VERSION, ...packed]);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const base64 = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return PREFIX + base64;
}

/**
 * Unpacks what `encodeFragment` made.
 *
 * @throws FragmentError when the link is damaged, too large or made by a newer page
 */
export async function decodeFragment(hash: string): Promise<Snapshot> {
  const [version, ...packed] = bytesOf(hash.slice(PREFIX.length));
  if (version !== VERSION) {
    throw new FragmentError(
      version === undefined || version === 0
        ? DAMAGED
        : "This link was made by another version of the page. Reload the page, then open the link again.",
    );
  }
  let value: unknown;
  try {
    const stream = throughStream(new Uint8Array(packed), new DecompressionStream("deflate-raw"));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readAll(stream, LARGEST));
    value = JSON.parse(text);
  } catch (error) {
    throw error instanceof FragmentError ? error : new FragmentError(DAMAGED);
  }
  const snapshot = parseSnapshot(value);
  if (!snapshot) throw new FragmentError(DAMAGED);
  return snapshot;
}

const DAMAGED =
  "This link is damaged: perhaps only a part of it was copied. Ask for the whole link, or for the .py file.";

function bytesOf(base64url: string): Uint8Array {
  try {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new FragmentError(DAMAGED);
  }
}

function throughStream(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(transform);
}

async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > most) {
      await reader.cancel();
      throw new FragmentError(
        `This link unpacks to more than ${most / 1e6} MB of text, which the page refuses to open.`,
      );
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
