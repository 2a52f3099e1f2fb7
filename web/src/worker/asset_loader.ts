import type { AssetCache } from "./asset_cache.ts";
import { DamagedError, fetchAsset, type OnChunk, PATIENCE } from "./asset_fetch.ts";
import type { Asset } from "./assets.ts";

/** Called whenever more bytes have come over the network, with sums over all files that must. */
export type OnBytes = (loaded: number, total: number) => void;

/** Brings the compiler's files: from this browser when it has them, or else from the site. */
export class AssetLoader {
  readonly #found: Promise<Map<Asset, Uint8Array<ArrayBuffer>>>;
  #loaded = 0;
  #total = 0;

  constructor(
    private readonly plainFetch: typeof fetch,
    private readonly site: URL,
    private readonly cache: AssetCache,
    private readonly assets: readonly Asset[],
    private readonly onBytes: OnBytes,
  ) {
    this.#found = this.#find();
  }

  /** The file as the site holds it. */
  async bytes(asset: Asset): Promise<Uint8Array<ArrayBuffer>> {
    return twice((fresh) => this.#load(asset, fresh, () => undefined));
  }

  /** A file of the site as its users expect it, unpacked. */
  async response(asset: Asset, type: string): Promise<Response> {
    const body = new Blob([await this.bytes(asset)]).stream();
    return new Response(asset.gzip ? body.pipeThrough(gunzip()) : body, {
      headers: { "Content-Type": type },
    });
  }

  /** Compiles a WebAssembly module while it arrives; what is returned has passed the hash. */
  async module(asset: Asset): Promise<WebAssembly.Module> {
    return twice((fresh) => this.#module(asset, fresh));
  }

  async #module(asset: Asset, fresh: boolean): Promise<WebAssembly.Module> {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>(undefined, {
      highWaterMark: Infinity,
    });
    const body = asset.gzip ? readable.pipeThrough(gunzip()) : readable;
    const compiled = WebAssembly.compileStreaming(
      new Response(body, { headers: { "Content-Type": "application/wasm" } }),
    );
    // When the download fails, that is the reason to tell, not the module that is cut short.
    compiled.catch(() => undefined);
    const writer = writable.getWriter();
    writer.closed.catch(() => undefined);
    try {
      await this.#load(asset, fresh, (chunk) => {
        writer.write(chunk).catch(() => undefined);
      });
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
    writer.close().catch(() => undefined);
    return compiled;
  }

  async #load(asset: Asset, fresh: boolean, onChunk: OnChunk): Promise<Uint8Array<ArrayBuffer>> {
    const found = await this.#found;
    const present = found.get(asset);
    if (present) {
      found.delete(asset);
      onChunk(present);
      return present;
    }
    const counted: OnChunk = (chunk) => {
      if (!fresh) this.#loaded += chunk.byteLength;
      this.onBytes(this.#loaded, this.#total);
      onChunk(chunk);
    };
    const address = new URL(asset.path, this.site);
    const bytes = await fetchAsset(this.plainFetch, address, asset, counted, PATIENCE, fresh);
    await this.cache.keep(asset.path, bytes, asset.sha256);
    return bytes;
  }

  async #find(): Promise<Map<Asset, Uint8Array<ArrayBuffer>>> {
    const found = new Map<Asset, Uint8Array<ArrayBuffer>>();
    await Promise.all(
      this.assets.map(async (asset) => {
        const bytes = await this.cache.find(asset);
        if (bytes) found.set(asset, bytes);
      }),
    );
    this.#total = this.assets
      .filter((asset) => !found.has(asset))
      .reduce((sum, { bytes }) => sum + bytes, 0);
    return found;
  }
}

/** A cache on the way may hold a damaged copy: the second attempt goes past it. */
async function twice<T>(action: (fresh: boolean) => Promise<T>): Promise<T> {
  try {
    return await action(false);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return action(true);
  }
}

function gunzip(): ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new DecompressionStream("gzip");
}
