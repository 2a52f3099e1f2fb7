import { RoundedNumberError } from "../exact_json.ts";
import { isPythonLiteral, pythonText, textOf, valueOf } from "./typed_value.ts";

/** Names to what a person typed for them. */
export type TypedTexts = Readonly<Record<string, string>>;

/** What a person chose or typed over what the source says; what the page saves and shares. */
export interface SpecialisationTexts {
  /** Empty: the one that the script launches first. */
  readonly kernel: string;
  /** A number from 0, or empty. */
  readonly launch: string;
  /** A number from 0, or empty. */
  readonly config: string;
  /** All types in parameter order, in place of everything else; empty for none. */
  readonly signature: string;
  /** By parameter that the kernel does not declare tl.constexpr. */
  readonly types: TypedTexts;
  /** By parameter that the kernel declares tl.constexpr. */
  readonly constexprs: TypedTexts;
  readonly options: TypedTexts;
}

export const EMPTY_TEXTS: SpecialisationTexts = {
  kernel: "",
  launch: "",
  config: "",
  signature: "",
  types: {},
  constexprs: {},
  options: {},
};

/** The part of a request that the fields decide. */
export interface SpecialisationRequest {
  guess: true;
  kernel?: string;
  launch?: number;
  config?: number;
  signature?: string | Record<string, string>;
  constexprs?: Record<string, unknown>;
  options?: Record<string, unknown>;
}

/** A parameter or an option whose text cannot be read. */
export interface FieldError {
  readonly name: string;
  readonly message: string;
}

/**
 * Makes the request's part of what was typed; an empty text is as good as none.
 *
 * @returns the request's part, or the texts that are wrong
 */
export function readSpecialisation(
  texts: SpecialisationTexts,
): { request: SpecialisationRequest } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const types: Record<string, string> = {};
  const constexprs: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  const signature = texts.signature.trim();
  const read = (into: Record<string, unknown>, name: string, text: string) => {
    try {
      into[name] = valueOf(text);
    } catch (error) {
      if (!(error instanceof RoundedNumberError)) throw error;
      errors.push({ name, message: error.message });
    }
  };
  if (signature === "") {
    for (const [name, text] of typed(texts.types)) types[name] = pythonText(text);
  }
  for (const [name, text] of typed(texts.constexprs)) {
    const literal = pythonText(text);
    // As a signature's entry a literal is read by Python itself, which tells 1.0 from 1.
    if (signature === "" && isPythonLiteral(literal)) types[name] = literal;
    else read(constexprs, name, text);
  }
  for (const [name, text] of typed(texts.options)) read(options, name, text);
  if (errors.length > 0) return { errors };
  const kernel = texts.kernel.trim();
  const launch = indexOf(texts.launch);
  const config = indexOf(texts.config);
  return {
    request: {
      guess: true,
      ...(kernel === "" ? {} : { kernel }),
      ...(launch === undefined ? {} : { launch }),
      ...(config === undefined ? {} : { config }),
      ...(signature === "" ? {} : { signature }),
      ...(isEmpty(types) ? {} : { signature: types }),
      ...(isEmpty(constexprs) ? {} : { constexprs }),
      ...(isEmpty(options) ? {} : { options }),
    },
  };
}

/** Reads texts that came from outside the program, in the form of today or that of before the panel. */
export function parseTexts(value: unknown): SpecialisationTexts {
  if (typeof value !== "object" || value === null) return EMPTY_TEXTS;
  const fields = value as Partial<Record<keyof SpecialisationTexts, unknown>>;
  const text = (field: unknown) => (typeof field === "string" ? field : "");
  return {
    kernel: text(fields.kernel),
    launch: text(fields.launch),
    config: text(fields.config),
    signature: text(fields.signature),
    types: parseMap(fields.types),
    constexprs: parseMap(fields.constexprs),
    options: parseMap(fields.options),
  };
}

function parseMap(value: unknown): TypedTexts {
  // Before the panel, constexprs and options were JSON objects in text fields.
  const isOld = typeof value === "string";
  const found = isOld ? parseObject(value) : value;
  if (typeof found !== "object" || found === null || Array.isArray(found)) return {};
  const entries = Object.entries(found as Record<string, unknown>);
  if (isOld) return Object.fromEntries(entries.map(([name, item]) => [name, textOf(item)]));
  return Object.fromEntries(
    entries.flatMap(([name, item]) => (typeof item === "string" ? [[name, item]] : [])),
  );
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function typed(texts: TypedTexts): [string, string][] {
  return Object.entries(texts).filter(([, text]) => text.trim() !== "");
}

function indexOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
