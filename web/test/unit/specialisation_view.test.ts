import { describe, expect, it } from "vitest";
import { failureReport } from "../../src/failure_report.ts";
import { EMPTY_TEXTS, type SpecialisationTexts } from "../../src/page/specialisation_fields.ts";
import { EMPTY_VIEW, fittingTexts, viewOf, withTyped } from "../../src/page/specialisation_view.ts";
import type { Kernel, Report, Specialisation } from "../../src/report.ts";

const note = { severity: "note", stage: "source", message: "seen" } as const;

const kernel: Kernel = {
  name: "k",
  language: "triton",
  line: 3,
  parameters: [
    { name: "x", constexpr: false },
    { name: "n", constexpr: false },
    { name: "B", constexpr: true },
  ],
  wrappers: ["autotune"],
  configs: [{ B: 64, num_warps: 4 }],
  launches: 2,
};

const specialisation: Specialisation = {
  origin: "launch",
  signature: { x: "*fp16:16", n: "i32:1", B: "constexpr" },
  constexprs: { n: "1", B: "64" },
  options: { num_warps: 8, debug: true },
  sources: { x: "launch", n: "default", B: "autotune" },
};

function reportOf(more: Partial<Specialisation> = {}): Report {
  const merged = { ...specialisation, ...more };
  const launch = { kernel: "k", grid: "(1,)", specialisation: merged };
  return {
    ...failureReport({ source: "", target: "cuda:80" }, note, 0, null),
    kernels: [kernel, { ...kernel, name: "helper", launches: 0, called_by: ["k"], parameters: [] }],
    launches: [
      { ...launch, line: 9 },
      { ...launch, kernel: "other", line: 10 },
      { ...launch, line: 11 },
    ],
    compilation: {
      kernel: "k",
      target: "cuda:80",
      specialisation: merged,
      option_defaults: { debug: false, maxnreg: null, num_stages: 3, num_warps: 4 },
      stages: [],
      metadata: {},
      passes: [],
    },
  };
}

const texts = (more: Partial<SpecialisationTexts>): SpecialisationTexts => ({
  ...EMPTY_TEXTS,
  ...more,
});

describe("what the panel shows of a report", () => {
  it("is each parameter with its type or value, and where that came from", () => {
    const { parameters } = viewOf(reportOf(), texts({ launch: "1" }), EMPTY_VIEW);
    expect(parameters.map(({ name, told }) => [name, told.text, told.origin])).toEqual([
      ["x", "*fp16:16", "launch, line 11"],
      ["n", "i32:1", "default"],
      ["B", "64", "autotune"],
    ]);
  });

  it("is each option, the usual ones first, with its default or what the source gives", () => {
    const { options } = viewOf(reportOf(), EMPTY_TEXTS, EMPTY_VIEW);
    expect(
      options.map(({ name, control, told }) => [name, control, told.text, told.origin]),
    ).toEqual([
      ["num_warps", "number", "8", "autotune"],
      ["num_stages", "number", "3", "default"],
      ["maxnreg", "number", "", "default"],
      ["debug", "flag", "true", "launch"],
    ]);
  });

  it("is the kernels, with helpers apart, and the launches of the one that is compiled", () => {
    const view = viewOf(reportOf(), EMPTY_TEXTS, EMPTY_VIEW);
    expect(view.kernels.map(({ value }) => value)).toEqual(["k"]);
    expect(view.helpers.map(({ label }) => label)).toEqual(["helper, called by k"]);
    expect(view.launches.map(({ label }) => label)).toEqual([
      "line 9, grid (1,)",
      "line 11, grid (1,)",
    ]);
    expect([view.launch, view.config]).toEqual(["0", ""]);
    expect(view.configs.map(({ label }) => label)).toEqual(["B=64, num_warps=4"]);
  });

  it("keeps what the source says under what was typed", () => {
    const first = viewOf(reportOf(), EMPTY_TEXTS, EMPTY_VIEW);
    const typed = texts({ types: { x: "*bf16" }, options: { num_warps: "2" } });
    const compiled = reportOf({
      signature: { ...specialisation.signature, x: "*bf16" },
      sources: { ...specialisation.sources, x: "request" },
      options: { num_warps: 2 },
    });
    const view = viewOf(compiled, typed, first);
    const [x] = view.parameters;
    expect([x?.typed, x?.told.text, x?.told.origin]).toEqual([
      "*bf16",
      "*fp16:16",
      "launch, line 9",
    ]);
    const [warps] = view.options;
    expect([warps?.typed, warps?.told.text]).toEqual(["2", "8"]);
    expect(withTyped(view, EMPTY_TEXTS).parameters[0]?.typed).toBeUndefined();
  });

  it("stands as it was when the source has no kernel or the script fails", () => {
    const view = viewOf(reportOf(), EMPTY_TEXTS, EMPTY_VIEW);
    const none = failureReport({ source: "", target: "cuda:80" }, note, 0, null);
    expect(viewOf(none, EMPTY_TEXTS, view).parameters).toEqual(view.parameters);
    const failed = { ...reportOf(), compilation: null };
    expect(viewOf(failed, EMPTY_TEXTS, view).parameters).toEqual(view.parameters);
    expect(viewOf(failed, EMPTY_TEXTS, EMPTY_VIEW).parameters.map(({ name }) => name)).toEqual([
      "x",
      "n",
      "B",
    ]);
  });
});

describe("what was typed for names that are gone", () => {
  const typed = texts({
    kernel: "lost",
    launch: "2",
    types: { x: "*i8", y: "i64", B: "i32" },
    constexprs: { B: "32", n: "3" },
    options: { num_warps: "1", kpack: "2" },
  });
  const view = viewOf(reportOf(), typed, EMPTY_VIEW);

  it("is listed", () => {
    expect(view.gone.map(({ field, name, text }) => [field, name, text])).toEqual([
      ["kernel", "kernel", "lost"],
      ["launch", "launch", "2"],
      ["types", "y", "i64"],
      ["types", "B", "i32"],
      ["constexprs", "n", "3"],
      ["options", "kpack", "2"],
    ]);
  });

  it("is not sent, and the rest is", () => {
    expect(fittingTexts(typed, view.gone)).toEqual(
      texts({ types: { x: "*i8" }, constexprs: { B: "32" }, options: { num_warps: "1" } }),
    );
  });
});
