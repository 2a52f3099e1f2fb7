import { languageOfRules } from "./token_rules.ts";

/** AMD's GCN, CDNA and RDNA assembly, as LLVM prints it. */
export const amdgcn = languageOfRules("AMDGCN", [
  [/^[;#].*/, "comment"],
  [/^\/\/.*/, "comment"],
  [/^[\w$.]+:/, "labelName"],
  [/^"(?:[^"\\]|\\.)*"/, "string"],
  [/^\.(?:loc|file|cfi_\w+)\b/, "comment"],
  [/^\.L[\w$.]+/, "labelName"],
  [/^\.[a-zA-Z_][\w.]*/, "meta"],
  [/^(?:[svaL]|ttmp)(?:\d+\b|\[[^\]]*\])/, "variableName"],
  [/^(?:vcc|exec|m0|scc|flat_scratch|null|off|src_\w+)(?:_lo|_hi)?\b/, "variableName"],
  [/^(?:[svtu]|ds|buffer|global|flat|scratch|tbuffer|image|exp)_\w+/, "keyword"],
  [/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)\b/, "number"],
]);
