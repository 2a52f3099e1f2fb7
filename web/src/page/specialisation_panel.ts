import type { Report } from "../report.ts";
import { create, element } from "./element.ts";
import {
  type FieldError,
  readSpecialisation,
  type SpecialisationRequest,
  type SpecialisationTexts,
} from "./specialisation_fields.ts";
import { SpecialisationRow } from "./specialisation_row.ts";
import {
  type Choice,
  EMPTY_VIEW,
  fittingTexts,
  type GoneText,
  type OptionRow,
  type ParameterRow,
  type SpecialisationView,
  viewOf,
  without,
  withTyped,
} from "./specialisation_view.ts";
import { isSideBySide } from "./width.ts";

/** The kernel, the launch, each parameter and each option: where it comes from, and a field to change it. */
export class SpecialisationPanel {
  readonly #details = element("specialisation", HTMLDetailsElement);
  readonly #summary = element("specialisation-summary", HTMLElement);
  readonly #note = element("specialisation-note", HTMLElement);
  readonly #kernel = element("field-kernel", HTMLSelectElement);
  readonly #launch = element("field-launch", HTMLSelectElement);
  readonly #config = element("field-config", HTMLSelectElement);
  readonly #signature = element("field-signature", HTMLInputElement);
  readonly #gone = element("gone-texts", HTMLUListElement);
  readonly #parameters = element("parameter-rows", HTMLElement);
  readonly #usual = element("option-rows", HTMLElement);
  readonly #others = element("more-option-rows", HTMLElement);
  readonly #rows = new Map<string, SpecialisationRow>();
  #texts: SpecialisationTexts;
  #view: SpecialisationView = EMPTY_VIEW;

