import { parseExactJson } from "../exact_json.ts";

const PYTHON_NAMES = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/**
 * Reads a value as a person types it: JSON, Python's spelling of the same, or else the text itself.
 *
 * @throws RoundedNumberError when it holds an integer beyond 2^53
 */
export function valueOf(text: string): unknown {
  const typed = text.trim();
  if (PYTHON_NAMES.has(typed)) return PYTHON_NAMES.get(typed);
  const quoted = /^'([^'\\]*)'$/.exec(typed);
  if (quoted) return quoted[1];
  try {
    return parseExactJson(typed);
  } catch (error) {
    if (error instanceof SyntaxError) return typed;
    throw error;
  }
}

/** The text that `valueOf` reads as that JSON value. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isItself = value !== "" && !/^'|^\s|\s$/.test(value) && valueOrNull(value) === value;
  return isItself ? value : JSON.stringify(value);
}

/** Whether Python would read the text as a number, a text, a tuple, True, False or None. */
export function isPythonLiteral(text: string): boolean {
  return /^(True|False|None)$|^[-+]?(\d|\.\d)|^['"([{]/.test(text.trim());
}

/** The same constant as Python writes it, where JSON spells it otherwise. */
export function pythonText(text: string): string {
  const names: Partial<Record<string, string>> = { true: "True", false: "False", null: "None" };
  const typed = text.trim();
  return names[typed] ?? typed;
}

function valueOrNull(text: string): unknown {
  try {
    return valueOf(text);
  } catch {
    return null;
  }
}
