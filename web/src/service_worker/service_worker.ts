/**
 * Opens the page without a network. The compiler's own files are kept by the worker that loads
 * them; here are the page, its scripts and Pyodide's scripts.
 */
import { answer, isPage } from "./answer.ts";
import { dropOldShells, fillShell, type ShellFile, shellName } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

/** Put in front of this script by the site's build, so that a changed file changes this script. */
declare const SHELL: { readonly version: string; readonly files: readonly ShellFile[] };

const scope = new URL(self.registration.scope);
const name = shellName(scope, SHELL.version);

self.addEventListener("install", (event) => {
  event.waitUntil(fillShell(caches, name, scope, SHELL.files).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldShells(caches, scope, name).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== scope.origin) return;
  if (request.mode === "navigate" && !isPage(address, scope)) return;
  event.respondWith(answer(request, scope, caches, name));
});
