import { StreamLanguage, type StringStream } from "@codemirror/language";

/** A token at the place where the reader stands, and the name of its highlighting tag. */
export type Rule = readonly [pattern: RegExp, tag: string];

/** What no rule takes, a word at a time: a rule must not begin inside a word. */
const PLAIN = /^(?:[\w$.]+|[^\w$.])/;

/** A language whose tokens do not depend on the lines before: the first rule that fits wins. */
export function languageOfRules(name: string, rules: readonly Rule[]): StreamLanguage<null> {
  return StreamLanguage.define<null>({
    name,
    startState: () => null,
    token: (stream) => nextToken(stream, rules),
  });
}

function nextToken(stream: StringStream, rules: readonly Rule[]): string | null {
  if (stream.eatSpace()) return null;
  for (const [pattern, tag] of rules) if (stream.match(pattern)) return tag;
  stream.match(PLAIN);
  return null;
}
