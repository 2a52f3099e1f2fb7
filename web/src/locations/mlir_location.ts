import { type Chain, known, NO_CHAINS } from "./chain.ts";

/** Locations deeper than this are cut: they come from a broken text, not from a kernel. */
const DEEPEST = 64;

/** A fused callee and a fused caller multiply; more chains than this help nobody. */
const MOST_CHAINS = 32;

const FILE = /"((?:[^"\\]|\\.)*)"(?::(\d+):\d+(?: to (?:(?:\d+)?:)?\d+(?::\d+)?)?)?/y;
const ALIAS = /#loc\d*/y;
const UNKNOWN = /unknown/y;
const CALL_SITE = /callsite\(/y;
const AT = /\s*at\s*/y;
const FUSED = /fused(?:<[^>]*>)?\[/y;
const NESTED = /loc\(/y;

/** Reads MLIR's locations, whose parts may be aliases that a table in the text defines. */
export class MlirLocations {
  readonly #resolved = new Map<string, readonly Chain[]>();
  #text = "";
  #at = 0;

  /** @param table alias, as in `#loc7`, to the text between its `loc(` and `)` */
  constructor(private readonly table: ReadonlyMap<string, string>) {}

  /**
   * The chains of the location that begins at `at`, just after `loc(`, and where it ends.
   * What cannot be read is a location that is not known.
   */
  read(text: string, at: number): { chains: readonly Chain[]; end: number } {
    [this.#text, this.#at] = [text, at];
    const chains = this.#location(0);
    return { chains: known(chains), end: this.#at };
  }

  #location(depth: number): readonly Chain[] {
    if (depth > DEEPEST) return NO_CHAINS;
    const alias = this.#match(ALIAS);
    if (alias) return this.#alias(alias[0], depth);
    if (this.#match(UNKNOWN)) return NO_CHAINS;
    const file = this.#match(FILE);
    if (file) return this.#fileOrName(file, depth);
    if (this.#match(CALL_SITE)) return this.#callSite(depth);
    if (this.#match(FUSED)) return this.#fused(depth);
    if (this.#match(NESTED)) return this.#closed(this.#location(depth + 1));
    return NO_CHAINS;
  }

  #alias(name: string, depth: number): readonly Chain[] {
    const done = this.#resolved.get(name);
    if (done) return done;
    // Stands for itself while it is being read, so that a circle ends.
    this.#resolved.set(name, NO_CHAINS);
    const [text, at] = [this.#text, this.#at];
    [this.#text, this.#at] = [this.table.get(name) ?? "", 0];
    const chains = this.#location(depth + 1);
    [this.#text, this.#at] = [text, at];
    this.#resolved.set(name, chains);
    return chains;
  }

  #fileOrName([, name = "", line]: RegExpExecArray, depth: number): readonly Chain[] {
    if (line !== undefined) {
      return Number(line) === 0 ? NO_CHAINS : [[{ file: name, line: Number(line) }]];
    }
    if (this.#text[this.#at] !== "(") return NO_CHAINS;
    this.#at += 1;
    return this.#closed(this.#location(depth + 1));
  }

  #callSite(depth: number): readonly Chain[] {
    const callees = this.#location(depth + 1);
    this.#match(AT);
    const callers = this.#closed(this.#location(depth + 1));
    if (callees.length === 0) return callers;
    if (callers.length === 0) return callees;
    return callees
      .flatMap((callee) => callers.map((caller) => [...callee, ...caller]))
      .slice(0, MOST_CHAINS);
  }

  #fused(depth: number): readonly Chain[] {
    const chains: Chain[] = [];
    for (;;) {
      chains.push(...this.#location(depth + 1));
      const next = this.#text[this.#at];
      if (next !== "," && next !== "]") return chains.slice(0, MOST_CHAINS);
      this.#at += 1;
      if (next === "]") return chains.slice(0, MOST_CHAINS);
      while (this.#text[this.#at] === " ") this.#at += 1;
    }
  }

  #closed(chains: readonly Chain[]): readonly Chain[] {
    if (this.#text[this.#at] === ")") this.#at += 1;
    return chains;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}
