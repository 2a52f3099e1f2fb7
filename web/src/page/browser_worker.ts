import type { WorkerPort } from "../compiler_client.ts";
import type { FromWorker } from "../protocol.ts";
import CompileWorker from "../worker/compile_worker.ts?worker";

/** Starts the compiler in a worker; it loads the files that the site's build listed for this page. */
export function startBrowserWorker(): WorkerPort {
  const list = document.querySelector<HTMLMetaElement>('meta[name="compiler-files"]');
  const worker = new CompileWorker({ name: new URL(list?.content ?? "", document.baseURI).href });
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
