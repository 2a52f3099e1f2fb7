import type { Stage } from "../report.ts";
import type { Chain, LineChains, Place } from "./chain.ts";
import { lineChains } from "./line_chains.ts";

/** Lines are counted from 1. `calls` are the lines that call what `lines` wrote. */
export interface SourceLines {
  readonly lines: readonly number[];
  readonly calls: readonly number[];
}

/**
 * One origin that all texts of a compile name alike. LLVM keeps the first and the last call of a
 * chain that MLIR has whole, so these two ends are what the texts share.
 */
type Origin = string;

/** Which lines of a compile's texts belong together, the kernel's own source among them. */
export class LineLinks {
  readonly #origins = new Map<string, readonly (readonly Origin[])[]>();
  /** Text, then origin, to the text's lines. */
  readonly #lines = new Map<string, Map<Origin, number[]>>();
  /** The source's lines of each origin: the one that wrote it first, then those that call that. */
  readonly #source = new Map<Origin, number[]>();
  readonly #ofSource = new Map<number, Set<Origin>>();

  /**
   * @param stages the texts
   * @param filename the name of the kernel's source, as the request has it
   */
  constructor(stages: readonly Stage[], filename = "kernel.py") {
    const kernel = new KernelFile(filename);
    for (const stage of stages) this.#add(stage.name, lineChains(stage), kernel);
  }

  /** The origins of a line of a stage's text. */
  ofLine(stage: string, line: number): ReadonlySet<Origin> {
    return new Set(this.#origins.get(stage)?.[line - 1]);
  }

  /** The origins to which a line of the kernel's source leads, in any text. */
  ofSource(line: number): ReadonlySet<Origin> {
    return this.#ofSource.get(line) ?? new Set();
  }

  /** The lines of a stage's text that come from one of the origins, in order. */
  linesIn(stage: string, origins: ReadonlySet<Origin>): readonly number[] {
    const lines = this.#lines.get(stage);
    const found = new Set([...origins].flatMap((origin) => lines?.get(origin) ?? []));
    return [...found].sort((one, other) => one - other);
  }

  /** The source's lines of the origins: those that wrote them, and those that call these. */
  sourceLines(origins: ReadonlySet<Origin>): SourceLines {
    const lines = new Set<number>();
    const calls = new Set<number>();
    for (const origin of origins) {
      const [first, ...callers] = this.#source.get(origin) ?? [];
      if (first !== undefined) lines.add(first);
      for (const caller of callers) calls.add(caller);
    }
    const inOrder = (some: Iterable<number>) => [...some].sort((one, other) => one - other);
    return { lines: inOrder(lines), calls: inOrder([...calls].filter((line) => !lines.has(line))) };
  }

  #add(stage: string, chains: LineChains, kernel: KernelFile): void {
    const lines = new Map<Origin, number[]>();
    // Many lines share one list of chains: it is read once.
    const read = new Map<readonly Chain[], readonly Origin[]>();
    const origins = chains.map((list, at) => {
      let found = read.get(list);
      if (!found) {
        found = [...new Set(list.flatMap((chain) => this.#origin(chain, kernel)))];
        read.set(list, found);
      }
      for (const origin of found) {
        const known = lines.get(origin);
        if (known) known.push(at + 1);
        else lines.set(origin, [at + 1]);
      }
      return found;
    });
    this.#origins.set(stage, origins);
    this.#lines.set(stage, lines);
  }

  /** The origin of a chain, as a list of one; of none when the kernel's source is not in it. */
  #origin(chain: Chain, kernel: KernelFile): Origin[] {
    const own = chain.filter((place) => kernel.has(place)).map(({ line }) => line);
    const [first, last] = [chain[0], own.at(-1)];
    if (!first || last === undefined) return [];
    const origin = `${first.file}:${first.line}@${last}`;
    const lines = this.#source.get(origin) ?? [];
    // The longest chain of an origin names the most of the calls between its ends.
    if (own.length > lines.length) this.#source.set(origin, own);
    for (const line of own) {
      const origins = this.#ofSource.get(line);
      if (origins) origins.add(origin);
      else this.#ofSource.set(line, new Set([origin]));
    }
    return [origin];
  }
}

/** Tells the kernel's source from the files of Triton's own library. */
class KernelFile {
  readonly #known = new Map<string, boolean>();

  constructor(private readonly filename: string) {}

  has({ file }: Place): boolean {
    let own = this.#known.get(file);
    if (own === undefined) {
      own =
        (file === this.filename || file.endsWith(`/${this.filename}`)) &&
        !file.includes("/site-packages/");
      this.#known.set(file, own);
    }
    return own;
  }
}
