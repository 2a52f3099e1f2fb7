import { describe, expect, it } from "vitest";
import { EMPTY_TEXTS, readSpecialisation } from "../../src/page/specialisation_fields.ts";

describe("the specialisation fields", () => {
  it("leave out what is empty", () => {
    expect(readSpecialisation({ ...EMPTY_TEXTS, kernel: "  " })).toEqual({ request: {} });
  });

  it("become the request's fields", () => {
    const texts = {
      kernel: " add ",
      signature: "*fp32, 1024",
      constexprs: '{"BLOCK": 64}',
      options: '{"num_warps": 8}',
    };
    expect(readSpecialisation(texts)).toEqual({
      request: {
        kernel: "add",
        signature: "*fp32, 1024",
        constexprs: { BLOCK: 64 },
        options: { num_warps: 8 },
      },
    });
  });

  it.each(["{BLOCK: 64}", "[1]", "64", "null"])("refuse %s where an object is due", (text) => {
    const read = readSpecialisation({ ...EMPTY_TEXTS, constexprs: text, options: text });
    expect("errors" in read && read.errors.map(({ field }) => field)).toEqual([
      "constexprs",
      "options",
    ]);
  });
});
