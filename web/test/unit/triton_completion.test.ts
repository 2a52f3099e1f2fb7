import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { moduleNames, TritonCompletion } from "../../src/page/triton_completion.ts";
import type { Completions } from "../../src/protocol.ts";

const COMPLETIONS: Completions = {
  triton: [{ name: "jit", kind: "function", detail: "(fn)", summary: "Compile." }],
  "triton.language": [
    { name: "load", kind: "function", detail: "(pointer)", summary: "" },
    { name: "float16", kind: "type", detail: "", summary: "" },
  ],
  "triton.language.math": [{ name: "exp", kind: "function", detail: "(x)", summary: "" }],
};

function labels(text: string): string[] | null {
  const completion = new TritonCompletion();
  completion.show(COMPLETIONS);
  const state = EditorState.create({ doc: text });
  const result = completion.source(new CompletionContext(state, text.length, false));
  return result?.options.map(({ label }) => label) ?? null;
}

describe("completion behind a module of Triton's", () => {
  it.each([
    ["import triton.language as tl\ntl.", ["load", "float16"]],
    ["tl.lo", ["load", "float16"]],
    ["triton.", ["jit"]],
    ["import triton.language as lang\nlang.", ["load", "float16"]],
    ["from triton import language\nlanguage.", ["load", "float16"]],
    ["from triton.language import math as m\nm.", ["exp"]],
    ["import triton.language as tl\nx = tl.math.", ["exp"]],
    ["triton.language.", ["load", "float16"]],
  ])("%j", (text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  it.each(["x.", "tl", "numpy.", "tl.load.", "load"])("says nothing of %j", (text) => {
    expect(labels(text)).toBeNull();
  });

  it("starts at the word, so that what was typed is replaced", () => {
    const completion = new TritonCompletion();
    completion.show(COMPLETIONS);
    const state = EditorState.create({ doc: "y = tl.lo" });
    expect(completion.source(new CompletionContext(state, 9, false))?.from).toBe(7);
  });

  it("says nothing before the compiler has told its names", () => {
    const state = EditorState.create({ doc: "tl." });
    expect(new TritonCompletion().source(new CompletionContext(state, 3, false))).toBeNull();
  });
});

describe("moduleNames", () => {
  it("keeps the usual names, and ignores modules that are not Triton's", () => {
    const names = moduleNames("import numpy as tl2\nfrom torch import nn", ["triton"]);
    expect(names).toMatchObject({ tl: "triton.language", triton: "triton" });
    expect(names).not.toHaveProperty("tl2");
  });
});
