import { DEFAULT_LIMITS, type Limits, MEBIBYTE, parseLimit } from "../limits.ts";

/** The limits as typed; an empty field is the default. What the page saves. */
export interface LimitTexts {
  readonly timeLimit: string;
  readonly memoryLimit: string;
}

export const LIMIT_FIELDS = ["timeLimit", "memoryLimit"] as const satisfies (keyof LimitTexts)[];

export const EMPTY_LIMITS: LimitTexts = { timeLimit: "", memoryLimit: "" };

/** Reads the fields; returns the limits, or the fields that hold no number. */
export function readLimits(
  texts: LimitTexts,
): { limits: Limits } | { wrong: (keyof LimitTexts)[] } {
  const read = (field: keyof LimitTexts, unit: number) =>
    texts[field].trim() === "" ? DEFAULT_LIMITS[field] : parseLimit(texts[field], unit);
  const timeLimit = read("timeLimit", 1);
  const memoryLimit = read("memoryLimit", MEBIBYTE);
  if (timeLimit !== null && memoryLimit !== null) return { limits: { timeLimit, memoryLimit } };
  const values = { timeLimit, memoryLimit };
  return { wrong: LIMIT_FIELDS.filter((field) => values[field] === null) };
}
