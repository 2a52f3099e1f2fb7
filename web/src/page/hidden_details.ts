import type { Extension } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { type Detail, detailRanges } from "../languages/details.ts";
import type { TextLanguage } from "../languages/text_language.ts";

const PIECE = Decoration.replace({});
const LINES = Decoration.replace({ block: true });

/** Hides these details of a text that does not change. */
export function hiddenDetails(
  text: string,
  language: TextLanguage,
  details: Iterable<Detail>,
): Extension {
  const ranges = [...details]
    .flatMap((detail) => detailRanges(text, language, detail))
    .map(({ from, to, lines }) => (lines ? LINES : PIECE).range(from, to));
  const hidden = Decoration.set(ranges, true);
  return [EditorView.decorations.of(hidden), EditorView.atomicRanges.of(() => hidden)];
}
