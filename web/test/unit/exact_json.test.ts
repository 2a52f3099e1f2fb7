import { describe, expect, it } from "vitest";
import { parseCommand } from "../../cli/arguments.ts";
import { parseExactJson, RoundedNumberError } from "../../src/exact_json.ts";

describe("constants of a kernel", () => {
  it("keeps numbers that JavaScript holds exactly", () => {
    expect(parseExactJson('{"N": 9007199254740991, "EPS": 1e-5, "MAX": 3.4e38}')).toEqual({
      N: 9007199254740991,
      EPS: 1e-5,
      MAX: 3.4e38,
    });
  });

  it("refuses an integer that it would round", () => {
    expect(() => parseExactJson('{"N": 9007199254740993}')).toThrow(RoundedNumberError);
    expect(() =>
      parseCommand(["compile", "k.py", "--target", "cuda:80", "--constexpr", "N=9007199254740993"]),
    ).toThrow(/--constexpr: an integer beyond 2\^53/);
  });
});
