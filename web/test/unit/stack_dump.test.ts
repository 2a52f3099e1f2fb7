import { describe, expect, it } from "vitest";
import { withoutOwnFrames } from "../../src/runtime/stack_dump.ts";

const OWN = [
  '  File "/lib/python3.15/site-packages/triton_playground/source.py", line 80 in compile',
  '  File "/lib/python3.15/site-packages/triton_playground/report.py", line 45 in compile',
];

describe("withoutOwnFrames", () => {
  it("drops a stack that holds no frame of the script", () => {
    const written = ["last words", "Stack (most recent call first):", ...OWN].join("\n");
    expect(withoutOwnFrames(written)).toBe("last words");
  });

  it("keeps the script's frames and Triton's", () => {
    const kept = [
      "Stack (most recent call first):",
      '  File "/tmp/triton-playground/kernel.py", line 3 in f',
      '  File "/lib/python3.15/site-packages/triton/compiler/compiler.py", line 80 in make_ir',
    ];
    expect(withoutOwnFrames([...kept, ...OWN].join("\n"))).toBe(kept.join("\n"));
  });

  it("leaves other text as it is", () => {
    expect(withoutOwnFrames("LLVM ERROR: no\nStack dump:\n0. pass")).toBe(
      "LLVM ERROR: no\nStack dump:\n0. pass",
    );
  });
});
