import { shellName } from "./shell.ts";

/** Milliseconds that the network has to answer for the page before the kept one is shown. */
const PATIENCE = 4000;

/** Whether an address is the page itself, whatever its query and fragment. */
export function isPage(address: URL, scope: URL): boolean {
  return address.pathname === scope.pathname || address.pathname === `${scope.pathname}index.html`;
}

/**
 * Answers a request for a file of the site. The page itself is asked of the network first, so that
 * a new version is seen at once; every other file's name changes with its content or its version,
 * and comes from this browser when it is there.
 *
 * @param name the cache that is preferred over those of other versions
 */
export async function answer(
  request: Request,
  scope: URL,
  caches: CacheStorage,
  name: string,
): Promise<Response> {
  const address = new URL(request.url);
  if (isPage(address, scope)) {
    const kept = await find(caches, scope, scope, name);
    if (!kept) return fetch(request);
    try {
      const response = await Promise.race([fetch(request), tooLate()]);
      return response.status >= 500 ? kept : response;
    } catch {
      return kept;
    }
  }
  return (await find(caches, address, scope, name)) ?? fetch(request);
}

/** Looks among the page's versions only: what the worker keeps, it checks itself. */
async function find(
  caches: CacheStorage,
  address: URL,
  scope: URL,
  name: string,
): Promise<Response | undefined> {
  const ours = (await caches.keys()).filter((key) => key.startsWith(shellName(scope, "")));
  for (const cacheName of [name, ...ours.filter((key) => key !== name)]) {
    const kept = await caches.match(address, { cacheName });
    if (kept) return kept;
  }
  return undefined;
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => {
      reject(new Error("the network is too slow"));
    }, PATIENCE);
  });
}
