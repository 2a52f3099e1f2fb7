import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { describe, expect, it } from "vitest";
import { amdgcn } from "../../../src/languages/amdgcn.ts";
import { llvmIr } from "../../../src/languages/llvm_ir.ts";
import { mlir } from "../../../src/languages/mlir.ts";
import { ptx } from "../../../src/languages/ptx.ts";
import { json } from "../../../src/languages/json.ts";
import { goldenStages } from "../golden.ts";

const highlighter = tagHighlighter([
  { tag: tags.keyword, class: "keyword" },
  { tag: tags.comment, class: "comment" },
  { tag: tags.string, class: "string" },
  { tag: tags.number, class: "number" },
  { tag: tags.typeName, class: "type" },
  { tag: tags.variableName, class: "name" },
  { tag: tags.labelName, class: "label" },
  { tag: tags.meta, class: "meta" },
  { tag: tags.propertyName, class: "property" },
  { tag: tags.modifier, class: "modifier" },
]);

/** The pieces of a text that have a class. */
function pieces(language: typeof mlir, text: string, wanted: string): string[] {
  const found: string[] = [];
  highlightTree(language.parser.parse(text), highlighter, (from, to, classes) => {
    if (classes.split(" ").includes(wanted)) found.push(text.slice(from, to));
  });
  return found;
}

describe("highlighting", () => {
  const cuda = goldenStages("reduce_sum-fp16@cuda:90");
  const text = (stages: typeof cuda, stage: string) =>
    stages.find(({ name }) => name === stage)?.text ?? "";

  it("of MLIR tells operations, types and values apart", () => {
    const ttgir = text(cuda, "ttgir");
    expect(pieces(mlir, ttgir, "keyword")).toEqual(
      expect.arrayContaining(["module", "tt.func", "tt.load", "tt.return"]),
    );
    expect(pieces(mlir, ttgir, "type")).toEqual(
      expect.arrayContaining(["tensor", "#blocked", "f16", "!tt.ptr"]),
    );
    expect(pieces(mlir, ttgir, "name")).toContain("@sums");
    expect(pieces(mlir, ttgir, "string")).toContain('"tt.reduce"');
  });

  it("of LLVM IR tells instructions, types and metadata apart", () => {
    const llir = text(cuda, "llir");
    expect(pieces(llvmIr, llir, "keyword")).toEqual(expect.arrayContaining(["call", "shl", "ret"]));
    expect(pieces(llvmIr, llir, "type")).toEqual(expect.arrayContaining(["i32", "ptr", "float"]));
    expect(pieces(llvmIr, llir, "meta")).toContain("!DILocation");
    expect(pieces(llvmIr, llir, "modifier")).toContain("define");
  });

  it("of PTX tells instructions, types, registers and labels apart", () => {
    const assembly = text(cuda, "ptx");
    expect(pieces(ptx, assembly, "keyword")).toEqual(
      expect.arrayContaining(["shfl.sync.bfly.b32", "mov.u32", "ret"]),
    );
    expect(pieces(ptx, assembly, "type")).toContain(".b32");
    expect(pieces(ptx, assembly, "name")).toContain("%r1");
    expect(pieces(ptx, assembly, "label")).toContain("$L__func_begin0:");
  });

  it("of AMDGCN tells instructions, registers, labels and directives apart", () => {
    const assembly = text(goldenStages("reduce_sum-fp16@hip:gfx942"), "amdgcn");
    expect(pieces(amdgcn, assembly, "keyword")).toEqual(
      expect.arrayContaining(["s_load_dwordx2", "s_endpgm"]),
    );
    expect(pieces(amdgcn, assembly, "name")).toContain("v0");
    expect(pieces(amdgcn, assembly, "label")).toContain("sums:");
    expect(pieces(amdgcn, assembly, "meta")).toContain(".amdgcn_target");
  });

  it("of JSON tells names from values", () => {
    expect(pieces(json, '{"ok": true, "a": "b"}', "property")).toEqual(['"ok"', '"a"']);
  });
});
