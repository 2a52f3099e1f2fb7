import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { loadPyodide } from "pyodide";
import type { FromWorker, ToWorker } from "../src/protocol.ts";
import { Compiler } from "../src/runtime/compiler.ts";
import { serveCompiler } from "../src/runtime/serve_compiler.ts";
import { installFolder, installWheel } from "./install_files.ts";
import type { PackageFiles } from "./package_files.ts";
import { PythonImageFile } from "./python_image_file.ts";

const port = parentPort;
if (port === null) throw new Error("node_worker runs in a worker thread only");

const files = workerData as PackageFiles;

const receive = serveCompiler(
  (message: FromWorker) => {
    port.postMessage(message);
  },
  () =>
    Compiler.load({
      loadPyodide,
      images: new PythonImageFile(fileURLToPath(new URL("python-image", import.meta.url))),
      install: async (pyodide, sitePackages) => {
        await installWheel(pyodide, files.wheel, sitePackages);
        await installFolder(pyodide, files.playground, `${sitePackages}/triton_playground`);
      },
    }),
);
port.on("message", (message: ToWorker) => {
  receive(message);
});
