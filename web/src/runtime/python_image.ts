import type { PyodideAPI } from "pyodide";

/** Where the memory of a started Python is kept from one load to the next. */
export interface ImageStore {
  /** The image that was kept, if it is whole. */
  find(): Promise<Uint8Array | null>;
  keep(image: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** What Pyodide's loader takes for images; its documentation calls this experimental. */
export interface ImageOptions {
  readonly _makeSnapshot?: boolean;
  readonly _loadSnapshot?: Uint8Array;
}

/** The parts of Python's library that Triton imports and Pyodide does not: they are in the image too. */
const IMPORTS =
  "import decimal, email, encodings.cp437, fractions, hashlib, importlib.metadata, pkgutil, platform, statistics, sysconfig, uuid";

/**
 * Starts Python from its memory as it was just after an earlier start, or, when there is none, as
 * usual, and keeps the memory for the next time. No package and no script has been in it.
 *
 * @param start Pyodide's loader with everything but the image decided
 */
export async function startPython(
  start: (options: ImageOptions) => Promise<PyodideAPI>,
  store: ImageStore,
): Promise<PyodideAPI> {
  const image = await store.find();
  if (image) {
    try {
      return await start({ _loadSnapshot: image });
    } catch {
      // Another version of Pyodide made it; what follows replaces it.
    }
  }
  const pyodide = await start({ _makeSnapshot: true });
  pyodide.runPython(IMPORTS);
  const maker = pyodide as unknown as { makeMemorySnapshot(): Uint8Array<ArrayBuffer> };
  // Not awaited: the image is a copy, and nobody needs it before the next start.
  void store.keep(maker.makeMemorySnapshot());
  return pyodide;
}
