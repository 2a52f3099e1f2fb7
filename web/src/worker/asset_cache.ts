import type { Asset } from "./assets.ts";

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
    try {
      const cache = await this.#opened;
      const response = await cache?.match(new URL(asset.path, this.site));
      return response ? new Uint8Array(await response.arrayBuffer()) : null;
    } catch {
      return null;
    }
  }

  /** Keeps a file if the browser has room for it. */
  async keep(asset: Asset, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const cache = await this.#opened;
      await cache?.put(new URL(asset.path, this.site), new Response(bytes));
    } catch {
      // No room: the next visit downloads it again.
    }
  }

  /** Drops the files of earlier versions of the site. */
  async keepOnly(assets: readonly Asset[]): Promise<void> {
    try {
      const cache = await this.#opened;
      const wanted = new Set(assets.map(({ path }) => new URL(path, this.site).href));
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
