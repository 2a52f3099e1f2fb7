import { type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { SourceLines } from "../locations/line_links.ts";

const light = StateEffect.define<SourceLines>();

const WROTE = Decoration.line({ class: "cm-lit" });
const CALLS = Decoration.line({ class: "cm-lit-call" });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lit, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(light)) return decorations(effect.value, transaction.newDoc);
    }
    return lit.map(transaction.changes);
  },
  provide: (self) => EditorView.decorations.from(self),
});

/** Lines that light up; an editor has none until `lightLines`. */
export const litLines: Extension = field;

/**
 * Lights these lines and no others.
 *
 * @param scroll also brings the nearest of them into view, unless one is there already
 */
export function lightLines(view: EditorView, lit: SourceLines, scroll: boolean): void {
  const nothing = lit.lines.length === 0 && lit.calls.length === 0;
  if (nothing && view.state.field(field).size === 0) return;
  const target = scroll ? lineToShow(view, lit) : null;
  view.dispatch({ effects: light.of(lit) });
  if (target !== null) bringIntoView(view, view.state.doc.line(target).from);
}

/** Scrolls the text alone: on a narrow screen the page would leave the line that was chosen. */
function bringIntoView(view: EditorView, position: number): void {
  const center = () => view.lineBlockAt(position).top - view.scrollDOM.clientHeight / 2;
  view.scrollDOM.scrollTop = center();
  // Heights of lines that were not laid out before are known better now.
  view.requestMeasure({
    key: "lit line",
    read: center,
    write: (top) => {
      view.scrollDOM.scrollTop = top;
    },
  });
}

function decorations({ lines, calls }: SourceLines, doc: Text): DecorationSet {
  const ranges = [
    ...lines.map((line) => ({ line, decoration: WROTE })),
    ...calls.map((line) => ({ line, decoration: CALLS })),
  ];
  return Decoration.set(
    ranges
      .filter(({ line }) => line <= doc.lines)
      .map(({ line, decoration }) => decoration.range(doc.line(line).from)),
    true,
  );
}

/** The lit line that is nearest to what is seen; null when one is seen, or there is none. */
function lineToShow(view: EditorView, { lines, calls }: SourceLines): number | null {
  const { doc } = view.state;
  const wanted = (lines.length > 0 ? lines : calls).filter((line) => line <= doc.lines);
  const { scrollTop, clientHeight } = view.scrollDOM;
  const first = doc.lineAt(view.lineBlockAtHeight(scrollTop).to).number;
  const last = doc.lineAt(view.lineBlockAtHeight(scrollTop + clientHeight).from).number;
  if (wanted.some((line) => line >= first && line < last)) return null;
  const distance = (line: number) => Math.max(first - line, line - last);
  return wanted.reduce<number | null>(
    (best, line) => (best === null || distance(line) < distance(best) ? line : best),
    null,
  );
}
