import { describe, expect, it } from "vitest";
import { crashDiagnostic } from "../../src/failure_report.ts";

describe("the diagnostic of a crash", () => {
  it("prefers the compiler's own last words to the trap's name", () => {
    const detail = "note: some\nLLVM ERROR: Cannot select: intrinsic\nAborted()";
    const { message } = crashDiagnostic("ptx", "unreachable", detail);
    expect(message).toBe("the compiler crashed in stage ptx: LLVM ERROR: Cannot select: intrinsic");
  });

  it.each([
    ["Maximum call stack size exceeded", "ran out of stack"],
    ["memory access out of bounds", "memory"],
    ["Program terminated with exit(3)", "ended the compiler's process"],
    ["unreachable", "crashed"],
  ])("tells the cause of: %s", (trap, cause) => {
    expect(crashDiagnostic("ttir", trap, "").message).toContain(cause);
    expect(crashDiagnostic("ttir", trap, "")).not.toHaveProperty("detail");
  });
});
