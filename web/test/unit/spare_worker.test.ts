import { describe, expect, it } from "vitest";
import type { WorkerPort } from "../../src/compiler_client.ts";
import type { FromWorker } from "../../src/protocol.ts";
import { SpareWorkers } from "../../src/spare_worker.ts";

/** The other end of a port: these tests are about who holds which port, not about compiling. */
class FarEnd implements WorkerPort {
  terminated = false;
  send: (message: FromWorker) => void = () => undefined;
  die: (reason: string) => void = () => undefined;

  post(): void {
    // Nothing answers here.
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

const COMPILE = { type: "compile", id: 1, request: { source: "", target: "cuda:80" } } as const;

function pool() {
  const started: FarEnd[] = [];
  const later: { milliseconds: number; action: () => void }[] = [];
  const workers = new SpareWorkers(
    () => {
      const worker = new FarEnd();
      started.push(worker);
      return worker;
    },
    (milliseconds, action) => later.push({ milliseconds, action }),
  );
  const rest = () => {
    for (const { action } of later.splice(0)) action();
  };
  /** Lets the timers of at most that many milliseconds run out. */
  const wait = (most: number) => {
    const due = later.filter(({ milliseconds }) => milliseconds <= most);
    for (const timer of due) later.splice(later.indexOf(timer), 1);
    for (const { action } of due) action();
  };
  return { workers, started, rest, wait };
}

function at(started: FarEnd[], index: number): FarEnd {
  const worker = started[index];
  if (!worker) throw new Error(`only ${started.length} workers were started`);
  return worker;
}

describe("SpareWorkers", () => {
  it("starts one worker at once, and its spare only after that one has rested", () => {
    const { workers, started, rest } = pool();
    workers.take();
    rest();
    expect(started).toHaveLength(1);
    at(started, 0).ready();
    expect(started).toHaveLength(1);
    rest();
    expect(started).toHaveLength(2);
  });

  it("starts no spare beside a compile that is soon done", () => {
    const { workers, started, wait, rest } = pool();
    const port = workers.take();
    at(started, 0).ready();
    port.post(COMPILE);
    at(started, 0).send({
      type: "crash",
      id: 1,
      message: "",
      detail: "",
      pass: "",
      memory: { bytes: 0, refused: false },
    });
    wait(2000);
    expect(started).toHaveLength(1);
    rest();
    expect(started).toHaveLength(2);
  });

  it("starts the spare beside a compile that lasts", () => {
    const { workers, started, wait } = pool();
    const port = workers.take();
    at(started, 0).ready();
    port.post(COMPILE);
    wait(5000);
    expect(started).toHaveLength(2);
  });

  it("hands out the spare with what it said before anybody listened", async () => {
    const { workers, started, rest } = pool();
    workers.take();
    at(started, 0).ready();
    rest();
    at(started, 1).ready();
    const heard: string[] = [];
    workers.take().listen(
      (message) => heard.push(message.type),
      () => undefined,
    );
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(["ready"]);
    expect(started).toHaveLength(2);
  });

  it("keeps another spare behind the one that was taken", () => {
    const { workers, started, rest } = pool();
    workers.take();
    at(started, 0).ready();
    rest();
    at(started, 1).ready();
    workers.take();
    rest();
    expect(started).toHaveLength(3);
  });

  it("starts a worker when the spare has died", () => {
    const { workers, started, rest } = pool();
    workers.take();
    at(started, 0).ready();
    rest();
    at(started, 1).die("out of memory");
    workers.take();
    expect(started).toHaveLength(3);
  });

  it("starts no spare for a worker that was replaced meanwhile", () => {
    const { workers, started, rest } = pool();
    const first = workers.take();
    at(started, 0).ready();
    first.terminate();
    rest();
    expect(started).toHaveLength(1);
  });
});
