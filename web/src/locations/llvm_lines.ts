import { type Chain, type LineChains, NO_CHAINS, type Place } from "./chain.ts";

const NODE = /^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$/;
const ATTACHED = /!dbg !(\d+)/;
const DEEPEST = 64;

/** Debug metadata that says where an instruction comes from, as LLVM prints it. */
class DebugNodes {
  readonly #nodes = new Map<string, { kind: string; fields: string }>();
  readonly #chains = new Map<string, readonly Chain[]>();

  add(line: string): void {
    const [, id = "", kind = "", fields = ""] = NODE.exec(line) ?? [];
    if (kind !== "") this.#nodes.set(id, { kind, fields });
  }

  /** The chain of a `DILocation` or of a `DISubprogram`, as a list of one or none. */
  chains(id: string): readonly Chain[] {
    let chains = this.#chains.get(id);
    if (!chains) {
      const chain = this.#chain(id, 0);
      chains = chain.length > 0 ? [chain] : NO_CHAINS;
      this.#chains.set(id, chains);
    }
    return chains;
  }

  #chain(id: string | undefined, depth: number): Chain {
    if (id === undefined || depth > DEEPEST) return [];
    const place = this.#place(id);
    const caller = this.#chain(this.#reference(id, "inlinedAt"), depth + 1);
    return place ? [place, ...caller] : caller;
  }

  #place(id: string): Place | null {
    const line = Number(this.#field(id, /\bline: (\d+)/) ?? 0);
    const file = this.#file(id, 0);
    return line > 0 && file !== null ? { file, line } : null;
  }

  /** The file of a node, or of the nearest scope around it that has one. */
  #file(id: string | undefined, depth: number): string | null {
    if (id === undefined || depth > DEEPEST) return null;
    const file = this.#reference(id, "file");
    if (file === undefined) return this.#file(this.#reference(id, "scope"), depth + 1);
    const name = this.#field(file, /\bfilename: "([^"]*)"/);
    const folder = this.#field(file, /\bdirectory: "([^"]*)"/);
    if (name === undefined) return null;
    return folder === undefined || folder === "" || name.startsWith("/")
      ? name
      : `${folder}/${name}`;
  }

  #reference(id: string, name: "file" | "scope" | "inlinedAt"): string | undefined {
    return this.#field(id, REFERENCES[name]);
  }

  #field(id: string, pattern: RegExp): string | undefined {
    return pattern.exec(this.#nodes.get(id)?.fields ?? "")?.[1];
  }
}

const REFERENCES = {
  file: /\bfile: !(\d+)/,
  scope: /\bscope: !(\d+)/,
  inlinedAt: /\binlinedAt: !(\d+)/,
};

/** The chains of each line of a text of LLVM IR. The lines of its metadata have none. */
export function llvmLineChains(text: string): LineChains {
  const lines = text.split("\n");
  const nodes = new DebugNodes();
  for (const line of lines) if (line.startsWith("!")) nodes.add(line);
  return lines.map((line) => {
    const [, id] = line.startsWith("!") ? [] : (ATTACHED.exec(line) ?? []);
    return id === undefined ? NO_CHAINS : nodes.chains(id);
  });
}
