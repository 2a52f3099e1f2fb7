import { describe, expect, it } from "vitest";
import { lineChains } from "../../../src/locations/line_chains.ts";
import { LineLinks } from "../../../src/locations/line_links.ts";
import type { Stage, StageName } from "../../../src/report.ts";
import { corpusLine, goldenStages } from "../golden.ts";

class Compiled {
  readonly stages: Stage[];
  readonly links: LineLinks;

  constructor(
    name: string,
    private readonly file: string,
  ) {
    this.stages = goldenStages(name);
    this.links = new LineLinks(this.stages, file);
  }

  /** The texts of the lines of a stage that belong to the source's line with `text`. */
  of(text: string, stage: StageName): string[] {
    const origins = this.links.ofSource(this.line(text));
    const lines = this.#lines(stage);
    return this.links.linesIn(stage, origins).map((line) => lines[line - 1]?.trim() ?? "");
  }

  /** The source's lines to which the first line of a stage with `text` belongs. */
  back(stage: StageName, text: string): { lines: readonly number[]; calls: readonly number[] } {
    const at = this.#lines(stage).findIndex((line) => line.includes(text));
    expect(at).toBeGreaterThanOrEqual(0);
    return this.links.sourceLines(this.links.ofLine(stage, at + 1));
  }

  line(text: string): number {
    return corpusLine(this.file, text);
  }

  #lines(stage: StageName): string[] {
    return (this.stages.find(({ name }) => name === stage)?.text ?? "").split("\n");
  }
}

describe("tl.sum", () => {
  const cuda = new Compiled("reduce_sum-fp16@cuda:90", "reduce_sum.py");
  const hip = new Compiled("reduce_sum-fp16@hip:gfx942", "reduce_sum.py");
  const sum = "by_row = tl.sum(";

  it.each([
    ["ttir", '"tt.reduce"'],
    ["ttgir", '"tt.reduce"'],
    ["llir", "shfl.sync.bfly"],
    ["ptx", "shfl.sync.bfly"],
  ] as const)("leads from its line in the source to %s", (stage, text) => {
    expect(cuda.of(sum, stage).join("\n")).toContain(text);
  });

  it("leads to the additions across lanes in AMDGCN", () => {
    expect(hip.of(sum, "amdgcn").some((line) => /^v_add_f32.*dpp|row_/.test(line))).toBe(true);
  });

  it.each([
    ["ttir", '"tt.reduce"'],
    ["ttgir", '"tt.reduce"'],
    ["llir", "shfl.sync.bfly"],
    ["ptx", "shfl.sync.bfly"],
  ] as const)("is where its operation in %s leads, through Triton's library", (stage, text) => {
    expect(cuda.back(stage, text).lines).toEqual([cuda.line(sum)]);
  });

  it("keeps the three sums apart", () => {
    const others = ["tl.sum(x, axis=0", "tl.sum(x, dtype"].map((text) => cuda.of(text, "ttir"));
    for (const lines of others) expect(lines.some((line) => line.includes("axis = 1"))).toBe(false);
    expect(cuda.of(sum, "ttir").some((line) => line.includes("axis = 1"))).toBe(true);
  });

  it("leads from PTX to the same operation in TTIR", () => {
    const text = cuda.stages.find(({ name }) => name === "ptx")?.text ?? "";
    const line = text.split("\n").findIndex((one) => one.includes("shfl.sync.bfly")) + 1;
    const lines = cuda.links.linesIn("ttir", cuda.links.ofLine("ptx", line));
    const ttir = cuda.stages[0]?.text.split("\n") ?? [];
    expect(lines.some((one) => ttir[one - 1]?.includes('"tt.reduce"'))).toBe(true);
  });
});

describe("a pipelined loop", () => {
  const cuda = new Compiled("dot_pipeline-two_stages_four_warps@cuda:90", "dot_pipeline.py");
  const dot = "tl.dot(tl.load(a_tile)";
  const loop = "for _ in range";

  it("keeps the copies before the loop and inside it at the load's line", () => {
    for (const stage of ["ttgir", "ptx"] as const) {
      const text = stage === "ptx" ? "cp.async.cg" : "ttg.async_copy_global_to_local";
      const copies = cuda.of(dot, stage).filter((line) => line.includes(text));
      expect(copies.length).toBeGreaterThanOrEqual(4);
      expect(cuda.back(stage, text).lines).toEqual([cuda.line(dot)]);
    }
  });

  it("leads from the loop's line to the line that opens it, not to its end alone", () => {
    const lines = cuda.of(loop, "ttgir");
    expect(lines.some((line) => line.includes("scf.for"))).toBe(true);
    expect(lines.some((line) => line.startsWith("}"))).toBe(true);
  });

  it("leads from the product to the matrix instruction", () => {
    expect(cuda.of(dot, "ptx").some((line) => line.includes("mma"))).toBe(true);
    expect(cuda.of(dot, "llir").some((line) => line.includes("mma"))).toBe(true);
  });
});

