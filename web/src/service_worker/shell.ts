/** A file that the page needs before there is a compiler. */
export interface ShellFile {
  /** Relative to the site's folder; empty for the page itself. */
  readonly path: string;
  /** As the `integrity` of a fetch: `sha256-` and base64. */
  readonly integrity: string;
}

const PREFIX = "triton-playground page";

/** The cache that holds one version of the page; sites of one host have caches of their own. */
export function shellName(scope: URL, version: string): string {
  return `${PREFIX} ${scope.pathname} ${version}`;
}

/**
 * Fetches and keeps all files, or none.
 *
 * @throws TypeError when a file cannot be had or has another hash
 */
export async function fillShell(
  caches: CacheStorage,
  name: string,
  scope: URL,
  files: readonly ShellFile[],
): Promise<void> {
  try {
    const cache = await caches.open(name);
    await Promise.all(
      files.map(async ({ path, integrity }) => {
        const address = new URL(path, scope);
        const response = await fetch(address, { integrity, cache: "no-cache" });
        if (!response.ok) throw new TypeError(`${address.href}: HTTP ${response.status}`);
        await cache.put(address, response);
      }),
    );
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/** Drops all versions but this one and the one before it, which open tabs may still need. */
export async function dropOldShells(caches: CacheStorage, scope: URL, name: string): Promise<void> {
  const ours = (await caches.keys()).filter((key) => key.startsWith(shellName(scope, "")));
  const old = ours.filter((key) => key !== name).slice(0, -1);
  await Promise.all(old.map((key) => caches.delete(key)));
}
