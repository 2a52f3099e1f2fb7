// Runs Python in Pyodide for the tests: one JSON request a line on standard input, one JSON answer a line on standard
// output. Requests: {"id", "code", "arguments"}; what the code leaves in the variable "result" comes back as "value". The code
// may call host.stage(name); when the WebAssembly instance dies, the answer names that stage and what was written last.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [pyodideDirectory, wheel, packageDirectory] = process.argv.slice(2);
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

const { loadPyodide } = await import(pathToFileURL(path.join(pyodideDirectory, "pyodide.mjs")).href);
const pyodide = await loadPyodide({
  indexURL: pyodideDirectory,
  // Standard output carries the protocol, so what Python prints outside a report goes to standard error.
  stdout: (text) => process.stderr.write(text + "\n"),
  stderr: (text) => process.stderr.write(text + "\n"),
});
// Pyodide does not know Node's Buffer.
pyodide.unpackArchive(new Uint8Array(await readFile(wheel)), "wheel", {
  extractDir: pyodide.runPython("import site; site.getsitepackages()[0]"),
});
pyodide.FS.mkdir("/py");
pyodide.mountNodeFS("/py", packageDirectory);
pyodide.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/py")
`);
let stage = null;
pyodide.registerJsModule("host", { stage: (name) => (stage = name) });
const errorsPath = pyodide.runPython("from triton_playground import capture; str(capture.ERRORS_PATH)");
// Pyodide makes its own interface throw once the instance is dead; Emscripten's file system still works.
const { FS } = pyodide;
const lastErrors = () => {
  try {
    return FS.readFile(errorsPath, { encoding: "utf8" });
  } catch {
    return "";
  }
};
send({ ready: true });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, code, arguments: parameters } = JSON.parse(line);
  try {
    const globals = pyodide.toPy({ arguments_json: JSON.stringify(parameters ?? {}) });
    pyodide.runPython("import json\narguments = json.loads(arguments_json)", { globals });
    const value = pyodide.runPython(`import json\n${code}\nresult_json = json.dumps(result)\nresult_json`, { globals });
    globals.destroy();
    send({ id, value: JSON.parse(value) });
  } catch (error) {
    // A Python exception leaves the interpreter alive; anything else has ended it.
    const dead = error.name !== "PythonError";
    send({ id, error: String(error), ...(dead ? { dead, stage, written: lastErrors() } : {}) });
  }
}
