import { type Chain, type LineChains, NO_CHAINS, type Place } from "./chain.ts";

const FILE = /^\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?/;
const LOCATION = /^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+/;
/** PTX without DWARF: the call is part of the directive. */
const INLINED_AT = /\binlined_at\s+(\d+)\s+(\d+)\s+\d+/;
/** In the comment that LLVM writes behind a directive, for each call. */
const CALL = /@\[ ([^\s:]+):(\d+)(?::\d+)?/g;
const END_OF_FUNCTION = /^(?:\}|\$L__func_end|\.Lfunc_end)/;
/** Directives, labels and comments are no instructions. */
const INSTRUCTION = /^\s+[a-z@{]/;

/** Files by the number that `.file` gives them; a `.file` may come after its first use. */
class FileTable {
  readonly #byNumber = new Map<string, string>();
  readonly #byName = new Map<string, string>();

  add(line: string): void {
    const [, number = "", first = "", second] = FILE.exec(line) ?? [];
    if (number === "") return;
    const path = second === undefined || first === "" ? (second ?? first) : `${first}/${second}`;
    this.#byNumber.set(number, path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    // The first file is the kernel's: it wins over a file of Triton with the same name.
    if (!this.#byName.has(name)) this.#byName.set(name, path);
  }

  place(number: string, line: string): Place[] {
    return placeOf(this.#byNumber.get(number), line);
  }

  placeByName(name: string, line: string): Place[] {
    return placeOf(this.#byName.get(name) ?? name, line);
  }
}

function placeOf(file: string | undefined, line: string): Place[] {
  return file === undefined || Number(line) === 0 ? [] : [{ file, line: Number(line) }];
}

/** The chains of each line of a PTX or AMDGCN text: what the `.loc` before an instruction says. */
export function assemblyLineChains(text: string): LineChains {
  const lines = text.split("\n");
  const files = new FileTable();
  for (const line of lines) if (line.includes(".file")) files.add(line);
  let current: readonly Chain[] = NO_CHAINS;
  return lines.map((line) => {
    const [, file, number] = LOCATION.exec(line) ?? [];
    if (file !== undefined && number !== undefined) {
      const chain = [...files.place(file, number), ...calls(line, files)];
      current = chain.length > 0 ? [chain] : NO_CHAINS;
      return current;
    }
    if (END_OF_FUNCTION.test(line)) current = NO_CHAINS;
    return INSTRUCTION.test(line) ? current : NO_CHAINS;
  });
}

function calls(line: string, files: FileTable): Place[] {
  const commented = [...line.matchAll(CALL)].flatMap(([, name = "", number = ""]) =>
    files.placeByName(name, number),
  );
  if (commented.length > 0) return commented;
  const [, file, number] = INLINED_AT.exec(line) ?? [];
  return file === undefined || number === undefined ? [] : files.place(file, number);
}
