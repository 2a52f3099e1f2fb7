import { type Detail, DETAILS } from "../languages/details.ts";

/** How one text is shown. */
export interface TextLayout {
  readonly hidden: readonly Detail[];
  readonly wraps: boolean;
}

/** How a compile's texts are shown, beside the first one's tab. */
export interface Layout {
  readonly split: boolean;
  /** The second text's tab; empty for none chosen. */
  readonly second: string;
  readonly texts: readonly [TextLayout, TextLayout];
}

const PLAIN: TextLayout = { hidden: [], wraps: false };

export const PLAIN_LAYOUT: Layout = { split: false, second: "", texts: [PLAIN, PLAIN] };

/** Reads a layout that came from outside the program; null when it is none. */
export function parseLayout(value: unknown): Layout | null {
  if (typeof value !== "object" || value === null) return null;
  const { split, second, texts } = value as Partial<Record<string, unknown>>;
  const [first, other] = Array.isArray(texts) ? (texts as readonly unknown[]) : [];
  return {
    split: split === true,
    second: typeof second === "string" ? second : "",
    texts: [parseText(first), parseText(other)],
  };
}

function parseText(value: unknown): TextLayout {
  if (typeof value !== "object" || value === null) return PLAIN;
  const { hidden, wraps } = value as Partial<Record<string, unknown>>;
  return {
    hidden: Array.isArray(hidden) ? DETAILS.filter((detail) => hidden.includes(detail)) : [],
    wraps: wraps === true,
  };
}
