import { foldService } from "@codemirror/language";
import type { Text } from "@codemirror/state";

/** Lines looked at for a region's end; a function longer than that does not fold. */
const LONGEST = 200_000;

const indentOf = (line: string) => line.length - line.trimStart().length;

/**
 * The inside of the region that a line opens, for folding: up to the line that closes it.
 *
 * @param number of the line that opens it, from 1
 */
export function regionAt(doc: Text, number: number): { from: number; to: number } | null {
  const first = doc.line(number);
  const opens = /\{\s*(?:\/\/.*)?$/.test(first.text) || first.text === "{";
  if (!opens) return null;
  const indent = indentOf(first.text);
  let from = first.to + 1;
  let seen = 0;
  for (const line of doc.iterLines(number + 1)) {
    if (line.trimStart().startsWith("}") && indentOf(line) <= indent) {
      return from - 1 > first.to ? { from: first.to, to: from - 1 } : null;
    }
    from += line.length + 1;
    seen += 1;
    if (seen > LONGEST) return null;
  }
  return null;
}

/** Folds what stands between a line's last brace and the line that closes it. */
export const regionFolding = foldService.of((state, start) =>
  regionAt(state.doc, state.doc.lineAt(start).number),
);
