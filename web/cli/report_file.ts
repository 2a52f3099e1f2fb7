import { closeSync, openSync, writeSync } from "node:fs";
import type { Report } from "../src/report.ts";
import { fileError } from "./files.ts";

/** What `batch` says besides the reports. */
export interface BatchFacts {
  /** Bytes of WebAssembly memory after each report; null after a compile whose worker died. */
  readonly memoryBytes: readonly (number | null)[];
  /** Which worker answered, from 1; the last one when several were needed. */
  readonly workers: readonly number[];
  /** Seconds that each worker took to load; more than one when a worker was replaced. */
  readonly loadSeconds: readonly number[];
}

/**
 * `{"reports", "memoryBytes", "workers", "loadSeconds"}` as a file that grows by one report at a
 * time. Each report is written over the end of the last, so that the file is whole JSON between two
 * reports: a killed batch loses only the compile that was running.
 */
export class ReportFile {
  readonly #descriptor: number;
  readonly #ownsDescriptor: boolean;
  readonly #rewrites: boolean;
  #end = 0;
  #count = 0;

  /**
   * @param file its name; undefined for standard output, which is whole only once it is closed
   * @throws InputError when it cannot be written
   */
  constructor(file: string | undefined) {
    this.#descriptor = file === undefined ? 1 : openForWriting(file);
    this.#ownsDescriptor = file !== undefined;
    this.#rewrites = file !== undefined;
    this.#append('{"reports": [');
    this.#writeEnd({ memoryBytes: [], workers: [], loadSeconds: [] });
  }

  /** Adds a report; `facts` include it. */
  add(report: Report, facts: BatchFacts): void {
    this.#append(`${this.#count === 0 ? "\n" : ",\n"}${JSON.stringify(report)}`);
    this.#count += 1;
    this.#writeEnd(facts);
  }

  /** Ends the file; nothing can be added afterwards. */
  close(facts: BatchFacts): void {
    if (this.#rewrites) this.#writeEnd(facts);
    else writeAll(this.#descriptor, tail(facts), null);
    if (this.#ownsDescriptor) closeSync(this.#descriptor);
  }

  #append(text: string): void {
    this.#end += writeAll(this.#descriptor, text, this.#rewrites ? this.#end : null);
  }

  /** The end only ever grows longer, so it covers the one before. */
  #writeEnd(facts: BatchFacts): void {
    if (this.#rewrites) writeAll(this.#descriptor, tail(facts), this.#end);
  }
}

function tail({ memoryBytes, workers, loadSeconds }: BatchFacts): string {
  const facts = JSON.stringify({ memoryBytes, workers, loadSeconds });
  return `\n], ${facts.slice(1)}\n`;
}

function openForWriting(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    throw fileError("write", file, error);
  }
}

/** Writes a whole text at a place, or at the end of a stream; returns its length in bytes. */
function writeAll(descriptor: number, text: string, position: number | null): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      const place = position === null ? null : position + written;
      written += writeSync(descriptor, bytes, written, bytes.length - written, place);
    } catch (error) {
      // A pipe whose reader is slow.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  return bytes.length;
}
