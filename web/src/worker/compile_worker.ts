import type { FromWorker, ToWorker } from "../protocol.ts";
import { Compiler, type LoadOptions } from "../runtime/compiler.ts";
import { installArchive } from "../runtime/install.ts";
import { serveCompiler } from "../runtime/serve_compiler.ts";
import { fetchAssets } from "./assets.ts";
import { countedFetch } from "./counted_fetch.ts";

declare const self: DedicatedWorkerGlobalScope;

/** Progress messages nearer to each other than this, in milliseconds, are dropped. */
const PROGRESS_INTERVAL = 50;

function send(message: FromWorker): void {
  self.postMessage(message);
}

async function load(): Promise<Compiler> {
  // The page passes the site's address as the worker's name: the bundler moves this file.
  const site = new URL(self.name);
  const assets = await fetchAssets(new URL("assets.json", site));
  let last = 0;
  self.fetch = countedFetch(self.fetch.bind(self), assets.files, site, (loaded, total) => {
    const now = performance.now();
    if (loaded < total && now - last < PROGRESS_INTERVAL) return;
    last = now;
    send({ type: "progress", phase: "download", loaded, total });
  });
  const indexURL = new URL(assets.pyodide, site).href;
  const bytesOf = async (path: string): Promise<Uint8Array> => {
    const address = new URL(path, site);
    const response = await self.fetch(address);
    if (!response.ok) throw new Error(`${address.href}: HTTP ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  // Pyodide is started meanwhile; a failed download is reported where the archives are awaited.
  const archives = Promise.all([bytesOf(assets.triton), bytesOf(assets.playground)]);
  archives.catch(() => undefined);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${indexURL}pyodide.mjs`)) as {
    loadPyodide: LoadOptions["loadPyodide"];
  };
  return Compiler.load({
    loadPyodide,
    indexURL,
    install: async (pyodide, sitePackages) => {
      for (const archive of await archives) installArchive(pyodide, archive, sitePackages);
    },
    onPhase: (phase) => {
      send({ type: "progress", phase, loaded: 0, total: 0 });
    },
  });
}

const receive = serveCompiler(send, load);
self.onmessage = (event: MessageEvent<ToWorker>) => {
  receive(event.data);
};
