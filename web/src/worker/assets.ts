/** `assets.json`, which the site's build writes: what the worker loads, and how large it is. */
export interface Assets {
  /** Folder of Pyodide's files, relative to assets.json. */
  readonly pyodide: string;
  /** Triton's wheel, relative to assets.json. */
  readonly triton: string;
  /** The triton_playground package as a wheel, relative to assets.json. */
  readonly playground: string;
  readonly files: readonly Asset[];
}

export interface Asset {
  /** Relative to assets.json. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * Reads assets.json.
 *
 * @throws Error naming the address when it cannot be had
 */
export async function fetchAssets(address: URL): Promise<Assets> {
  const response = await fetch(address, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address.href}: HTTP ${response.status}`);
  return (await response.json()) as Assets;
}
