import { describe, expect, it } from "vitest";
import { textOf, valueOf } from "../../src/page/typed_value.ts";

describe("a typed value", () => {
  it.each([
    ["64", 64],
    [" 0.5 ", 0.5],
    ["True", true],
    ["false", false],
    ["None", null],
    ["relu", "relu"],
    ["'relu'", "relu"],
    ['"64"', "64"],
    ["[1, 2]", [1, 2]],
    ["tl.float16", "tl.float16"],
  ])("reads %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it.each([
    [64],
    [0.5],
    [true],
    [null],
    ["relu"],
    ["64"],
    ["True"],
    [""],
    ["'x'"],
    [" x "],
    [[1, "a"]],
  ])("writes %j so that it reads it again", (value) => {
    expect(valueOf(textOf(value))).toEqual(value);
  });
});
