import { Worker } from "node:worker_threads";
import type { WorkerPort } from "../src/compiler_client.ts";
import type { FromWorker } from "../src/protocol.ts";
import type { PackageFiles } from "./package_files.ts";

/**
 * Machine stack of the worker. With 64 MB, Pyodide's own 5 MB of shadow stack is used up first, and
 * that gives a Python exception; with Node's usual 4 MB, V8's stack is, and that kills the instance.
 */
const STACK_SIZE_MB = 64;

/**
 * Starts the compiler in a worker thread.
 *
 * @param script the built node_worker
 */
export function startWorkerThread(script: URL, files: PackageFiles): WorkerPort {
  const worker = new Worker(script, {
    workerData: files,
    resourceLimits: { stackSizeMb: STACK_SIZE_MB },
    // Pyodide reports a fatal error on these itself; the report carries it already.
    stdout: true,
    stderr: true,
  });
  return {
    post: (message) => {
      worker.postMessage(message);
    },
    terminate: () => {
      void worker.terminate();
    },
    listen: (onMessage, onDeath) => {
      worker.on("message", (message: FromWorker) => {
        onMessage(message);
      });
      worker.on("error", (error) => {
        onDeath(error instanceof Error ? error.message : String(error));
      });
      worker.on("exit", (code) => {
        onDeath(`the compiler's thread ended with code ${code}`);
      });
    },
  };
}
