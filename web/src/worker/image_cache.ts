import type { ImageStore } from "../runtime/python_image.ts";
import type { AssetCache } from "./asset_cache.ts";
import { sha256Of } from "./asset_fetch.ts";
import type { Asset } from "./assets.ts";

/** The image of a started Python in this browser, beside the files that it was started from. */
export class ImageCache implements ImageStore {
  /** Where it is kept, relative to the site. */
  readonly path: string;

  /**
   * @param files the compiler's files in this browser
   * @param python Pyodide's own WebAssembly module: another one needs another image
   */
  constructor(
    private readonly files: AssetCache,
    python: Asset,
  ) {
    this.path = `compiler/python-image.${python.sha256.slice(0, 16)}`;
  }

  async find(): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = await this.files.read(this.path);
    if (found === null) return null;
    return (await sha256Of(found.bytes)) === found.sha256 ? found.bytes : null;
  }

  async keep(image: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.files.keep(this.path, image, await sha256Of(image));
  }
}
