import type { Kernel, Report, Specialisation } from "../report.ts";
import type { SpecialisationTexts, TypedTexts } from "./specialisation_fields.ts";

/** What the source says, or a default. */
export interface Told {
  /** Type with divisibility, or value; empty when nothing tells it. */
  readonly text: string;
  /** Where it came from, in words. */
  readonly origin: string;
  readonly guessed: boolean;
}

/** One parameter, as the panel shows it. */
export interface ParameterRow {
  readonly name: string;
  /** Whether the kernel declares it tl.constexpr. */
  readonly declared: boolean;
  readonly told: Told;
  /** What the person typed over it, if anything. */
  readonly typed: string | undefined;
}

export type OptionControl = "flag" | "number" | "text" | readonly string[];

/** One option of the target's backend. */
export interface OptionRow {
  readonly name: string;
  readonly control: OptionControl;
  readonly told: Told;
  readonly typed: string | undefined;
  /** Whether it is among those that people change. */
  readonly usual: boolean;
}

/** Something typed for a name that the source no longer has. */
export interface GoneText {
  readonly field: "kernel" | "launch" | "config" | "types" | "constexprs" | "options";
  readonly name: string;
  readonly text: string;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** All that the panel shows of a report. */
export interface SpecialisationView {
  /** The kernel that is compiled; null when the source has none. */
  readonly kernel: string | null;
  readonly kernels: readonly Choice[];
  readonly helpers: readonly Choice[];
  readonly launches: readonly Choice[];
  readonly launch: string;
  readonly configs: readonly Choice[];
  /** What each configuration sets, in the order of `configs`. */
  readonly configValues: readonly Readonly<Record<string, unknown>>[];
  readonly config: string;
  readonly parameters: readonly ParameterRow[];
  readonly options: readonly OptionRow[];
  readonly gone: readonly GoneText[];
}

export const EMPTY_VIEW: SpecialisationView = {
  kernel: null,
  kernels: [],
  helpers: [],
  launches: [],
  launch: "",
  configs: [],
  configValues: [],
  config: "",
  parameters: [],
  options: [],
  gone: [],
};

/** The options that people change, of any backend, the most usual first. */
const USUAL_OPTIONS = [
  "num_warps",
  "num_stages",
  "num_ctas",
  "maxnreg",
  "enable_fp_fusion",
  "waves_per_eu",
  "matrix_instr_nonkdim",
  "kpack",
  "schedule_hint",
];

/** Options that take one of a few words; Triton's option classes name them in comments only. */
const KNOWN_WORDS: Partial<Record<string, readonly string[]>> = {
  schedule_hint: ["none", "local-prefetch", "attention"],
};

/** Options that are numbers where they are anything; their default is none. */
const NUMBERS_WITHOUT_DEFAULT = ["maxnreg", "ptx_version", "max_num_imprecise_acc_default"];

const SOURCE_WORDS: Record<string, string> = {
  request: "yours",
  annotation: "annotation",
  default: "default",
  autotune: "autotune",
  heuristic: "heuristic",
  guess: "guess",
};

/**
 * What a report says of the specialisation, with what the person typed over it.
 *
 * @param before what was shown; a report that reached no specialisation leaves its rows standing
 */
export function viewOf(
  report: Report,
  texts: SpecialisationTexts,
  before: SpecialisationView,
): SpecialisationView {
  const { compilation, kernels } = report;
  if (kernels.length === 0) return withTyped(before, texts);
  const name = compilation?.kernel ?? chosenName(report, texts, before);
  const kernel = kernels.find((candidate) => candidate.name === name);
  const specialisation = compilation?.specialisation ?? null;
  const launches = report.launches.filter((launch) => launch.kernel === name);
  const usesLaunch = specialisation?.origin === "launch";
  const launch = texts.launch !== "" && launches[Number(texts.launch)] ? texts.launch : "0";
  const place = usesLaunch ? `launch, line ${launches[Number(launch)]?.line ?? 0}` : "launch";
  const kept = before.kernel === name ? before : EMPTY_VIEW;
  const parameters = kernel
    ? parameterRows(kernel, specialisation, place, texts, kept.parameters)
    : [];
  const options = compilation
    ? optionRows(compilation.option_defaults, compilation.specialisation, kernel, texts, before)
    : before.options;
  const view: SpecialisationView = {
    kernel: name,
    kernels: kernels.filter(isMain).map(kernelChoice),
    helpers: kernels.filter((candidate) => !isMain(candidate)).map(kernelChoice),
    launches: launches.map(({ line, grid }, at) => ({
      value: String(at),
      label: `line ${line}, grid ${grid}`,
    })),
    launch: launches.length > 0 ? launch : "",
    configs: (kernel?.configs ?? []).map((config, at) => ({
      value: String(at),
      label: Object.entries(config)
        .map(([key, value]) => `${key}=${shown(value)}`)
        .join(", "),
    })),
    configValues: kernel?.configs ?? [],
    config: texts.config,
    parameters,
    options,
    gone: [],
  };
  return withTyped({ ...view, gone: goneTexts(view, texts) }, texts);
}

/** The view with the texts as they are typed now. */
export function withTyped(
  view: SpecialisationView,
  texts: SpecialisationTexts,
): SpecialisationView {
  return {
    ...view,
    parameters: view.parameters.map((row) => ({
      ...row,
      typed: (row.declared ? texts.constexprs : texts.types)[row.name],
    })),
    options: view.options.map((row) => ({ ...row, typed: texts.options[row.name] })),
  };
}

/** The texts without what the source no longer has: what is sent. */
export function fittingTexts(
  texts: SpecialisationTexts,
  gone: readonly GoneText[],
): SpecialisationTexts {
  const keep = (field: "types" | "constexprs" | "options"): TypedTexts => {
    const names = gone.filter((item) => item.field === field).map(({ name }) => name);
    return without(texts[field], names);
  };
  const single = (field: "kernel" | "launch" | "config") =>
    gone.some((item) => item.field === field) ? "" : texts[field];
  return {
    ...texts,
    kernel: single("kernel"),
    launch: single("launch"),
    config: single("config"),
    types: keep("types"),
    constexprs: keep("constexprs"),
    options: keep("options"),
  };
}

/** The texts without some names. */
export function without(texts: TypedTexts, names: readonly string[]): TypedTexts {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
}

function chosenName(
  { kernels }: Report,
  texts: SpecialisationTexts,
  before: SpecialisationView,
): string | null {
  const names = kernels.map(({ name }) => name);
  const wanted = [texts.kernel, before.kernel].find((name) => name && names.includes(name));
  return wanted ?? kernels.find(isMain)?.name ?? names[0] ?? null;
}

function isMain(kernel: Kernel): boolean {
  return kernel.called_by === undefined || kernel.launches > 0;
}

function kernelChoice({ name, called_by: callers }: Kernel): Choice {
  return { value: name, label: callers ? `${name}, called by ${callers.join(", ")}` : name };
}

const NOT_TOLD: Told = { text: "", origin: "", guessed: false };

function parameterRows(
  kernel: Kernel,
  specialisation: Specialisation | null,
  launch: string,
  texts: SpecialisationTexts,
  before: readonly ParameterRow[],
): ParameterRow[] {
  return kernel.parameters.map(({ name, constexpr: declared }) => {
    const typed = (declared ? texts.constexprs : texts.types)[name];
    const kept = before.find((row) => row.name === name && row.declared === declared);
    const row = { name, declared, typed };
    const kind = specialisation?.signature[name];
    const source = specialisation?.sources[name];
    // What was typed hides what the source says.
    const hidden = source === "request" && typed !== undefined;
    if (kind === undefined || source === undefined || hidden) {
      return { ...row, told: kept?.told ?? NOT_TOLD };
    }
    const text = kind === "constexpr" ? (specialisation?.constexprs[name] ?? kind) : kind;
    const origin = source === "launch" ? launch : (SOURCE_WORDS[source] ?? source);
    return { ...row, told: { text, origin, guessed: source === "guess" } };
  });
}

function optionRows(
  defaults: Record<string, unknown>,
  { options, origin }: Specialisation,
  kernel: Kernel | undefined,
  texts: SpecialisationTexts,
  before: SpecialisationView,
): OptionRow[] {
  const tuned = new Set(kernel?.configs.flatMap((config) => Object.keys(config)));
  const rows = Object.entries(defaults).map(([name, value]): OptionRow => {
    const typed = texts.options[name];
    const given = typed === undefined ? options[name] : undefined;
    const script = tuned.has(name) ? "autotune" : origin === "launch" ? "launch" : "source";
    const kept = before.options.find((row) => row.name === name);
    const told = {
      text: shown(given ?? value),
      origin: given === undefined ? "default" : script,
      guessed: false,
    };
    return {
      name,
      control: controlOf(name, value, defaults),
      told: typed !== undefined && kept && before.kernel === kernel?.name ? kept.told : told,
      typed,
      usual: USUAL_OPTIONS.includes(name),
    };
  });
  const place = ({ name }: OptionRow) => {
    const at = USUAL_OPTIONS.indexOf(name);
    return at < 0 ? USUAL_OPTIONS.length : at;
  };
  return rows.sort((one, other) => place(one) - place(other));
}

function controlOf(name: string, value: unknown, defaults: Record<string, unknown>): OptionControl {
  if (typeof value === "boolean") return "flag";
  if (typeof value === "number" || NUMBERS_WITHOUT_DEFAULT.includes(name)) return "number";
  const allowed = defaults.allowed_dot_input_precisions;
  if (name === "default_dot_input_precision" && Array.isArray(allowed)) return allowed.map(String);
  return KNOWN_WORDS[name] ?? "text";
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function goneTexts(view: SpecialisationView, texts: SpecialisationTexts): GoneText[] {
  const gone: GoneText[] = [];
  const single = (field: "kernel" | "launch" | "config", choices: readonly Choice[]) => {
    const text = texts[field];
    if (text !== "" && !choices.some(({ value }) => value === text)) {
      gone.push({ field, name: field, text });
    }
  };
  single("kernel", [...view.kernels, ...view.helpers]);
  single("launch", view.launches);
  single("config", view.configs);
  const named = (field: "types" | "constexprs" | "options", names: readonly string[]) => {
    for (const [name, text] of Object.entries(texts[field])) {
      if (!names.includes(name)) gone.push({ field, name, text });
    }
  };
  const names = (declared: boolean) =>
    view.parameters.filter((row) => row.declared === declared).map((row) => row.name);
  named("types", names(false));
  named("constexprs", names(true));
  if (view.options.length > 0)
    named(
      "options",
      view.options.map(({ name }) => name),
    );
  return gone;
}
