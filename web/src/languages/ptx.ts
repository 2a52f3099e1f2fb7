import { languageOfRules } from "./token_rules.ts";

/** NVIDIA's PTX. */
export const ptx = languageOfRules("PTX", [
  [/^\/\/.*/, "comment"],
  [/^\/\*.*?\*\//, "comment"],
  [/^"[^"]*"/, "string"],
  [/^\.(?:[bsuf]\d+(?:x2)?|bf16(?:x2)?|pred|tf32|e[45]m\d\w*)\b/, "typeName"],
  [/^\.(?:loc|file|section)\b/, "comment"],
  [/^\.[a-zA-Z_]\w*/, "meta"],
  [/^%[\w$.]+/, "variableName"],
  [/^[$\w]+:(?!:)/, "labelName"],
  [/^\$[\w$]+/, "labelName"],
  [/^@!?(?=%)/, "operatorKeyword"],
  [/^0[fFdD][\da-fA-F]+\b/, "number"],
  [/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)\b/, "number"],
  [/^[a-z]\w*(?:\.\w+|::\w+)+/, "keyword"],
  [/^(?:ret|exit|bra|trap|membar|call|mov|bar)\b/, "keyword"],
]);
