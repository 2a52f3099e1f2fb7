import { matches } from "./asset_fetch.ts";
import type { Asset } from "./assets.ts";

const HASH_HEADER = "X-SHA256";

/**
 * The compiler's files in this browser, so that a second visit needs no network. A browser that
 * keeps nothing, for example in a private window, is one where nothing is ever found.
 */
export class AssetCache {
  readonly #opened: Promise<Cache | null>;

  /** @param site folder of the site; sites of one host must not clean up each other's files */
  constructor(private readonly site: URL) {
    this.#opened = open(`triton-playground compiler ${site.pathname}`);
  }

  async find(asset: Asset): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = await this.read(asset.path);
    return found && (await matches(found.bytes, asset)) ? found.bytes : null;
  }

  /** What is kept under a path of the site, with the hash it was kept with; unchecked. */
  async read(path: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; sha256: string } | null> {
    try {
      const cache = await this.#opened;
      const response = await cache?.match(new URL(path, this.site));
      if (!response) return null;
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, sha256: response.headers.get(HASH_HEADER) ?? "" };
    } catch {
      return null;
    }
  }

  /** Keeps a file if the browser has room for it. */
  async keep(path: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void> {
    try {
      const cache = await this.#opened;
      const headers = { [HASH_HEADER]: sha256 };
      await cache?.put(new URL(path, this.site), new Response(bytes, { headers }));
    } catch {
      // No room: the next visit downloads or makes it again.
    }
  }

  /** Drops all but these paths: the files of earlier versions of the site. */
  async keepOnly(paths: readonly string[]): Promise<void> {
    try {
      const cache = await this.#opened;
      const wanted = new Set(paths.map((path) => new URL(path, this.site).href));
      for (const request of (await cache?.keys()) ?? []) {
        if (!wanted.has(request.url)) await cache?.delete(request);
      }
    } catch {
      // What could not be dropped is dropped at the next visit.
    }
  }
}

async function open(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name);
  } catch {
    return null;
  }
}
