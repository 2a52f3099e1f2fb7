import { describe, expect, it } from "vitest";
import { diagnosticText } from "../../cli/diagnostic_text.ts";

describe("a diagnostic as text", () => {
  it("has place, stage, message, hint and detail", () => {
    const diagnostic = {
      severity: "error",
      stage: "ttir",
      message: "unknown name 'foo'",
      line: 7,
      column: 3,
      hint: "Define it.",
      detail: "a\nb\n",
    } as const;
    expect(diagnosticText(diagnostic, "k.py")).toBe(
      "k.py:7:3: error: ttir: unknown name 'foo'\n  hint: Define it.\n  a\n  b",
    );
  });

  it("leaves out what is not known", () => {
    const diagnostic = { severity: "warning", stage: "request", message: "m", column: 3 } as const;
    expect(diagnosticText(diagnostic, "k.py")).toBe("k.py: warning: request: m");
  });
});
