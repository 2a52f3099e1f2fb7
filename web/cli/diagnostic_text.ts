import type { Diagnostic } from "../src/report.ts";

/**
 * One diagnostic as compilers print it: `file:line:column: error: stage: message`, then the hint
 * and the compiler's own longer text, indented.
 */
export function diagnosticText(diagnostic: Diagnostic, file: string): string {
  const { line, column, severity, stage, message, hint, detail } = diagnostic;
  const place = [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
  const lines = [`${place}: ${severity}: ${stage}: ${message}`];
  if (hint !== undefined) lines.push(indent(`hint: ${hint}`));
  if (detail !== undefined) lines.push(indent(detail));
  return lines.join("\n");
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, "  ");
}
