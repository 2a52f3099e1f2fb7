/** Messages between the thread that shows reports and the worker that runs the compiler. */
import type { Report, Request, StageName } from "./report.ts";
import type { MemoryUse } from "./runtime/memory_ceiling.ts";

/** What the worker is doing before it can compile. */
export type LoadPhase = "download" | "python" | "unpack" | "import";

/** A target the compiler knows, as `triton_playground.targets` lists it. */
export interface Target {
  /** `cuda:CC` or `hip:gfxNNN`. */
  readonly name: string;
  /** For people, with products that have it. */
  readonly displayName: string;
}

/** One name that a module offers, as `triton_playground.completions` lists it. */
export interface CompletionName {
  readonly name: string;
  readonly kind: "function" | "class" | "type" | "constant" | "namespace";
  /** Its parameters as Python prints them; empty when it takes none. */
  readonly detail: string;
  /** The first sentence of its documentation; may be empty. */
  readonly summary: string;
}

/** Names by the module that offers them, for example `triton.language`. */
export type Completions = Readonly<Record<string, readonly CompletionName[]>>;

export interface Versions {
  readonly playground: string;
  readonly triton: string;
  readonly llvm: string;
  readonly python: string;
}

export interface CompileMessage {
  readonly type: "compile";
  readonly id: number;
  readonly request: Request;
  /** Bytes of WebAssembly memory that this compile may have; no limit of ours when left out. */
  readonly memoryLimit?: number;
}

export interface ProgressMessage {
  readonly type: "progress";
  readonly phase: LoadPhase;
  /** Bytes received; meaningful in the download phase. */
  readonly loaded: number;
  /** Bytes expected; 0 while unknown. */
  readonly total: number;
}

export interface ReadyMessage {
  readonly type: "ready";
  readonly targets: readonly Target[];
  readonly versions: Versions;
  readonly completions: Completions;
  /** Wall time from the worker's start to this message, in seconds. */
  readonly seconds: number;
}

export interface LoadFailedMessage {
  readonly type: "load-failed";
  readonly message: string;
}

export interface StageMessage {
  readonly type: "stage";
  readonly id: number;
  readonly stage: StageName;
}

export interface ReportMessage {
  readonly type: "report";
  readonly id: number;
  readonly report: Report;
  readonly memory: MemoryUse;
  /** Whether the compile changed the compiler's own files, so that the worker is of no more use. */
  readonly damaged: boolean;
}

/** The WebAssembly instance died (trap, abort, stack overflow); the worker is of no more use. */
export interface CrashMessage {
  readonly type: "crash";
  readonly id: number;
  readonly message: string;
  /** The last lines the compiler wrote to its error output. */
  readonly detail: string;
  /** The pass that was running; empty when none was or it is not known. */
  readonly pass: string;
  readonly memory: MemoryUse;
}

export type ToWorker = CompileMessage;
export type FromWorker =
  ProgressMessage | ReadyMessage | LoadFailedMessage | StageMessage | ReportMessage | CrashMessage;
