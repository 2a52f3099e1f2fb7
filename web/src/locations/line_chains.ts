import type { Stage } from "../report.ts";
import { assemblyLineChains } from "./assembly_lines.ts";
import type { LineChains } from "./chain.ts";
import { llvmLineChains } from "./llvm_lines.ts";
import { mlirLineChains } from "./mlir_lines.ts";

/** Where each line of a stage's text comes from, read from the text itself. */
export function lineChains({ language, text }: Pick<Stage, "language" | "text">): LineChains {
  switch (language) {
    case "mlir":
      return mlirLineChains(text);
    case "llvm":
      return llvmLineChains(text);
    case "ptx":
    case "amdgcn":
      return assemblyLineChains(text);
  }
}
