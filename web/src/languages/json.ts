import { languageOfRules } from "./token_rules.ts";

/** JSON, for reading. */
export const json = languageOfRules("JSON", [
  [/^"(?:[^"\\]|\\.){0,200}"(?=\s*:)/, "propertyName"],
  // A report holds whole texts as strings: a longer one would not fit the pattern's own stack.
  [/^"(?:[^"\\]|\\.){0,5000}"?/, "string"],
  [/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/i, "number"],
  [/^(?:true|false|null)\b/, "keyword"],
]);
