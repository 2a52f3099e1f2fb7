import { parseExactJson } from "../exact_json.ts";

/** The text fields as typed; what the page saves. */
export interface SpecialisationTexts {
  readonly kernel: string;
  readonly signature: string;
  readonly constexprs: string;
  readonly options: string;
}

export const EMPTY_TEXTS: SpecialisationTexts = {
  kernel: "",
  signature: "",
  constexprs: "",
  options: "",
};

/** The part of a request that the fields decide. */
export interface SpecialisationRequest {
  kernel?: string;
  signature?: string;
  constexprs?: Record<string, unknown>;
  options?: Record<string, unknown>;
}

/** A field that does not hold what it must. */
export interface FieldError {
  readonly field: keyof SpecialisationTexts;
  readonly message: string;
}

/**
 * Reads the fields; an empty field is left out of the request.
 *
 * @returns the request's part, or the fields that are wrong
 */
export function readSpecialisation(
  texts: SpecialisationTexts,
): { request: SpecialisationRequest } | { errors: FieldError[] } {
  const request: SpecialisationRequest = {};
  const errors: FieldError[] = [];
  const kernel = texts.kernel.trim();
  const signature = texts.signature.trim();
  if (kernel !== "") request.kernel = kernel;
  if (signature !== "") request.signature = signature;
  for (const field of ["constexprs", "options"] as const) {
    const text = texts[field].trim();
    if (text === "") continue;
    const value = parseObject(text);
    if (value) request[field] = value;
    else errors.push({ field, message: 'Write a JSON object, for example {"NAME": 1}.' });
  }
  return errors.length > 0 ? { errors } : { request };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseExactJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
