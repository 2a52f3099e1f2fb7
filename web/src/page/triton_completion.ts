import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Completions } from "../protocol.ts";

/** How modules are called before the source imports them under another name. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  triton: "triton",
  tl: "triton.language",
  "tl.math": "triton.language.math",
  libdevice: "triton.language.extra.libdevice",
};

const IMPORT_AS = /^\s*import\s+([\w.]+)\s+as\s+(\w+)/gm;
const FROM_IMPORT = /^\s*from\s+([\w.]+)\s+import\s+([^#\n]+)/gm;
const DOTTED_WORD = /((?:\w+\.)+)(\w*)/;

/**
 * The names by which a source calls modules.
 *
 * @param modules the modules worth a name
 * @returns module by name, the usual names included
 */
export function moduleNames(
  source: string,
  modules: readonly string[],
): Readonly<Record<string, string>> {
  const names: Record<string, string> = { ...USUAL_NAMES };
  for (const [, module, name] of source.matchAll(IMPORT_AS)) {
    if (module && name && modules.includes(module)) names[name] = module;
  }
  for (const [, parent, list] of source.matchAll(FROM_IMPORT)) {
    for (const item of (list ?? "").replaceAll(/[()]/g, "").split(",")) {
      const [imported, , alias] = item.trim().split(/\s+/);
      const module = `${parent}.${imported}`;
      if (imported && modules.includes(module)) names[alias ?? imported] = module;
    }
  }
  return names;
}

/** Completes what follows a dot behind a module of Triton's; knows no names until `show` is called. */
export class TritonCompletion {
  #completions: Completions = {};

  show(completions: Completions): void {
    this.#completions = completions;
  }

  readonly source = (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(DOTTED_WORD);
    if (!before) return null;
    const dot = before.text.lastIndexOf(".");
    const modules = Object.keys(this.#completions);
    const names = moduleNames(context.state.doc.toString(), modules);
    const module = this.#moduleOf(before.text.slice(0, dot), names);
    const found = module === undefined ? undefined : this.#completions[module];
    if (!found) return null;
    return { from: before.from + dot + 1, options: found.map(optionOf), validFor: /^\w*$/ };
  };

  /** `tl.math` where `tl` is triton.language, or a module written in full. */
  #moduleOf(path: string, names: Readonly<Record<string, string>>): string | undefined {
    if (names[path] !== undefined) return names[path];
    const [first = "", ...rest] = path.split(".");
    const full = [names[first] ?? first, ...rest].join(".");
    return full in this.#completions ? full : undefined;
  }
}

function optionOf(entry: Completions[string][number]): Completion {
  const { name, kind, detail, summary } = entry;
  return {
    label: name,
    type: kind,
    ...(detail && { detail }),
    ...(summary && { info: summary }),
  };
}
