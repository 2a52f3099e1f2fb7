import type { FromWorker, ToWorker } from "../protocol.ts";
import { type Compiler, CompilerCrash } from "./compiler.ts";

/**
 * The worker's side of the protocol: tells when the compiler is ready, then answers compiles.
 *
 * @param send posts a message to the thread that started the worker
 * @param load starts the compiler; it may send progress messages itself
 * @returns the handler for incoming messages
 */
export function serveCompiler(
  send: (message: FromWorker) => void,
  load: () => Promise<Compiler>,
): (message: ToWorker) => void {
  const started = performance.now();
  const loading = load().then(
    (compiler) => {
      const seconds = (performance.now() - started) / 1000;
      const { targets, versions, completions } = compiler;
      send({ type: "ready", targets, versions, completions, seconds });
      return compiler;
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      send({ type: "load-failed", message });
      return null;
    },
  );
  return ({ id, request, memoryLimit }) => {
    void loading.then((compiler) => {
      if (compiler === null) return;
      try {
        const report = compiler.compile(request, memoryLimit, (stage) => {
          send({ type: "stage", id, stage });
        });
        const { memory, damaged } = compiler;
        send({ type: "report", id, report, memory, damaged });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const { detail, pass } = error instanceof CompilerCrash ? error : { detail: "", pass: "" };
        send({ type: "crash", id, message, detail, pass, memory: compiler.memory });
      }
    });
  };
}