describe("device functions", () => {
  const cuda = new Compiled("device_functions-noinline@cuda:90", "device_functions.py");
  const hip = new Compiled("device_functions-noinline@hip:gfx942", "device_functions.py");
  const gate = "return tl.sigmoid(steepness * x)";
  const swish = "return x * gate(x)\n".trim();
  const call = "y = swish(x)";

  it("lead to the line that wrote an inlined operation, and to each call of it", () => {
    const { lines, calls } = cuda.back("ttir", "math.exp");
    expect(lines).toEqual([cuda.line(gate)]);
    expect(calls).toEqual([cuda.line(swish), cuda.line(call)]);
  });

  it("do so from PTX too, which names the last call alone", () => {
    const { lines, calls } = cuda.back("ptx", "ex2.approx");
    expect(lines).toEqual([cuda.line(gate)]);
    expect(calls).toEqual([cuda.line(swish), cuda.line(call)]);
  });

  it.each([
    [gate, "ptx", "ex2.approx"],
    [call, "ptx", "ex2.approx"],
    [gate, "llir", "ex2.approx"],
    [swish, "ttir", "arith.mulf"],
  ] as const)("lead from %s to %s", (source, stage, text) => {
    expect(cuda.of(source, stage).join("\n")).toContain(text);
  });

  it("that stay calls lead to the function's own text", () => {
    const root = "root = tl.sqrt(";
    expect(cuda.of(root, "ptx").join("\n")).toMatch(/sqrt/);
    expect(hip.of(root, "amdgcn").join("\n")).toMatch(/v_sqrt_f32/);
    expect(hip.back("amdgcn", "v_sqrt_f32").lines).toEqual([hip.line(root)]);
  });
});

describe("the notation", () => {
  const chains = (language: Stage["language"], text: string) =>
    lineChains({ language, text }).map((list) =>
      list.map((chain) => chain.map(({ file, line }) => `${file}:${line}`).join(" < ")),
    );

  it("of MLIR: names, fusions and call sites inside each other", () => {
    const lines = [
      '  a loc("k.py":3:1)',
      '  b loc("mask"("k.py":4:1))',
      "  c loc(fused[#loc1, #loc2])",
      '  d loc(callsite(fused<"why">[#loc1, #loc2] at "k.py":9:2))',
      "  e loc(unknown)",
      "  f loc(#loc9)",
      '#loc1 = loc("lib.py":7:1)',
      '#loc2 = loc("lib.py":8:1)',
    ];
    expect(chains("mlir", lines.join("\n"))).toEqual([
      ["k.py:3"],
      ["k.py:4"],
      ["lib.py:7", "lib.py:8"],
      ["lib.py:7 < k.py:9", "lib.py:8 < k.py:9"],
      [],
      [],
      [],
      [],
    ]);
  });

  it("of MLIR: a circle of aliases ends", () => {
    const text = "  a loc(#loc1)\n#loc1 = loc(callsite(#loc2 at #loc1))\n#loc2 = loc(#loc1)";
    expect(chains("mlir", text)[0]).toEqual([]);
  });

  it("of MLIR: both regions of an operation are read at its first line", () => {
    const text = '  scf.if %a {\n    x loc("k.py":2:1)\n  } else {\n  } loc("k.py":1:1)';
    expect(chains("mlir", text)).toEqual([["k.py:1"], ["k.py:2"], [], ["k.py:1"]]);
  });

  it("of PTX without DWARF: the call is in the directive", () => {
    const text =
      '\t.loc\t2 7 1, function_name $L__info_string0, inlined_at 1 9 2\n\tadd.f32 x;\n}\n\tadd.f32 y;\n.file 1 "/t/k.py"\n.file 2 "/t/lib.py"';
    expect(chains("ptx", text).slice(0, 4)).toEqual([
      ["/t/lib.py:7 < /t/k.py:9"],
      ["/t/lib.py:7 < /t/k.py:9"],
      [],
      [],
    ]);
  });

  it("of AMDGCN: nested calls in the comment, and line 0 is no line", () => {
    const text =
      '\t.file\t1 "/t" "k.py"\n\t.loc\t1 5 1 ; k.py:5:1 @[ k.py:6:2 @[ k.py:7:3 ] ]\n\tv_add\n\t.loc\t1 0 1 is_stmt 0 ; k.py:0:1\n\tv_mov';
    const nested = "/t/k.py:5 < /t/k.py:6 < /t/k.py:7";
    expect(chains("amdgcn", text)).toEqual([[], [nested], [nested], [], []]);
  });
});

describe("speed", () => {
  it("reads 1 MB of LLVM IR in less than 300 ms", () => {
    const text = goldenStages("reduce_sum-fp16@cuda:90").find(({ name }) => name === "llir")?.text;
    if (text === undefined) throw new Error("the case has no LLVM IR");
    const metadata = text.indexOf("\n!");
    const body = text.slice(0, metadata);
    const copies = Math.ceil((1 << 20) / body.length);
    const large = body.repeat(copies) + text.slice(metadata);
    const stage: Stage = { name: "llir", language: "llvm", text: large, seconds: 0 };
    const began = performance.now();
    const links = new LineLinks([stage], "reduce_sum.py");
    expect(performance.now() - began).toBeLessThan(300);
    const origins = links.ofSource(corpusLine("reduce_sum.py", "by_row = tl.sum("));
    expect(links.linesIn("llir", origins).length).toBeGreaterThan(copies);
  });
});
