import type { TextLanguage } from "./text_language.ts";

/** A piece of a text, in UTF-16 units; `lines` when it is made of whole lines. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly lines: boolean;
}

interface Pattern {
  /** Whole lines; the pattern is asked of each line. */
  readonly lines?: RegExp;
  /** Pieces of a line; the pattern is global. */
  readonly pieces?: RegExp;
  /** A text that every line with a piece has: most lines are passed over without the pattern. */
  readonly hint: string;
}

/** Parentheses up to three deep, since fused locations and call sites hold others. */
const NESTED = String.raw`(?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*")*\))*\))*`;

const LOCATIONS: Partial<Record<TextLanguage, Pattern>> = {
  mlir: {
    lines: /^#loc\d* = loc\(/,
    pieces: new RegExp(String.raw` loc\(${NESTED}\)`, "g"),
    hint: " loc(",
  },
  llvm: { lines: /^!/, pieces: /,? !dbg !\d+/g, hint: "!dbg" },
  ptx: { lines: /^\s*\.(?:loc|file)\b|^\$L__tmp\d+:/, hint: "" },
  amdgcn: { lines: /^\s*\.(?:loc|file|cfi_\w+)\b|^\.Ltmp\d+:/, hint: "" },
};

/** Not a region's brace: that one ends its line. */
const MLIR_ATTRIBUTES = /(?: attributes)? <?\{(?=[\w".]+(?: = |[,}]))(?:[^{}]|\{[^{}]*\})*\}>?/g;

const ATTRIBUTES: Partial<Record<TextLanguage, Pattern>> = {
  mlir: { pieces: MLIR_ATTRIBUTES, hint: "{" },
  llvm: {
    lines: /^(?:attributes #\d+ = |; Function Attrs:)/,
    pieces:
      /(?: #\d+(?=[ ,]|$))|(?:,? !(?!dbg)[\w.]+ !\d+)|(?: (?:local_)?unnamed_addr)|(?: (?:captures|initializes)\([^()]*(?:\([^()]*\))?[^()]*\))|(?: (?:readnone|readonly|writeonly|noundef|nofree))/g,
    hint: " ",
  },
  ptx: { lines: /^\s*\.(?:section|pragma|b8|b16|b32|b64)\b/, hint: "" },
  amdgcn: { lines: /^\s*\.(?:set|amdhsa_\w+|type|size|p2align|section|ident)\b/, hint: "" },
};

export const DETAILS = ["locations", "attributes"] as const;

/** What a reader may hide. */
export type Detail = (typeof DETAILS)[number];

const PATTERNS = { locations: LOCATIONS, attributes: ATTRIBUTES };

/**
 * The pieces of a text that only say where it comes from, or only annotate it, in order; lines
 * that follow each other are one piece.
 */
export function detailRanges(text: string, language: TextLanguage, detail: Detail): Range[] {
  const pattern = PATTERNS[detail][language];
  if (!pattern) return [];
  const ranges: { from: number; to: number; lines: boolean }[] = [];
  let from = 0;
  while (from <= text.length) {
    const newline = text.indexOf("\n", from);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(from, end);
    if (pattern.lines?.test(line)) {
      const last = ranges.at(-1);
      if (last?.lines && last.to + 1 === from) last.to = end;
      else ranges.push({ from, to: end, lines: true });
    } else if (pattern.pieces && line.includes(pattern.hint) && !/^[#;]/.test(line)) {
      for (const piece of line.matchAll(pattern.pieces)) {
        const at = from + piece.index;
        ranges.push({ from: at, to: at + piece[0].length, lines: false });
      }
    }
    from = end + 1;
  }
  return ranges;
}
