import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CancelledError, CompilerClient, LoadError } from "../../src/compiler_client.ts";
import type { WorkerPort } from "../../src/compiler_client.ts";
import { failureReport } from "../../src/failure_report.ts";
import type { FromWorker, ToWorker } from "../../src/protocol.ts";
import type { Report, Request } from "../../src/report.ts";

/** The other end of a port: these tests are about the client's bookkeeping, not about compiling. */
class FarEnd implements WorkerPort {
  readonly received: ToWorker[] = [];
  terminated = false;
  send: (message: FromWorker) => void = () => undefined;
  die: (reason: string) => void = () => undefined;

  post(message: ToWorker): void {
    this.received.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  listen(onMessage: (message: FromWorker) => void, onDeath: (reason: string) => void): void {
    this.send = onMessage;
    this.die = onDeath;
  }
  ready(): void {
    const versions = { playground: "0", triton: "3", llvm: "21", python: "3.15" };
    this.send({ type: "ready", targets: [], versions, completions: {}, seconds: 1 });
  }
}

/** Memory of a worker that has plenty left. */
const memory = { bytes: 2 ** 27, refused: false };

const request: Request = { source: "pass", target: "cuda:80" };

function reportOf(asked: Request, ...names: ("ttir" | "ttgir")[]): Report {
  const nothing = { signature: {}, constexprs: {}, options: {}, sources: {} };
  const specialisation = { origin: "request", ...nothing } as const;
  return {
    ...failureReport(asked, { severity: "note", stage: "source", message: "seen" }, 0.1, null),
    ok: true,
    compilation: {
      kernel: "k",
      target: asked.target,
      specialisation,
      option_defaults: {},
      stages: names.map((name) => ({ name, language: "mlir", text: name, seconds: 0 })),
      metadata: {},
      passes: [],
    },
  };
}

let workers: FarEnd[] = [];

function startWorker(): WorkerPort {
  const worker = new FarEnd();
  workers.push(worker);
  return worker;
}

function worker(at: number): FarEnd {
  const found = workers[at];
  if (!found) throw new Error(`only ${workers.length} workers were started`);
  return found;
}

beforeEach(() => {
  workers = [];
});

describe("the queue", () => {
  it("waits until the compiler is ready, then compiles one request after another", async () => {
    const client = new CompilerClient(startWorker);
    const first = client.compile(request);
    const second = client.compile({ ...request, target: "hip:gfx942" });
    expect(worker(0).received).toEqual([]);
    worker(0).ready();
    expect(worker(0).received).toEqual([{ type: "compile", id: 1, request }]);
    worker(0).send({ type: "report", id: 1, report: reportOf(request), memory, damaged: false });
    expect((await first).ok).toBe(true);
    expect(worker(0).received).toHaveLength(2);
    worker(0).send({ type: "report", id: 2, report: reportOf(request), memory, damaged: false });
    await second;
    expect(client.busy).toBe(false);
    expect(workers).toHaveLength(1);
  });

  it("passes on which stage is running", () => {
    const stages: string[] = [];
    const client = new CompilerClient(startWorker, { onStage: (stage) => stages.push(stage) });
    void client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "ttgir" });
    worker(0).send({ type: "stage", id: 99, stage: "ptx" });
    expect(stages).toEqual(["ttgir"]);
  });
});

describe("cancel", () => {
  it("drops the running and the waiting compiles and starts a fresh worker", async () => {
    const client = new CompilerClient(startWorker);
    const compiles = [client.compile(request), client.compile(request)];
    worker(0).ready();
    client.cancel();
    for (const compile of compiles) await expect(compile).rejects.toBeInstanceOf(CancelledError);
    expect(worker(0).terminated).toBe(true);
    worker(0).send({ type: "report", id: 1, report: reportOf(request), memory, damaged: false });

    const next = client.compile(request);
    worker(1).ready();
    worker(1).send({ type: "report", id: 3, report: reportOf(request), memory, damaged: false });
    expect((await next).ok).toBe(true);
  });

  it("keeps a worker that is still loading", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request);
    client.cancel();
    await expect(compile).rejects.toBeInstanceOf(CancelledError);
    expect(workers).toHaveLength(1);
    expect(worker(0).terminated).toBe(false);
  });
});

describe("a crash", () => {
  it("names the stage that was running and brings the stages before it", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "llir" });
    worker(0).send({
      type: "crash",
      id: 1,
      message: "unreachable",
      detail: "LLVM ERROR: no",
      pass: "inline",
      memory,
    });
    expect(worker(0).terminated).toBe(true);
    worker(1).ready();
    const again = { ...request, stop: "ttgir" } as const;
    expect(worker(1).received).toEqual([{ type: "compile", id: 2, request: again }]);
    worker(1).send({
      type: "report",
      id: 2,
      report: reportOf(again, "ttir", "ttgir"),
      memory,
      damaged: false,
    });

    const report = await compile;
    expect(report.ok).toBe(false);
    expect(report.request).toEqual(request);
    expect(report.compilation?.stages.map(({ name }) => name)).toEqual(["ttir", "ttgir"]);
    const error = report.diagnostics.find(({ severity }) => severity === "error");
    expect(error).toMatchObject({ stage: "llir", detail: "LLVM ERROR: no" });
    expect(error?.message).toContain("LLVM ERROR: no");
    expect(error?.hint).toContain("In the pass inline.");
  });

  it("is reported at once when no text comes before it", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "source" });
    worker(0).send({
      type: "crash",
      id: 1,
      message: "Maximum call stack size exceeded",
      detail: "",
      pass: "",
      memory,
    });
    const report = await compile;
    expect(report.diagnostics).toHaveLength(1);
    expect(report.diagnostics[0]?.stage).toBe("source");
    expect(report.diagnostics[0]?.message).toContain("ran out of stack");
    expect(workers).toHaveLength(2);
  });

  it("does not repeat for ever when the shorter compile crashes too", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "ptx" });
    worker(0).die("out of memory");
    worker(1).ready();
    worker(1).send({ type: "stage", id: 2, stage: "ttir" });
    worker(1).die("out of memory");
    const report = await compile;
    expect(report.diagnostics.map(({ stage }) => stage)).toEqual(["ptx"]);
    expect(report.compilation).toBeNull();
  });

  it("lets the waiting compile run on the fresh worker", async () => {
    const client = new CompilerClient(startWorker);
    void client.compile(request, { recover: false });
    const waiting = client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "ptx" });
    worker(0).send({ type: "crash", id: 1, message: "unreachable", detail: "", pass: "", memory });
    worker(1).ready();
    worker(1).send({ type: "report", id: 2, report: reportOf(request), memory, damaged: false });
    expect((await waiting).ok).toBe(true);
  });
});