  /**
   * @param onChange called after each edit; with false when what the source says cannot differ by it
   */
  constructor(
    texts: SpecialisationTexts,
    private readonly onChange: (asksAnew: boolean) => void,
    onSubmit: () => void,
  ) {
    this.#texts = texts;
    // On a phone the editor needs the room.
    this.#details.open = isSideBySide();
    element("specialisation-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onSubmit();
    });
    this.#kernel.addEventListener("change", () => {
      this.#change({ kernel: this.#kernel.value, launch: "", config: "" }, true);
    });
    this.#launch.addEventListener("change", () => {
      this.#change({ launch: this.#launch.value }, true);
    });
    this.#config.addEventListener("change", () => {
      // A configuration that is chosen is meant, whatever was typed before.
      const named = Object.keys(this.#view.configValues[Number(this.#config.value || "0")] ?? {});
      const { constexprs, options } = this.#texts;
      this.#change(
        {
          config: this.#config.value,
          constexprs: without(constexprs, named),
          options: without(options, named),
        },
        true,
      );
    });
    this.#signature.addEventListener("input", () => {
      this.#change({ signature: this.#signature.value }, true);
    });
    this.#show();
  }

  /** What the person chose and typed. */
  get texts(): SpecialisationTexts {
    return this.#texts;
  }

  set texts(texts: SpecialisationTexts) {
    this.#texts = texts;
    this.#view = EMPTY_VIEW;
    for (const row of this.#rows.values()) row.forget();
    this.#rows.clear();
    this.#show();
  }

  /** Whether anything was typed that might not fit an edited source. */
  get hasNames(): boolean {
    const { kernel, launch, config, types, constexprs } = this.#texts;
    const names = [types, constexprs].flatMap((texts) => Object.keys(texts));
    return names.length > 0 || `${kernel}${launch}${config}` !== "";
  }

  /** The request's part, without what the source no longer has; or the texts that cannot be read. */
  read(): { request: SpecialisationRequest } | { errors: FieldError[] } {
    const read = readSpecialisation(fittingTexts(this.#texts, this.#view.gone));
    const errors = "errors" in read ? read.errors : [];
    for (const row of this.#rows.values()) row.error = "";
    for (const { name, message } of errors) {
      for (const row of this.#rows.values()) if (row.name === name) row.error = message;
    }
    if (errors.length > 0) this.#details.open = true;
    return read;
  }

  /** The request's part that an inspection needs: what the source says does not depend on the rest. */
  choices(): SpecialisationRequest {
    const { kernel, launch, config, signature } = fittingTexts(this.#texts, this.#view.gone);
    const only = { kernel, launch, config, signature, types: {}, constexprs: {}, options: {} };
    const read = readSpecialisation(only);
    return "request" in read ? read.request : { guess: true };
  }

  /**
   * Fills the rows from a report.
   *
   * @returns whether a choice did not fit the source, and so another inspection would say more
   */
  show(report: Report): boolean {
    const asked = JSON.stringify(this.choices());
    const before = this.#view.kernel;
    this.#view = viewOf(report, this.#texts, this.#view);
    if (before !== null && this.#view.kernel !== before) {
      // The launches and configurations of another kernel are other ones.
      this.#texts = { ...this.#texts, launch: "", config: "" };
      this.#view = viewOf(report, this.#texts, this.#view);
    }
    this.#show();
    const again = JSON.stringify(this.choices()) !== asked;
    this.#note.textContent = again ? "" : noteOf(report, this.#texts, this.#view);
    return again;
  }

  /** Says in one line why the rows are not those of the source as it is. */
  say(text: string): void {
    this.#note.textContent = text;
    this.#summary.textContent = text;
    this.#details.classList.add("out-of-date");
  }

  #change(changed: Partial<SpecialisationTexts>, asksAnew: boolean): void {
    this.#texts = { ...this.#texts, ...changed };
    this.#view = withTyped(this.#view, this.#texts);
    this.#show();
    this.onChange(asksAnew);
  }

  #show(): void {
    const view = this.#view;
    this.#summary.textContent = summaryOf(view);
    this.#details.classList.remove("out-of-date");
    const first = view.kernels.length + view.helpers.length > 1 ? "Choose for me" : "The only one";
    const chosen = view.gone.some(({ field }) => field === "kernel") ? "" : this.#texts.kernel;
    fill(this.#kernel, chosen, [
      { value: "", label: view.kernel ? `${first}: ${view.kernel}` : first },
      ...view.kernels,
    ]);
    if (view.helpers.length > 0) {
      const group = create("optgroup");
      group.label = "Helpers, called by kernels";
      group.append(...view.helpers.map(({ value, label }) => new Option(label, value)));
      this.#kernel.append(group);
      this.#kernel.value = chosen;
    }
    fill(this.#launch, view.launch, view.launches);
    fill(this.#config, this.#texts.config, [
      { value: "", label: "Choose for me: the first" },
      ...view.configs,
    ]);
    showWith(this.#launch, view.launches.length > 0);
    showWith(this.#config, view.configs.length > 0);
    if (document.activeElement !== this.#signature) this.#signature.value = this.#texts.signature;
    this.#gone.replaceChildren(...view.gone.map((gone) => this.#goneItem(gone)));
    this.#gone.hidden = view.gone.length === 0;
    const place = (into: HTMLElement, rows: readonly SpecialisationRow[]) => {
      const nodes = rows.map((row) => row.node);
      // Replacing a row that is where it belongs would take the focus from its field.
      if (
        nodes.some((node, at) => into.children[at] !== node) ||
        into.children.length !== nodes.length
      ) {
        into.replaceChildren(...nodes);
      }
    };
    place(
      this.#parameters,
      view.parameters.map((row) => this.#parameterRow(row)),
    );
    place(
      this.#usual,
      view.options.filter((row) => row.usual).map((row) => this.#optionRow(row)),
    );
    place(
      this.#others,
      view.options.filter((row) => !row.usual).map((row) => this.#optionRow(row)),
    );
  }

  #parameterRow(row: ParameterRow): SpecialisationRow {
    const field = row.declared ? "constexprs" : "types";
    const label = row.declared ? `Value of ${row.name}` : `Type of ${row.name}`;
    return this.#row(`${field} ${row.name}`, row, label, "text", field);
  }

  #optionRow(row: OptionRow): SpecialisationRow {
    const key = `options ${row.name} ${JSON.stringify(row.control)}`;
    return this.#row(key, row, row.name, row.control, "options");
  }

  #row(
    key: string,
    row: ParameterRow | OptionRow,
    label: string,
    control: OptionRow["control"],
    field: "types" | "constexprs" | "options",
  ): SpecialisationRow {
    const change = (text: string | undefined) => {
      if (text !== undefined) this.#takeOverSignature(field);
      const others = without(this.#texts[field], [row.name]);
      this.#change(
        { [field]: text === undefined ? others : { ...others, [row.name]: text } },
        false,
      );
    };
    const found = this.#rows.get(key) ?? new SpecialisationRow(row.name, label, control, change);
    this.#rows.set(key, found);
    found.show(row.told, row.typed);
    return found;
  }

  /** A signature replaces all rows, so a row that is edited needs the others to say the same. */
  #takeOverSignature(field: "types" | "constexprs" | "options"): void {
    if (field === "options" || this.#texts.signature.trim() === "") return;
    const told = (declared: boolean) =>
      Object.fromEntries(
        this.#view.parameters
          .filter((row) => row.declared === declared && row.told.text !== "")
          .map((row) => [row.name, row.told.text]),
      );
    this.#texts = {
      ...this.#texts,
      signature: "",
      types: { ...told(false), ...this.#texts.types },
      constexprs: { ...told(true), ...this.#texts.constexprs },
    };
  }

  #goneItem(gone: GoneText): HTMLLIElement {
    const item = create("li");
    const what =
      gone.name === gone.field ? `${gone.field} ${gone.text}` : `${gone.name} = ${gone.text}`;
    const remove = create("button", "link", "Remove");
    remove.type = "button";
    remove.setAttribute("aria-label", `Remove ${what}`);
    remove.addEventListener("click", () => {
      const { field, name } = gone;
      this.#view = { ...this.#view, gone: this.#view.gone.filter((other) => other !== gone) };
      const texts = this.#texts[field];
      this.#change({ [field]: typeof texts === "string" ? "" : without(texts, [name]) }, false);
    });
    item.append(create("s", "", what), " is not in the source any more and not used. ", remove);
    return item;
  }
}

function fill(select: HTMLSelectElement, chosen: string, choices: readonly Choice[]): void {
  select.replaceChildren(...choices.map(({ value, label }) => new Option(label, value)));
  select.value = chosen;
}

/** Shows or hides a field with its label. */
function showWith(select: HTMLSelectElement, shown: boolean): void {
  select.hidden = !shown;
  for (const label of select.labels) label.hidden = !shown;
}

function summaryOf(view: SpecialisationView): string {
  const { kernel, launches, launch, parameters, options } = view;
  if (kernel === null) return "";
  const edited = [...parameters, ...options].filter(({ typed }) => typed !== undefined).length;
  const guessed = parameters.filter(
    ({ told, typed }) => told.guessed && typed === undefined,
  ).length;
  const chosen = launches[Number(launch)];
  return [
    kernel,
    ...(chosen ? [`launch, ${chosen.label}`] : []),
    ...(guessed > 0 ? [`${guessed} guessed`] : []),
    ...(edited > 0 ? [`${edited} changed`] : []),
  ].join(" · ");
}

function noteOf(report: Report, texts: SpecialisationTexts, view: SpecialisationView): string {
  const error = report.diagnostics.find(({ severity }) => severity === "error");
  if (report.compilation === null && error) {
    const line = error.line === undefined ? "" : `, line ${error.line}`;
    const rows = view.parameters.length > 0 ? " The rows are as they were." : "";
    return `Not read (${error.stage}${line}): ${error.message.split("\n")[0] ?? ""}${rows}`;
  }
  const choices = report.kernels.filter((kernel) => kernel.called_by === undefined);
  if (texts.kernel === "" && choices.length > 1 && view.kernel !== null) {
    const why =
      view.launches.length > 0 ? "the script launches it first" : "it is the first of them";
    return `Of ${choices.length} kernels, ${view.kernel} is taken: ${why}.`;
  }
  return "";
}
