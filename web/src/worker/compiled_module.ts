import type { PyodideAPI } from "pyodide";

/** The part of Emscripten's dynamic loader that takes a compiled library. */
interface DynamicLoader {
  /** Libraries that `dlopen` finds in memory, by path, as their exports. */
  readonly preloadedWasm: Record<string, unknown>;
  loadWebAssemblyModule(
    module: WebAssembly.Module,
    flags: { loadAsync: boolean; global: boolean; nodelete: boolean },
    path: string,
    localScope: object,
  ): unknown;
}

/**
 * Links a library that is compiled already, so that Python's import of it finds it in memory. Its
 * file is a stand-in of a few bytes: the library's own never lie in Python's file system, nor in
 * WebAssembly memory, where `dlopen` would copy them.
 *
 * @param path absolute, where Python looks for the library
 * @throws Error when it needs a symbol that Pyodide lacks
 */
export function linkModule(pyodide: PyodideAPI, path: string, module: WebAssembly.Module): void {
  const files = pyodide.FS as { writeFile(path: string, data: string): void };
  files.writeFile(path, "The library is linked from a compiled module.\n");
  // Pyodide calls its Emscripten module private; its own loader of packages goes through it too.
  const { _module: loader } = pyodide as unknown as { _module: DynamicLoader };
  // As dlopen does it for Python: the library's symbols are its own.
  const flags = { loadAsync: false, global: false, nodelete: true };
  loader.preloadedWasm[path] = loader.loadWebAssemblyModule(module, flags, path, {});
}
