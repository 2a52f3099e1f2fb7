import { languageOfRules } from "./token_rules.ts";

const TYPES = "void|half|bfloat|float|double|fp128|ptr|label|token|metadata|i\\d+";

const OPERATIONS = [
  "ret|br|switch|indirectbr|invoke|unreachable|call|tail|musttail|notail|asm|sideeffect|phi|select",
  "f?neg|f?add|f?sub|f?mul|[us]div|fdiv|[us]rem|frem|shl|lshr|ashr|and|or|xor|icmp|fcmp",
  "alloca|load|store|fence|cmpxchg|atomicrmw|getelementptr|extractvalue|insertvalue",
  "extractelement|insertelement|shufflevector|freeze|va_arg|landingpad|resume",
  "trunc|zext|sext|fptrunc|fpext|fptou?i|fptosi|[us]itofp|ptrtoint|inttoptr|bitcast|addrspacecast",
].join("|");

const WORDS = [
  "define|declare|attributes|target|datalayout|triple|source_filename|global|constant|external",
  "internal|private|local_unnamed_addr|unnamed_addr|distinct|align|addrspace|volatile|to|null",
  "true|false|undef|poison|zeroinitializer|none|inbounds|nuw|nsw|nnan|ninf|nsz|arcp|contract|afn",
  "reassoc|fast|exact|disjoint|ptx_kernel|amdgpu_kernel|syncscope|acquire|release|acq_rel|monotonic",
].join("|");

/** LLVM IR, metadata included. */
export const llvmIr = languageOfRules("LLVM IR", [
  [/^;.*/, "comment"],
  [/^c?"[^"]*"/, "string"],
  [/^!dbg\b/, "comment"],
  [/^!(?:[a-zA-Z_][\w.]*|\d+)?/, "meta"],
  [/^%(?:[\w$.-]+|"[^"]*")/, "variableName"],
  [/^@(?:[\w$.-]+|"[^"]*")/, "variableName.function.definition"],
  [/^#\d+/, "meta"],
  [/^[\w$.-]+:(?=\s|$)/, "labelName"],
  [new RegExp(`^(?:${TYPES})\\b`), "typeName"],
  [new RegExp(`^(?:${OPERATIONS})\\b(?!\\.)`), "keyword"],
  [new RegExp(`^(?:${WORDS})\\b(?!\\.)`), "modifier"],
  [/^-?(?:0x[KLMHR]?[\da-fA-F]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)(?![\w.])/i, "number"],
]);
