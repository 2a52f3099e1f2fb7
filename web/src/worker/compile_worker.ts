import type { FromWorker, ToWorker } from "../protocol.ts";
import { Compiler, type LoadOptions } from "../runtime/compiler.ts";
import { installArchive } from "../runtime/install.ts";
import { serveCompiler } from "../runtime/serve_compiler.ts";
import { AssetCache } from "./asset_cache.ts";
import { AssetLoader } from "./asset_loader.ts";
import { allAssets, fetchAssets } from "./assets.ts";
import { linkModule } from "./compiled_module.ts";
import { ImageCache } from "./image_cache.ts";
import { warmUpRequest } from "./warm_up.ts";

declare const self: DedicatedWorkerGlobalScope;

/** Progress messages nearer to each other than this, in milliseconds, are dropped. */
const PROGRESS_INTERVAL = 50;

function send(message: FromWorker): void {
  self.postMessage(message);
}

async function load(): Promise<Compiler> {
  // The page passes the address of the list as the worker's name: the bundler moves this file.
  const list = new URL(self.name);
  const site = new URL(".", list);
  const assets = await fetchAssets(list);
  let last = 0;
  const plainFetch = self.fetch.bind(self);
  const cache = new AssetCache(site);
  const loader = new AssetLoader(plainFetch, site, cache, allAssets(assets), (loaded, total) => {
    const now = performance.now();
    if (loaded < total && now - last < PROGRESS_INTERVAL) return;
    last = now;
    send({ type: "progress", phase: "download", loaded, total });
  });
  const indexURL = new URL(assets.pyodide, site).href;
  // Pyodide fetches its own files; it gets those that have been checked.
  self.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : new URL(input, site).href;
    const name = address.startsWith(indexURL) ? address.slice(indexURL.length) : "";
    const asset = assets.runtime[name];
    return asset ? loader.response(asset, contentType(name)) : plainFetch(input, init);
  };
  // Pyodide is started meanwhile; a failed download is reported where these are awaited.
  const archives = Promise.all(assets.archives.map((asset) => loader.bytes(asset)));
  archives.catch(() => undefined);
  const module = loader.module(assets.module);
  module.catch(() => undefined);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${indexURL}pyodide.mjs`)) as {
    loadPyodide: LoadOptions["loadPyodide"];
  };
  const python = assets.runtime["pyodide.asm.wasm"];
  if (!python) throw new Error(`${list.href} does not name Pyodide's module`);
  const images = new ImageCache(cache, python);
  const compiler = await Compiler.load({
    loadPyodide,
    images,
    indexURL,
    install: async (pyodide, sitePackages) => {
      for (const archive of await archives) installArchive(pyodide, archive, sitePackages);
      linkModule(pyodide, `${sitePackages}/${assets.modulePath}`, await module);
    },
    onPhase: (phase) => {
      send({ type: "progress", phase, loaded: 0, total: 0 });
    },
  });
  takeAway("caches", "Worker", "BroadcastChannel");
  void cache.keepOnly([...allAssets(assets).map(({ path }) => path), images.path]);
  return compiler;
}

/**
 * Takes from scripts what would outlast them or leave this worker: what a later visit starts from
 * must not be theirs to change.
 */
function takeAway(...names: readonly string[]): void {
  for (const name of names) {
    for (let owner: object | null = self; owner; owner = Reflect.getPrototypeOf(owner)) {
      Reflect.deleteProperty(owner, name);
    }
  }
}

/** WebAssembly is compiled while it is unpacked only when it says what it is. */
function contentType(name: string): string {
  return name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
}

const receive = serveCompiler(send, load, warmUpRequest);
self.onmessage = (event: MessageEvent<ToWorker>) => {
  receive(event.data);
};
