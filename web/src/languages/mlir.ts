import { languageOfRules } from "./token_rules.ts";

/** MLIR's generic and custom forms, as Triton's dialects print them. */
export const mlir = languageOfRules("MLIR", [
  [/^\/\/.*/, "comment"],
  [/^"(?:[^"\\]|\\.)*"/, "string"],
  [/^(?:#loc\d*|loc(?=\())/, "comment"],
  [/^[%][\w$.#-]+/, "variableName"],
  [/^@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")/, "variableName.function.definition"],
  [/^\^[\w$.-]+/, "labelName"],
  [/^[#!][a-zA-Z_][\w$.]*/, "typeName"],
  [/^(?:tensor|vector|memref|tuple)(?=<)/, "typeName"],
  [/^(?:[fiu]\d+|si\d+|ui\d+|bf16|tf32|index|none|f8E\w+|f4E\w+)\b/, "typeName"],
  // The shape and the element type of `tensor<64x32xf16>` are one word.
  [/^(?:\d+x)+(?=[a-z!])/, "number"],
  [/^[a-z_]\w*\.[\w.]+/, "keyword"],
  [/^(?:module|func|attributes|iter_args|to|step|else|do|true|false|unit|dense)\b/, "keyword"],
  [/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)/i, "number"],
]);
