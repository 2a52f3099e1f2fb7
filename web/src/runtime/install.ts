import type { PyodideAPI } from "pyodide";

/**
 * Unpacks a wheel, or a zip with the same layout, into site-packages.
 *
 * @param archive the file's bytes; a plain Uint8Array, since Pyodide refuses Node's Buffer
 */
export function installArchive(
  pyodide: PyodideAPI,
  archive: Uint8Array,
  sitePackages: string,
): void {
  pyodide.unpackArchive(archive, "wheel", { extractDir: sitePackages });
}
