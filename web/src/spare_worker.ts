import type { WorkerPort } from "./compiler_client.ts";
import type { FromWorker } from "./protocol.ts";

/** What the pool needs of the host's clock; a browser's setTimeout as it is. */
export type After = (milliseconds: number, action: () => void) => void;

/** Milliseconds without a compile after which a spare is started: its loading would slow a compile down. */
const REST = 6000;

/** Milliseconds after which a compile is one that somebody may cancel: longer than first compiles take. */
const LONG = 4000;

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
    port.onTurn((compiling) => {
      const { turns } = port;
      this.#after(compiling ? LONG : REST, () => {
        if (port.turns === turns && !port.terminated) this.#startSpare();
      });
    });
    return port;
  }

  #startSpare(): void {
    if (this.#spare) return;
    const spare = new HeldPort(this.#start());
    spare.onceDead(() => {
      if (this.#spare === spare) this.#spare = null;
    });
    this.#spare = spare;
  }
}

/** A port that keeps what its worker says until somebody listens. */
class HeldPort implements WorkerPort {
  readonly #port: WorkerPort;
  readonly #dead: (() => void)[] = [];
  #isReady = false;
  #compiling = false;
  #onTurn: ((compiling: boolean) => void) | null = null;
  #held: FromWorker[] = [];
  #onMessage: ((message: FromWorker) => void) | null = null;
  #onDeath: ((reason: string) => void) | null = null;
  terminated = false;
  /** How often a compile has begun or ended; readiness counts too. */
  turns = 0;

  constructor(port: WorkerPort) {
    this.#port = port;
    port.listen(
      (message) => {
        if (message.type === "ready") {
          this.#isReady = true;
          this.#turn(false);
        }
        if (message.type === "report" || message.type === "crash") this.#turn(false);
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

  /** Calls back at each turn from now on, told whether a compile is under way; at once when it is ready already. */
  onTurn(action: (compiling: boolean) => void): void {
    this.#onTurn = action;
    if (this.#isReady) action(this.#compiling);
  }

  onceDead(action: () => void): void {
    this.#dead.push(action);
  }

  post(message: Parameters<WorkerPort["post"]>[0]): void {
    this.#port.post(message);
    this.#turn(true);
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

  #turn(compiling: boolean): void {
    this.turns += 1;
    this.#compiling = compiling;
    // A compile that is asked for early waits for the loading to end: it is not long yet.
    if (this.#isReady) this.#onTurn?.(compiling);
  }

  #die(): void {
    for (const action of this.#dead.splice(0)) action();
  }
}
