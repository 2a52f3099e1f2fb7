import type { WorkerPort } from "../compiler_client.ts";
import type { FromWorker } from "../protocol.ts";
import workerPath from "../worker/compile_worker.ts?worker&url";

/**
 * Starts the compiler in a worker; it loads the files that the site's build listed for this page.
 *
 * A worker from an address has the policy of its own answer's headers, of which a static host sends
 * none: a script could ask other hosts. One from a blob has the page's Content-Security-Policy.
 */
export function startBrowserWorker(): WorkerPort {
  const list = document.querySelector<HTMLMetaElement>('meta[name="compiler-files"]');
  const script = new URL(workerPath, document.baseURI).href;
  const blob = new Blob([`importScripts(${JSON.stringify(script)})`], { type: "text/javascript" });
  const address = URL.createObjectURL(blob);
  const worker = new Worker(address, { name: new URL(list?.content ?? "", document.baseURI).href });
  URL.revokeObjectURL(address);
  return {
    post: (message) => {
      worker.postMessage(message);
    },
    terminate: () => {
      worker.terminate();
    },
    listen: (onMessage, onDeath) => {
      worker.onmessage = (event: MessageEvent<FromWorker>) => {
        onMessage(event.data);
      };
      worker.onerror = (event) => {
        onDeath(event.message || "the worker could not be started");
      };
    },
  };
}
