import type { FromWorker, ToWorker } from "../protocol.ts";
import type { Request } from "../report.ts";
import { type Compiler, CompilerCrash } from "./compiler.ts";

/** Milliseconds without a message after which a compile that nobody asked for may begin. */
const REST = 300;

/**
 * The worker's side of the protocol: tells when the compiler is ready, then answers compiles.
 *
 * @param send posts a message to the thread that started the worker
 * @param load starts the compiler; it may send progress messages itself
 * @param warmUp makes the request of a compile whose report nobody gets, done once, when a script
 *   was looked at and its compile for that target will follow; none when left out
 * @returns the handler for incoming messages
 */
export function serveCompiler(
  send: (message: FromWorker) => void,
  load: () => Promise<Compiler>,
  warmUp?: (target: string) => Request,
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending = warmUp;
  return ({ id, request, memoryLimit }) => {
    void loading.then((compiler) => {
      if (compiler === null) return;
      clearTimeout(timer);
      try {
        const report = compiler.compile(request, memoryLimit, (stage) => {
          send({ type: "stage", id, stage });
        });
        const { memory, damaged } = compiler;
        send({ type: "report", id, report, memory, damaged });
        if (request.stop === undefined) pending = undefined;
        const makeRequest = pending;
        if (!makeRequest) return;
        timer = setTimeout(() => {
          pending = undefined;
          try {
            compiler.compile(makeRequest(request.target), undefined, () => undefined);
          } catch {
            // The instance is of no more use, which the next compile finds and reports.
          }
        }, REST);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const { detail, pass } = error instanceof CompilerCrash ? error : { detail: "", pass: "" };
        send({ type: "crash", id, message, detail, pass, memory: compiler.memory });
      }
    });
  };
}
