import type { Report } from "../report.ts";

/** Milliseconds of rest after an edit before the source is inspected. */
const REST = 600;

/** What an inspector needs of the page. */
export interface InspectorHost {
  /** Whether a compile is running or waiting. */
  isCompiling(): boolean;
  /**
   * Specialises the source as it is now and compiles nothing. "lost": the script used up its
   * limits; "none": there is no answer, because of a cancelled compile or a compiler that is not there.
   */
  inspect(): Promise<Report | "lost" | "none">;
  /** Takes a report; returns whether what was asked did not fit the source, so that asking again helps. */
  show(report: Report): boolean;
  /** Told once when the script used up its limits. */
  overLimit(): void;
}

/**
 * Asks what the source says about its kernels whenever the page rests. It never asks beside a
 * compile, and after a script that used up its limits not until the next compile.
 */
export class Inspector {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #isBlocked = false;
  #isStale = true;

  constructor(private readonly host: InspectorHost) {}

  /** The source or a choice has changed. */
  changed(): void {
    this.#isStale = true;
    if (this.#isBlocked) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.now();
    }, REST);
  }

  /** Asks at once, unless a compile is under way. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isBlocked || this.host.isCompiling()) return;
    await this.settle();
  }

  /** A compile begins: what it reports makes an inspection needless. */
  compileBegins(): void {
    clearTimeout(this.#timer);
  }

  /** Asks, even when a compile is about to start, so that what it sends fits the source. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (this.#isBlocked || !this.#isStale) return;
    this.#running = this.#ask().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /** A compile has ended; its report says all that an inspection's would. */
  compiled(report: Report, isStale: boolean): void {
    this.#isBlocked = false;
    this.#isStale = isStale;
    clearTimeout(this.#timer);
    const again = this.host.show(report);
    if (again || isStale) this.changed();
  }

  async #ask(): Promise<void> {
    // Once more when a choice did not fit: a launch or a kernel that is gone.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      this.#isStale = false;
      const report = await this.host.inspect();
      if (report === "lost") {
        this.#isBlocked = true;
        this.host.overLimit();
      }
      if (report === "none") this.#isStale = true;
      // An edit that came meanwhile has its own inspection to come.
      if (typeof report === "string" || !this.host.show(report)) return;
    }
  }
}
