import { parseExactJson, RoundedNumberError } from "../src/exact_json.ts";
import { parseArgs } from "node:util";
import { DEFAULT_LIMITS, type Limits, MEBIBYTE, parseLimit } from "../src/limits.ts";
import type { Request, StageName } from "../src/report.ts";
import { TEXT_STAGES } from "../src/stages.ts";
import { UsageError } from "./usage.ts";

const OPTIONS = {
  target: { type: "string", multiple: true },
  emit: { type: "string" },
  kernel: { type: "string" },
  signature: { type: "string" },
  constexpr: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
  launch: { type: "string" },
  config: { type: "string" },
  guess: { type: "boolean" },
  passes: { type: "boolean" },
  report: { type: "string" },
  output: { type: "string" },
  "time-limit": { type: "string" },
  "memory-limit": { type: "string" },
  wheel: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

interface Common {
  readonly limits: Limits;
  readonly wheel: string | undefined;
}

export interface CompileCommand extends Common {
  readonly command: "compile";
  readonly file: string;
  readonly targets: readonly string[];
  /** undefined: the last stage of the target. */
  readonly emit: StageName | "report" | undefined;
  /** Everything of the request but source and target. */
  readonly request: Omit<Request, "source" | "target">;
  readonly report: string | undefined;
}

export interface BatchCommand extends Common {
  readonly command: "batch";
  readonly file: string;
  readonly output: string | undefined;
}

export interface TargetsCommand extends Common {
  readonly command: "targets";
}

export interface HelpCommand {
  readonly command: "help";
}

export type Command = CompileCommand | BatchCommand | TargetsCommand | HelpCommand;

/**
 * Parses the words after the program's name.
 *
 * @throws UsageError
 */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  if (values.help === true) return { command: "help" };
  const [command, file, ...rest] = positionals;
  if (rest.length > 0) {
    throw new UsageError(
      `one file at a time; also given: ${rest.join(" ")} (several targets: repeat --target)`,
    );
  }
  const common = { limits: limitsOf(values), wheel: values.wheel };
  switch (command) {
    case "compile":
      return compileCommand(values, requireFile(command, file), common);
    case "batch":
      return { command, file: requireFile(command, file), output: values.output, ...common };
    case "targets":
      return { command, ...common };
    case undefined:
      throw new UsageError("say what to do: compile, batch or targets");
    default:
      throw new UsageError(`unknown command '${command}'; known: compile, batch, targets`);
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function requireFile(command: string, file: string | undefined): string {
  if (file === undefined) throw new UsageError(`${command} needs a file`);
  return file;
}

function compileCommand(values: Values, file: string, common: Common): CompileCommand {
  const targets = values.target ?? [];
  const emit = emitOf(values.emit);
  if (targets.length === 0) throw new UsageError("name a target, for example --target cuda:80");
  if (targets.length > 1 && emit !== "report") {
    throw new UsageError("several targets need --emit report");
  }
  const { kernel, signature, guess, passes } = values;
  if (passes === true && emit !== "report" && values.report === undefined) {
    throw new UsageError("--passes goes into the report: add --emit report or --report FILE");
  }
  const launch = numberOf("--launch", values.launch);
  const config = numberOf("--config", values.config);
  return {
    command: "compile",
    file,
    targets,
    emit,
    report: values.report,
    request: {
      ...(kernel === undefined ? {} : { kernel }),
      ...(signature === undefined ? {} : { signature: parseSignature(signature) }),
      ...(values.constexpr ? { constexprs: parsePairs("--constexpr", values.constexpr) } : {}),
      ...(values.option ? { options: parsePairs("--option", values.option) } : {}),
      ...(launch === undefined ? {} : { launch }),
      ...(config === undefined ? {} : { config }),
      ...(guess === true ? { guess } : {}),
      ...(passes === true ? { passes } : {}),
      ...(emit === undefined || emit === "report" ? {} : { stop: emit }),
    },
    ...common,
  };
}

function emitOf(name: string | undefined): CompileCommand["emit"] {
  if (name === undefined || name === "report") return name;
  const stage = TEXT_STAGES.find((known) => known === name);
  if (stage) return stage;
  throw new UsageError(`unknown --emit '${name}'; known: ${TEXT_STAGES.join(", ")}, report`);
}

function parseSignature(text: string): string | Record<string, string> {
  if (!text.trimStart().startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch (error) {
    throw new UsageError(`--signature is not valid JSON: ${String(error)}`);
  }
}

function parsePairs(flag: string, pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`${flag} takes NAME=VALUE, not '${pair}'`);
      }
      return [name.trim(), parseValue(flag, value)];
    }),
  );
}

/** JSON, or Python's spelling of the same constants, or else the text itself. */
function parseValue(flag: string, text: string): unknown {
  if (text === "True") return true;
  if (text === "False") return false;
  if (text === "None") return null;
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RoundedNumberError) throw new UsageError(`${flag}: ${error.message}`);
    return text;
  }
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`${flag} takes a number from 0, not '${text}'`);
  return Number(text);
}

function limitsOf(values: Values): Limits {
  const limit = (
    name: "time-limit" | "memory-limit",
    otherwise: number,
    unit: number,
    units: string,
  ) => {
    const text = values[name];
    const value = text === undefined ? otherwise : parseLimit(text, unit);
    if (value === null) throw new UsageError(`--${name} takes ${units}, not '${text ?? ""}'`);
    return value;
  };
  return {
    timeLimit: limit("time-limit", DEFAULT_LIMITS.timeLimit, 1, "seconds"),
    memoryLimit: limit("memory-limit", DEFAULT_LIMITS.memoryLimit, MEBIBYTE, "MiB"),
  };
}
