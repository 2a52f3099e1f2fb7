import { EditorState, Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { EditedSource } from "../../src/page/edited_source.ts";

const LINES = ["import a", "", "def f():", "    x = 1", "    y = 2", ""];

/** A text, and what follows its edits: `replace` puts a text where another is. */
function edited(lines = LINES) {
  let state = EditorState.create({ doc: Text.of(lines) });
  const source = new EditedSource(state.doc, state.doc);
  const replace = (old: string, insert: string) => {
    const from = old === "" ? 0 : state.doc.toString().indexOf(old);
    expect(from).toBeGreaterThanOrEqual(0);
    const {
      changes,
      newDoc,
      state: next,
    } = state.update({
      changes: { from, to: from + old.length, insert },
    });
    source.edit(changes, newDoc);
    state = next;
  };
  return { source, replace };
}

describe("the lines of an edited source", () => {
  it("are where they were when nothing was edited", () => {
    const { source } = edited();
    expect(LINES.map((_, at) => source.presentLine(at + 1))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(source.originalLine(4)).toBe(4);
  });

  it("move with lines that are put above them and taken away", () => {
    const { source, replace } = edited();
    replace("", "# one\n# two\n");
    expect([3, 4, 5].map((line) => source.presentLine(line))).toEqual([5, 6, 7]);
    expect([1, 2, 3, 7].map((line) => source.originalLine(line))).toEqual([null, null, 1, 5]);
    replace("    x = 1\n", "");
    expect([3, 4, 5].map((line) => source.presentLine(line))).toEqual([5, null, 6]);
    expect(source.originalLine(6)).toBe(5);
  });

  it("stay theirs while something of them is left", () => {
    const { source, replace } = edited();
    replace("x =", "other =");
    replace("= 2", "= 3");
    expect([4, 5].map((line) => source.presentLine(line))).toEqual([4, 5]);
    expect([4, 5].map((line) => source.originalLine(line))).toEqual([4, 5]);
  });

  it("are found by a line broken above one, and by one broken itself", () => {
    const { source, replace } = edited();
    replace("f(", "f(\n");
    expect([3, 4].map((line) => source.presentLine(line))).toEqual([3, 5]);
    expect(source.originalLine(4)).toBe(null);
  });

  it("are where they were again once the edit is undone", () => {
    const { source, replace } = edited();
    replace("    x = 1\n", "");
    replace("    y = 2", "    x = 1\n    y = 2");
    expect([4, 5].map((line) => source.presentLine(line))).toEqual([4, 5]);
  });

  it("are found after an edit that was not seen, but for those that it changed", () => {
    const present = ["import a", "import b", "def f():", "    x = 9", "    y = 2", ""];
    const source = new EditedSource(Text.of(LINES), Text.of(present));
    expect([1, 3, 4, 5].map((line) => source.presentLine(line))).toEqual([1, null, null, 5]);
    expect([1, 2, 4, 5].map((line) => source.originalLine(line))).toEqual([1, null, null, 5]);
  });

  it.each([
    [["a"], ["b", "a"]],
    [["a"], ["a", "b"]],
    [["a", "b"], ["b"]],
    [["a", "b"], ["a"]],
    [
      ["a", "a"],
      ["a", "a", "a"],
    ],
    [["a"], [""]],
    [[""], ["a"]],
  ])("never lead outside the text: %j to %j", (before, after) => {
    const source = new EditedSource(Text.of(before), Text.of(after));
    for (const [at, text] of before.entries()) {
      const line = source.presentLine(at + 1);
      if (line !== null && text !== "") expect(after[line - 1]).toBe(text);
    }
  });
});
