import type { WorkerPort } from "./compiler_client.ts";
import type { FromWorker } from "./protocol.ts";

/** What the pool needs of the host's clock; a browser's setTimeout as it is. */
export type After = (milliseconds: number, action: () => void) => void;

/** Milliseconds between a worker's ready message and the start of its spare: the first compile goes first. */
const REST = 4000;

/**
 * Hands out workers and keeps the next one loaded, so that a cancelled or crashed compile does not
 * cost a load of the compiler.
 */
export class SpareWorkers {
  readonly #start: () => WorkerPort;
  readonly #after: After;
  #spare: HeldPort | null = null;

  /**
   * @param start makes a worker that begins to load the compiler at once
   * @param after runs an action later
   */
  constructor(start: () => WorkerPort, after: After) {
    this.#start = start;
    this.#after = after;
  }

  /** The spare when there is a live one, or else a worker that starts now. */
  take(): WorkerPort {
    const port = this.#spare ?? new HeldPort(this.#start());
    this.#spare = null;
    port.onceReady(() => {
      this.#after(REST, () => {
        if (port.terminated || this.#spare) return;
        const spare = new HeldPort(this.#start());
        spare.onceDead(() => {
          if (this.#spare === spare) this.#spare = null;
        });
        this.#spare = spare;
      });
    });
    return port;
  }
}

/** A port that keeps what its worker says until somebody listens. */
class HeldPort implements WorkerPort {
  readonly #port: WorkerPort;
  readonly #ready: (() => void)[] = [];
  readonly #dead: (() => void)[] = [];
  #isReady = false;
  #held: FromWorker[] = [];
  #onMessage: ((message: FromWorker) => void) | null = null;
  #onDeath: ((reason: string) => void) | null = null;
  terminated = false;

  constructor(port: WorkerPort) {
    this.#port = port;
    port.listen(
      (message) => {
        if (message.type === "ready") {
          this.#isReady = true;
          for (const action of this.#ready.splice(0)) action();
        }
        if (message.type === "load-failed") this.#die();
        if (this.#onMessage) this.#onMessage(message);
        else this.#held.push(message);
      },
      (reason) => {
        this.#die();
        this.#onDeath?.(reason);
      },
    );
  }

  onceReady(action: () => void): void {
    if (this.#isReady) action();
    else this.#ready.push(action);
  }

  onceDead(action: () => void): void {
    this.#dead.push(action);
  }

  post(message: Parameters<WorkerPort["post"]>[0]): void {
    this.#port.post(message);
  }

  terminate(): void {
    this.terminated = true;
    this.#port.terminate();
  }

  listen(onMessage: (message: FromWorker) => void, onDeath: (reason: string) => void): void {
    this.#onMessage = onMessage;
    this.#onDeath = onDeath;
    const held = this.#held;
    this.#held = [];
    // Whoever listens is not done with taking over the port yet.
    queueMicrotask(() => {
      for (const message of held) onMessage(message);
    });
  }

  #die(): void {
    for (const action of this.#dead.splice(0)) action();
  }
}
