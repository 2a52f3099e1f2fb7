import {
  crashDiagnostic,
  failureReport,
  memoryLimitDiagnostic,
  timeLimitDiagnostic,
  withEarlierStages,
  withMemoryLimit,
} from "./failure_report.ts";
import { isSpent } from "./limits.ts";
import type {
  CrashMessage,
  FromWorker,
  ProgressMessage,
  ReadyMessage,
  ReportMessage,
  ToWorker,
  Versions,
} from "./protocol.ts";
import type { Diagnostic, Report, Request, StageName } from "./report.ts";
import type { MemoryUse } from "./runtime/memory_ceiling.ts";
import { stageBefore } from "./stages.ts";

/** A worker, whether the browser's or Node's. */
export interface WorkerPort {
  post(message: ToWorker): void;
  terminate(): void;
  /** Called for each message, and once if the worker dies without one. */
  listen(onMessage: (message: FromWorker) => void, onDeath: (reason: string) => void): void;
}

/** What the client tells its owner while it works. */
export interface ClientEvents {
  onProgress?(message: ProgressMessage): void;
  onReady?(message: ReadyMessage): void;
  /** The compiler could not be loaded; `reload` tries again. */
  onLoadFailed?(message: string): void;
  onStage?(stage: StageName): void;
  /** What the worker's memory is after a compile that it answered, before the report is given. */
  onMemory?(memory: MemoryUse): void;
  /** The compiler died and a fresh one is loading. */
  onRestart?(failure: Diagnostic): void;
}

export interface CompileOptions {
  /** Seconds from the moment the worker takes the request; none when left out. */
  readonly timeLimit?: number | undefined;
  /** Bytes of WebAssembly memory; what WebAssembly itself allows when left out. */
  readonly memoryLimit?: number | undefined;
  /** Whether a crashed compile is run again up to the stage that crashed; default true. */
  readonly recover?: boolean;
  /** Whether its stages are told to nobody: the person did not ask for it. */
  readonly quiet?: boolean;
  /** Called when the compile cost its worker: it crashed or ran past a limit. */
  readonly onWorkerLost?: () => void;
}

/** Rejects a compile that was cancelled before its report came. */
export class CancelledError extends Error {
  override name = "CancelledError";
}

/** Rejects a compile when the compiler itself cannot be loaded. */
export class LoadError extends Error {
  override name = "LoadError";
}

interface Job {
  readonly id: number;
  readonly request: Request;
  readonly options: CompileOptions;
  readonly resolve: (report: Report) => void;
  readonly reject: (error: Error) => void;
  stage: StageName;
  started: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Set on the second, shorter compile that fetches the stages before a crash. */
  readonly failure?: Report;
}

/**
 * Runs compiles one after another on one worker. The worker is replaced when it is cancelled, when
 * it runs past a time limit and when its WebAssembly instance dies; a compile that ends so still
 * gets a report, which names the stage that was running and holds the stages before it. It is also
 * replaced after a compile that was refused memory, left it holding much or damaged its files.
 */
export class CompilerClient {
  readonly #start: () => WorkerPort;
  readonly #events: ClientEvents;
  readonly #queue: Job[] = [];
  #port: WorkerPort | null = null;
  #versions: Versions | null = null;
  #isReady = false;
  #running: Job | null = null;
  #nextId = 1;

  /** @param start makes a worker that begins to load the compiler at once */
  constructor(start: () => WorkerPort, events: ClientEvents = {}) {
    this.#start = start;
    this.#events = events;
    this.#startWorker();
  }

  /** Whether a compile is running or waiting. */
  get busy(): boolean {
    return this.#running !== null || this.#queue.length > 0;
  }

