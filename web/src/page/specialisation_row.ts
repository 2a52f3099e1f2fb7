import { create } from "./element.ts";
import type { OptionControl, Told } from "./specialisation_view.ts";

let count = 0;

/** One row of the panel: a name, a field, where its content comes from, and a button that takes an edit back. */
export class SpecialisationRow {
  readonly node = create("div", "specialisation-row");
  readonly #field: HTMLInputElement | HTMLSelectElement;
  readonly #origin = create("span", "origin");
  readonly #reset = create("button", "link", "Reset");
  readonly #error = create("p", "field-error");
  #isForgotten = false;

  /**
   * @param name the parameter or the option
   * @param label the field's name for who cannot see the row
   * @param onChange called with the text of each edit, and with undefined when it is taken back
   */
  constructor(
    readonly name: string,
    label: string,
    control: OptionControl,
    onChange: (text: string | undefined) => void,
  ) {
    count += 1;
    this.#field = fieldFor(control);
    this.#field.id = `row-${count}`;
    this.#field.setAttribute("aria-label", label);
    this.#origin.id = `row-${count}-origin`;
    this.#error.id = `row-${count}-error`;
    this.#field.setAttribute("aria-describedby", `${this.#origin.id} ${this.#error.id}`);
    const title = create("label", "row-name", name);
    title.htmlFor = this.#field.id;
    this.#reset.type = "button";
    this.#reset.setAttribute("aria-label", `Reset ${name}`);
    this.#reset.addEventListener("click", () => {
      onChange(undefined);
      this.#field.focus();
    });
    this.#field.addEventListener("input", () => {
      if (!this.#isForgotten) onChange(textIn(this.#field));
    });
    this.#field.addEventListener("change", () => {
      if (!this.#isForgotten && textIn(this.#field).trim() === "") onChange(undefined);
    });
    const from = create("span", "row-from");
    from.append(this.#origin, this.#reset);
    this.node.append(title, this.#field, from, this.#error);
  }

  /** Shows what is told, and over it what was typed. */
  show({ text, origin, guessed }: Told, typed: string | undefined): void {
    const edited = typed !== undefined;
    const shown = typed ?? text;
    if (textIn(this.#field) !== shown) setText(this.#field, shown);
    this.#origin.textContent = edited ? "yours" : origin;
    this.#origin.classList.toggle("guess", guessed && !edited);
    this.node.classList.toggle("edited", edited);
    this.#reset.hidden = !edited;
    this.#reset.title = text === "" ? "Back to what the source says" : `Back to ${text}, ${origin}`;
  }

  /** Shows what is wrong with the text; empty for nothing. */
  set error(message: string) {
    this.#error.textContent = message;
    this.#field.setAttribute("aria-invalid", String(message !== ""));
  }

  /** Ends the row: a browser may still report a change of a field that is taken away. */
  forget(): void {
    this.#isForgotten = true;
  }
}

function fieldFor(control: OptionControl): HTMLInputElement | HTMLSelectElement {
  if (control !== "flag" && control !== "number" && control !== "text") {
    const select = create("select");
    select.append(...control.map((word) => new Option(word, word)));
    return select;
  }
  const input = create("input");
  input.type = control === "flag" ? "checkbox" : control;
  input.autocomplete = "off";
  input.spellcheck = false;
  if (control === "number") input.placeholder = "none";
  return input;
}

function textIn(field: HTMLInputElement | HTMLSelectElement): string {
  if (field instanceof HTMLInputElement && field.type === "checkbox") return String(field.checked);
  return field.value;
}

function setText(field: HTMLInputElement | HTMLSelectElement, text: string): void {
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    field.checked = text.toLowerCase() === "true";
    return;
  }
  if (field instanceof HTMLSelectElement && ![...field.options].some((o) => o.value === text)) {
    field.add(new Option(text, text));
  }
  field.value = text;
}
