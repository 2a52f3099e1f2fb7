import type { Extension } from "@codemirror/state";
import type { Stage } from "../report.ts";
import { amdgcn } from "./amdgcn.ts";
import { json } from "./json.ts";
import { llvmIr } from "./llvm_ir.ts";
import { mlir } from "./mlir.ts";
import { ptx } from "./ptx.ts";

/** The languages of the texts that the page shows. */
export type TextLanguage = Stage["language"] | "json" | "plain";

const EXTENSIONS: Readonly<Record<TextLanguage, Extension>> = {
  mlir,
  llvm: llvmIr,
  ptx,
  amdgcn,
  json,
  plain: [],
};

/** The highlighting of a language. */
export function highlightingOf(language: TextLanguage): Extension {
  return EXTENSIONS[language];
}