  /**
   * Compiles one request after those before it.
   *
   * @returns the report; diagnostics in it are no rejection
   * @throws CancelledError when cancelled, LoadError when the compiler cannot be loaded
   */
  compile(request: Request, options: CompileOptions = {}): Promise<Report> {
    return new Promise((resolve, reject) => {
      this.#queue.push(this.#job(request, options, resolve, reject));
      if (this.#port === null) this.#startWorker();
      this.#next();
    });
  }

  /** Drops every running and waiting compile; a fresh compiler starts to load at once. */
  cancel(): void {
    if (!this.busy) return;
    const error = new CancelledError("the compile was cancelled");
    const dropped = [...(this.#running ? [this.#running] : []), ...this.#queue.splice(0)];
    const wasRunning = this.#running !== null;
    this.#running = null;
    for (const job of dropped) {
      clearTimeout(job.timer);
      job.reject(error);
    }
    if (wasRunning) this.#startWorker();
  }

  /** Starts a fresh compiler, for example after a failed download. */
  reload(): void {
    this.#startWorker();
  }

  /** Ends the worker; the client cannot be used afterwards. */
  close(): void {
    this.#port?.terminate();
    this.#port = null;
  }

  #job(
    request: Request,
    options: CompileOptions,
    resolve: Job["resolve"],
    reject: Job["reject"],
    failure?: Report,
  ): Job {
    const id = this.#nextId++;
    const job = { id, request, options, resolve, reject, started: 0, timer: undefined };
    return { ...job, stage: "request", ...(failure ? { failure } : {}) };
  }

  #startWorker(): void {
    this.#port?.terminate();
    this.#isReady = false;
    const port = this.#start();
    this.#port = port;
    port.listen(
      (message) => {
        // A worker that was replaced may still have messages under way.
        if (this.#port === port) this.#receive(message);
      },
      (reason) => {
        if (this.#port === port) this.#died(reason);
      },
    );
  }

  #next(): void {
    if (!this.#isReady || this.#running || !this.#port) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#running = job;
    job.started = performance.now();
    const { timeLimit, memoryLimit } = job.options;
    if (timeLimit !== undefined) {
      job.timer = setTimeout(() => {
        this.#fail(timeLimitDiagnostic(job.stage, timeLimit));
      }, timeLimit * 1000);
    }
    this.#port.post({
      type: "compile",
      id: job.id,
      request: job.request,
      ...(memoryLimit === undefined ? {} : { memoryLimit }),
    });
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        this.#events.onProgress?.(message);
        return;
      case "ready":
        this.#isReady = true;
        this.#versions = message.versions;
        this.#events.onReady?.(message);
        this.#next();
        return;
      case "load-failed":
        this.#loadFailed(message.message);
        return;
      case "stage":
        if (this.#running?.id !== message.id) return;
        this.#running.stage = message.stage;
        if (this.#running.options.quiet !== true) this.#events.onStage?.(message.stage);
        return;
      case "report":
        if (this.#running?.id === message.id) this.#finish(this.#running, message);
        return;
      case "crash":
        if (this.#running?.id === message.id) this.#crashed(this.#running, message);
        return;
    }
  }

  #died(reason: string): void {
    if (this.#running) this.#fail(crashDiagnostic(this.#running.stage, reason, ""));
    else if (this.#isReady) this.#startWorker();
    else this.#loadFailed(reason);
  }

  #crashed({ stage, options }: Job, { message, detail, pass, memory }: CrashMessage): void {
    const { memoryLimit } = options;
    this.#fail(
      memory.refused && memoryLimit !== undefined
        ? memoryLimitDiagnostic(stage, memoryLimit, { detail: `${message}\n${detail}`.trim() })
        : crashDiagnostic(stage, message, detail, pass),
    );
  }

  #loadFailed(message: string): void {
    this.#port?.terminate();
    this.#port = null;
    for (const job of this.#queue.splice(0)) {
      if (job.failure) job.resolve(job.failure);
      else job.reject(new LoadError(message));
    }
    this.#events.onLoadFailed?.(message);
  }

  #finish(job: Job, { report: given, memory, damaged }: ReportMessage): void {
    clearTimeout(job.timer);
    this.#running = null;
    const { memoryLimit } = job.options;
    const report =
      memory.refused && memoryLimit !== undefined ? withMemoryLimit(given, memoryLimit) : given;
    this.#events.onMemory?.(memory);
    // WebAssembly memory never shrinks, and a failed allocation may have left anything half done.
    if (damaged || memory.refused || isSpent(memory.bytes, memoryLimit)) this.#startWorker();
    job.resolve(job.failure ? withEarlierStages(job.failure, report) : report);
    this.#next();
  }

  #fail(diagnostic: Diagnostic): void {
    const job = this.#running;
    if (!job) return;
    clearTimeout(job.timer);
    this.#running = null;
    job.options.onWorkerLost?.();
    const seconds = (performance.now() - job.started) / 1000;
    const failure = job.failure ?? failureReport(job.request, diagnostic, seconds, this.#versions);
    const again = job.failure === undefined && job.options.recover !== false;
    const stop = again ? stageBefore(job.request.target, job.stage) : null;
    if (stop === null) {
      job.resolve(failure);
    } else {
      // The texts of the stages before the failure died with the instance: compile up to them.
      this.#queue.unshift(
        this.#job({ ...job.request, stop }, job.options, job.resolve, job.reject, failure),
      );
    }
    this.#startWorker();
    this.#events.onRestart?.(diagnostic);
  }
}
