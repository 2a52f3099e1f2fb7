import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { PyodideAPI } from "pyodide";
import { installArchive } from "../src/runtime/install.ts";

const SKIPPED = new Set(["__pycache__", "tests"]);

/** Unpacks the wheel at `file` into site-packages. */
export async function installWheel(
  pyodide: PyodideAPI,
  file: string,
  sitePackages: string,
): Promise<void> {
  // Pyodide refuses Node's Buffer, which is what readFile returns.
  installArchive(pyodide, new Uint8Array(await readFile(file)), sitePackages);
}

/** The part of Emscripten's file system that is used here; Pyodide's types leave it open. */
interface FileSystem {
  mkdirTree(path: string): void;
  writeFile(path: string, data: Uint8Array): void;
}

/** Copies the Python package in folder `from` to folder `to` of Pyodide's file system. */
export async function installFolder(pyodide: PyodideAPI, from: string, to: string): Promise<void> {
  const files = pyodide.FS as FileSystem;
  files.mkdirTree(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const source = join(from, entry.name);
    const copy = `${to}/${entry.name}`;
    if (entry.isDirectory()) await installFolder(pyodide, source, copy);
    else files.writeFile(copy, new Uint8Array(await readFile(source)));
  }
}