describe("a failed load", () => {
  it("rejects what waits, tells why, and tries again when the next compile comes", async () => {
    const reasons: string[] = [];
    const client = new CompilerClient(startWorker, { onLoadFailed: (why) => reasons.push(why) });
    const compile = client.compile(request);
    worker(0).send({ type: "load-failed", message: "HTTP 404" });
    await expect(compile).rejects.toBeInstanceOf(LoadError);
    expect(reasons).toEqual(["HTTP 404"]);

    const next = client.compile(request);
    worker(1).ready();
    worker(1).send({ type: "report", id: 2, report: reportOf(request), memory, damaged: false });
    expect((await next).ok).toBe(true);
  });
});

describe("the time limit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("counts from the start of the compile, not of the load", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request, { timeLimit: 5, recover: false });
    vi.advanceTimersByTime(60_000);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "ttgir" });
    vi.advanceTimersByTime(4_900);
    expect(worker(0).terminated).toBe(false);
    vi.advanceTimersByTime(200);
    expect(worker(0).terminated).toBe(true);
    const report = await compile;
    expect(report.diagnostics[0]).toMatchObject({ stage: "ttgir", severity: "error" });
    expect(report.diagnostics[0]?.message).toContain("5 s");
  });
});

describe("the memory limit", () => {
  const limited = { memoryLimit: 2 ** 30, recover: false };
  const outOfMemory = {
    ...reportOf(request),
    ok: false,
    diagnostics: [
      { severity: "warning", stage: "source", message: "seen" },
      { severity: "error", stage: "llir", message: "Out of memory.", detail: "std::bad_alloc" },
    ],
  } satisfies Report;

  it("goes to the worker with the request", () => {
    const client = new CompilerClient(startWorker);
    void client.compile(request, limited);
    worker(0).ready();
    const message = { type: "compile", id: 1, request, memoryLimit: 2 ** 30 };
    expect(worker(0).received).toEqual([message]);
  });

  it("is named instead of the compiler's complaint, and costs the worker", async () => {
    const seen: number[] = [];
    const client = new CompilerClient(startWorker, { onMemory: ({ bytes }) => seen.push(bytes) });
    const compile = client.compile(request, limited);
    worker(0).ready();
    const refused = { bytes: 2 ** 28, refused: true };
    worker(0).send({ type: "report", id: 1, report: outOfMemory, memory: refused, damaged: false });
    const { diagnostics } = await compile;
    expect(diagnostics.map(({ stage }) => stage)).toEqual(["source", "llir"]);
    expect(diagnostics[1]?.message).toContain("memory limit of 1024 MiB");
    expect(diagnostics[1]?.detail).toBe("Out of memory.\nstd::bad_alloc");
    expect(worker(0).terminated).toBe(true);
    expect(workers).toHaveLength(2);
    expect(seen).toEqual([2 ** 28]);
  });

  it("is named when the instance died of it", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request, limited);
    worker(0).ready();
    worker(0).send({ type: "stage", id: 1, stage: "ptx" });
    const refused = { bytes: 2 ** 30, refused: true };
    const crash = { type: "crash", message: "unreachable", detail: "", pass: "" } as const;
    worker(0).send({ ...crash, id: 1, memory: refused });
    const [diagnostic] = (await compile).diagnostics;
    expect(diagnostic?.message).toContain("out of memory in stage ptx");
  });

  it("is not the only reason to replace a worker: a compile may damage its files", async () => {
    const client = new CompilerClient(startWorker);
    const compile = client.compile(request);
    worker(0).ready();
    worker(0).send({ type: "report", id: 1, report: reportOf(request), memory, damaged: true });
    expect((await compile).ok).toBe(true);
    expect(worker(0).terminated).toBe(true);
  });

  it("replaces a worker that holds more than half of it, before the next compile", async () => {
    const client = new CompilerClient(startWorker);
    const first = client.compile(request, limited);
    const second = client.compile(request, limited);
    worker(0).ready();
    const full = { bytes: 2 ** 29 + 1, refused: false };
    worker(0).send({
      type: "report",
      id: 1,
      report: reportOf(request),
      memory: full,
      damaged: false,
    });
    expect((await first).ok).toBe(true);
    expect(worker(0).terminated).toBe(true);
    worker(1).ready();
    worker(1).send({ type: "report", id: 2, report: reportOf(request), memory, damaged: false });
    expect((await second).ok).toBe(true);
    expect(workers).toHaveLength(2);
  });
});
