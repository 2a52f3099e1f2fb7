import { describe, expect, it } from "vitest";
import { readLimits } from "../../src/page/limit_fields.ts";

describe("the limits as typed", () => {
  it.each([
    ["", "", 60, 2 ** 31],
    ["0", "0", undefined, undefined],
    [" 2.5 ", "512", 2.5, 2 ** 29],
  ])("%j s, %j MiB", (time, memory, timeLimit, memoryLimit) => {
    const limits = { timeLimit, memoryLimit };
    expect(readLimits({ timeLimit: time, memoryLimit: memory })).toEqual({ limits });
  });

  it.each([
    ["soon", "", ["timeLimit"]],
    ["-1", "2 GB", ["timeLimit", "memoryLimit"]],
  ])("refuses %j s, %j MiB", (timeLimit, memoryLimit, wrong) => {
    expect(readLimits({ timeLimit, memoryLimit })).toEqual({ wrong });
  });
});
