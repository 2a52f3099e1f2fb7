import { type ChangeDesc, ChangeSet, MapMode, Text } from "@codemirror/state";

/** Where the lines of a text are after edits. Lines are counted from 1. */
export class EditedSource {
  #changes: ChangeDesc;
  /** The text's line for each present line that still holds one; read when first asked for. */
  #originals: Map<number, number> | null = null;

  /**
   * @param original the text whose lines are followed
   * @param present what has become of it already
   */
  constructor(
    private readonly original: Text,
    private present: Text,
  ) {
    this.#changes = differenceOf(original, present);
  }

  /** Follows one more edit. */
  edit(changes: ChangeDesc, present: Text): void {
    // What was undone is where it was, though the edits took it away and put another there.
    this.#changes = present.eq(this.original)
      ? differenceOf(this.original, present)
      : this.#changes.composeDesc(changes);
    this.present = present;
    this.#originals = null;
  }

  /** Where a line of the text is now; null when nothing of it is left. */
  presentLine(original: number): number | null {
    if (original < 1 || original > this.original.lines) return null;
    const { from, to, text } = this.original.line(original);
    const first = from + (text.length - text.trimStart().length);
    const position =
      this.#changes.mapPos(first, 1, MapMode.TrackAfter) ??
      this.#changes.mapPos(to, -1, MapMode.TrackBefore);
    return position === null ? null : this.present.lineAt(position).number;
  }

  /** The line of the text that a present line holds; null for one that is new. */
  originalLine(present: number): number | null {
    if (!this.#originals) {
      this.#originals = new Map();
      for (let line = this.original.lines; line >= 1; line -= 1) {
        const now = this.original.line(line).length > 0 ? this.presentLine(line) : null;
        if (now !== null) this.#originals.set(now, line);
      }
    }
    return this.#originals.get(present) ?? null;
  }
}

/** One change that makes one text of another: what stands between the lines that both begin and end with. */
function differenceOf(one: Text, other: Text): ChangeSet {
  const [before, after] = [[...one.iterLines()], [...other.iterLines()]];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  if (head === before.length && head === after.length) return ChangeSet.empty(one.length);
  const start = (text: Text) => (head < text.lines ? text.line(head + 1).from : text.length);
  const end = (text: Text) => (tail > 0 ? text.line(text.lines - tail + 1).from : text.length);
  const spec = { from: start(one), to: end(one), insert: other.slice(start(other), end(other)) };
  return ChangeSet.of(spec, one.length);
}
