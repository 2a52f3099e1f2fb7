import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Stage, StageName } from "../../src/report.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** Node has no xz; Python has, in its standard library. */
const PRINT = "import lzma, sys; sys.stdout.write(lzma.open(sys.argv[1], 'rt').read())";

const LANGUAGES: Partial<Record<StageName, Stage["language"]>> = {
  ttir: "mlir",
  ttgir: "mlir",
  llir: "llvm",
  ptx: "ptx",
  amdgcn: "amdgcn",
};

interface Case {
  name: string;
  texts: Partial<Record<StageName, string>>;
}

/** What native Triton printed for a case of the corpus, such as `reduce_sum-fp16@cuda:90`. */
export function goldenStages(name: string): Stage[] {
  const file = `${repository}tests/golden/${name.slice(0, name.indexOf("-"))}.json.xz`;
  const python = process.env.PYTHON ?? "python3";
  const printed = execFileSync(python, ["-c", PRINT, file], { encoding: "utf8", maxBuffer: 1e9 });
  const found = (JSON.parse(printed) as Case[]).find((candidate) => candidate.name === name);
  if (!found) throw new Error(`tests/golden has no case ${name}`);
  return Object.entries(found.texts).map(([stage, text]) => ({
    name: stage as StageName,
    language: LANGUAGES[stage as StageName] ?? "mlir",
    text,
    seconds: 0,
  }));
}

/** The number of the one line of a file of the corpus that holds `text`. */
export function corpusLine(file: string, text: string): number {
  const lines = readFileSync(`${repository}tests/corpus/${file}`, "utf8").split("\n");
  const found = lines.flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
  const [line] = found;
  if (line === undefined || found.length > 1) {
    throw new Error(`${file} has ${found.length} lines with ${text}`);
  }
  return line;
}
