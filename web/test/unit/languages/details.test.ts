import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { type Detail, detailRanges } from "../../../src/languages/details.ts";
import { regionAt } from "../../../src/languages/regions.ts";
import type { TextLanguage } from "../../../src/languages/text_language.ts";
import { goldenStages } from "../golden.ts";

function without(text: string, language: TextLanguage, detail: Detail): string {
  const ranges = detailRanges(text, language, detail);
  let left = "";
  let at = 0;
  for (const { from, to } of ranges) {
    expect(from).toBeGreaterThanOrEqual(at);
    left += text.slice(at, from);
    at = to;
  }
  return left + text.slice(at);
}

const stages = [
  ...goldenStages("device_functions-noinline@cuda:90"),
  ...goldenStages("device_functions-noinline@hip:gfx942"),
  ...goldenStages("dot_pipeline-two_stages_four_warps@cuda:90"),
];

describe("hiding locations", () => {
  it.each(stages)("leaves none in $name ($text.length characters)", ({ text, language }) => {
    const left = without(text, language, "locations");
    expect(left).not.toMatch(/\bloc\(|^#loc|!dbg|!DILocation|^\s*\.loc\b/m);
    expect(left.length).toBeLessThan(text.length);
  });

  it("keeps every operation of MLIR, and the line it stands on", () => {
    const { text } = stages[0] ?? { text: "" };
    const left = without(text, "mlir", "locations");
    const count = (some: string) => (some.match(/ = |tt\.return|tt\.store/g) ?? []).length;
    const table = text.split("\n").filter((line) => line.startsWith("#loc")).length;
    expect(count(left)).toBe(count(text) - table);
  });

  it("keeps every instruction of PTX and AMDGCN", () => {
    for (const { text, language } of stages.filter(({ name }) => /ptx|amdgcn/.test(name))) {
      const instructions = (some: string) =>
        some.split("\n").filter((line) => /^\t[a-z@]/.test(line));
      expect(instructions(without(text, language, "locations"))).toEqual(instructions(text));
    }
  });
});

describe("hiding attributes", () => {
  it("takes MLIR's dictionaries, not the braces of regions", () => {
    const line =
      "  tt.func @f(%a: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {";
    expect(without(line, "mlir", "attributes")).toBe("  tt.func @f(%a: i32) {");
    const layout = "#blocked = #ttg.blocked<{order = [0]}>";
    expect(without(layout, "mlir", "attributes")).toBe(layout);
  });

  it("takes LLVM's groups and what only annotates a call", () => {
    const text =
      "  %6 = tail call i32 @f(), !dbg !10, !range !4\n  call void @g() #7\nattributes #7 = { nounwind }";
    expect(without(text, "llvm", "attributes")).toBe(
      "  %6 = tail call i32 @f(), !dbg !10\n  call void @g()\n",
    );
  });
});

describe("a region", () => {
  it("folds from its brace to the line that closes it", () => {
    const doc = Text.of(["a {", "  b {", "    c", "  }", "  d", "}", "e"]);
    expect(regionAt(doc, 1)).toEqual({ from: 3, to: doc.line(5).to });
    expect(regionAt(doc, 2)).toEqual({ from: doc.line(2).to, to: doc.line(3).to });
    expect(regionAt(doc, 3)).toBeNull();
  });

  it("that never closes does not fold", () => {
    expect(regionAt(Text.of(["a {", "b"]), 1)).toBeNull();
  });
});

describe("speed", () => {
  it("finds the locations of 5 MB of LLVM IR in less than a second", () => {
    const text = stages.find(({ name }) => name === "llir")?.text ?? "";
    const large = text.repeat(Math.ceil((5 << 20) / text.length));
    const began = performance.now();
    expect(detailRanges(large, "llvm", "locations").length).toBeGreaterThan(10_000);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
