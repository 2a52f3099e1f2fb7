import { element } from "./element.ts";
import { LIMIT_FIELDS, type LimitTexts } from "./limit_fields.ts";

/** The fields for the time limit and the memory limit. */
export class LimitForm {
  readonly #details = element("limits", HTMLDetailsElement);

  /** @param onChange called after each edit */
  constructor(texts: LimitTexts, onChange: () => void, onSubmit: () => void) {
    const form = element("limits-form", HTMLFormElement);
    for (const field of LIMIT_FIELDS) input(field).value = texts[field];
    this.#details.open = LIMIT_FIELDS.some((field) => texts[field] !== "");
    form.addEventListener("input", onChange);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      onSubmit();
    });
  }

  get texts(): LimitTexts {
    return { timeLimit: input("timeLimit").value, memoryLimit: input("memoryLimit").value };
  }

  /** Marks the fields that hold no number and goes to the first; an empty list clears all. */
  showErrors(wrong: readonly (keyof LimitTexts)[]): void {
    for (const field of LIMIT_FIELDS) {
      const text = wrong.includes(field) ? "Write a number, or 0 for no limit." : "";
      element(`error-${field}`, HTMLParagraphElement).textContent = text;
      input(field).setAttribute("aria-invalid", String(text !== ""));
    }
    const [first] = wrong;
    if (first === undefined) return;
    this.#details.open = true;
    input(first).focus();
  }
}

function input(field: keyof LimitTexts): HTMLInputElement {
  return element(`field-${field}`, HTMLInputElement);
}
