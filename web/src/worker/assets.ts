/** What the site's build writes beside the page: the files that the worker loads. */
export interface Assets {
  /** Folder of Pyodide's scripts. */
  readonly pyodide: string;
  /** What Pyodide's loader asks for in its folder, by name. */
  readonly runtime: Readonly<Record<string, Asset>>;
  /** Triton's WebAssembly module. */
  readonly module: Asset;
  /** Where Python expects the module, relative to site-packages. */
  readonly modulePath: string;
  /** Zips that are unpacked into site-packages: Triton's Python, then triton_playground. */
  readonly archives: readonly Asset[];
}

/** One file; its path changes with its content. */
export interface Asset {
  /** Relative to the folder that holds this list, as all paths here. */
  readonly path: string;
  /** Size and hexadecimal hash of the file as the site holds it. */
  readonly bytes: number;
  readonly sha256: string;
  /** Whether that is a gzip of what is wanted: many hosts compress no WebAssembly themselves. */
  readonly gzip: boolean;
}

/** All files of the list. */
export function allAssets({ runtime, module, archives }: Assets): readonly Asset[] {
  return [module, ...archives, ...Object.values(runtime)];
}

/**
 * Reads the list.
 *
 * @throws Error naming the address when it cannot be had
 */
export async function fetchAssets(address: URL): Promise<Assets> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: HTTP ${response.status}`);
  return (await response.json()) as Assets;
}
