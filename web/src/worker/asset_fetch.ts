import type { Asset } from "./assets.ts";

/** How a download waits; times in milliseconds. */
export interface Patience {
  /** Pauses before the second attempt, the third and so on. */
  readonly pauses: readonly number[];
  /** An attempt that receives nothing for this long has failed. */
  readonly stall: number;
}

export const PATIENCE: Patience = { pauses: [500, 2000, 6000], stall: 30_000 };

/** Why a file of the compiler cannot be had, in words for the person who waits for it. */
export class DownloadError extends Error {
  override name = "DownloadError";
}

/** What arrived is not what the site's build wrote. */
export class DamagedError extends DownloadError {
  override name = "DamagedError";
}

/** Called with each piece of a file as it arrives, in order and once, whatever was repeated. */
export type OnChunk = (chunk: Uint8Array<ArrayBuffer>) => void;

/**
 * Downloads a file and checks its hash. An attempt that breaks off is repeated after a pause.
 *
 * @param fresh whether to go past the browser's HTTP cache
 * @throws DownloadError when the last attempt failed, DamagedError when the hash differs
 */
export async function fetchAsset(
  plainFetch: typeof fetch,
  address: URL,
  asset: Asset,
  onChunk: OnChunk,
  { pauses, stall }: Patience = PATIENCE,
  fresh = false,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(asset.bytes);
  let received = 0;
  for (let attempt = 0; ; attempt += 1) {
    let at = 0;
    try {
      await readBody(plainFetch, address, fresh || attempt > 0, stall, (chunk) => {
        if (at + chunk.byteLength > bytes.byteLength) throw new DamagedError(damaged(address));
        const known = Math.min(Math.max(received - at, 0), chunk.byteLength);
        at += chunk.byteLength;
        if (known === chunk.byteLength) return;
        const news = chunk.subarray(known);
        bytes.set(news, received);
        received += news.byteLength;
        onChunk(news);
      });
      if (at < bytes.byteLength) throw new TypeError("the connection ended early");
      break;
    } catch (error) {
      const pause = pauses[attempt];
      if (error instanceof DownloadError) throw error;
      if (pause === undefined) {
        throw new DownloadError(
          `${address.href}: ${(error as Error).message}, after ${attempt + 1} attempts. Check the network, then try again.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  if (!(await matches(bytes, asset))) throw new DamagedError(damaged(address));
  return bytes;
}

/** Whether the bytes have the hash that the site's build wrote down. */
export async function matches(bytes: Uint8Array<ArrayBuffer>, asset: Asset): Promise<boolean> {
  // Browsers hash only for pages from https or this machine; elsewhere the length has to do.
  const hash = await sha256Of(bytes);
  return hash === "" ? bytes.byteLength === asset.bytes : hash === asset.sha256;
}

/** The hash in hexadecimal; empty where the browser does not hash. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await (crypto as Partial<Crypto>).subtle?.digest("SHA-256", bytes);
  return digest === undefined ? "" : hex(new Uint8Array(digest));
}

async function readBody(
  plainFetch: typeof fetch,
  address: URL,
  fresh: boolean,
  stall: number,
  onChunk: OnChunk,
): Promise<void> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      abort.abort(new TypeError(`nothing came for ${stall / 1000} s`));
    }, stall);
  };
  try {
    wait();
    const response = await plainFetch(address, {
      signal: abort.signal,
      ...(fresh ? { cache: "reload" as const } : {}),
    });
    if (!response.ok) throw refusal(address, response.status);
    const reader = response.body?.getReader();
    for (;;) {
      wait();
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      onChunk(piece.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A server that is busy may answer later; one that knows no such file will not. */
function refusal(address: URL, status: number): Error {
  if (status >= 500 || status === 408 || status === 429) return new TypeError(`HTTP ${status}`);
  const hint = status === 404 ? " The site may have been updated: reload the page." : "";
  return new DownloadError(`${address.href}: HTTP ${status}.${hint}`);
}

function damaged(address: URL): string {
  return `${address.href} is not the file that this page was built with. The site may have been updated: reload the page.`;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
