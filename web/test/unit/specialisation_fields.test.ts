import { describe, expect, it } from "vitest";
import { EMPTY_TEXTS, readSpecialisation } from "../../src/page/specialisation_fields.ts";

describe("the specialisation fields", () => {
  it("leave out what is empty", () => {
    const empty = { ...EMPTY_TEXTS, kernel: "  ", types: { x: " " } };
    expect(readSpecialisation(empty)).toEqual({ request: { guess: true } });
  });

  it("become the request's fields", () => {
    const texts = {
      ...EMPTY_TEXTS,
      kernel: " add ",
      launch: "1",
      config: "2",
      types: { x: "*fp32", n: "None" },
      constexprs: { BLOCK: "64", SCALE: "1.0", EVEN: "true", KIND: "'relu'", ACC: "tl.float32" },
      options: { num_warps: "8", enable_fp_fusion: "False", schedule_hint: "attention" },
    };
    expect(readSpecialisation(texts)).toEqual({
      request: {
        guess: true,
        kernel: "add",
        launch: 1,
        config: 2,
        signature: {
          x: "*fp32",
          n: "None",
          BLOCK: "64",
          SCALE: "1.0",
          EVEN: "True",
          KIND: "'relu'",
        },
        constexprs: { ACC: "tl.float32" },
        options: { num_warps: 8, enable_fp_fusion: false, schedule_hint: "attention" },
      },
    });
  });

  it("send a whole signature in place of the types", () => {
    const texts = { ...EMPTY_TEXTS, signature: "*fp32, 1024", types: { x: "*i8" } };
    const constexprs = { BLOCK: "64" };
    expect(readSpecialisation({ ...texts, constexprs })).toEqual({
      request: { guess: true, signature: "*fp32, 1024", constexprs: { BLOCK: 64 } },
    });
  });

  it("refuse an integer that JavaScript would round", () => {
    const read = readSpecialisation({ ...EMPTY_TEXTS, options: { maxnreg: "9007199254740993" } });
    expect("errors" in read && read.errors.map(({ name }) => name)).toEqual(["maxnreg"]);
  });
});
