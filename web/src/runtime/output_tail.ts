const LINES = 40;

/** The last lines of a stream: what a compiler says just before it aborts. */
export class OutputTail {
  readonly #lines: string[] = [];

  /** Adds one line, without its line break. */
  readonly add = (line: string): void => {
    this.#lines.push(line);
    if (this.#lines.length > LINES) this.#lines.shift();
  };

  clear(): void {
    this.#lines.length = 0;
  }

  text(): string {
    return this.#lines.join("\n");
  }
}
