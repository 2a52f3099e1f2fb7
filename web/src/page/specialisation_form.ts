import { element } from "./element.ts";
import type { FieldError, SpecialisationTexts } from "./specialisation_fields.ts";

const FIELDS = ["kernel", "signature", "constexprs", "options"] as const;

/** The text fields for kernel, signature, constexprs and options. */
export class SpecialisationForm {
  readonly #details = element("specialisation", HTMLDetailsElement);

  /** @param onChange called after each edit */
  constructor(texts: SpecialisationTexts, onChange: () => void, onSubmit: () => void) {
    const form = element("specialisation-form", HTMLFormElement);
    this.texts = texts;
    form.addEventListener("input", onChange);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      onSubmit();
    });
  }

  get texts(): SpecialisationTexts {
    return {
      kernel: input("kernel").value,
      signature: input("signature").value,
      constexprs: input("constexprs").value,
      options: input("options").value,
    };
  }

  set texts(texts: SpecialisationTexts) {
    for (const field of FIELDS) input(field).value = texts[field];
    this.#details.open = FIELDS.some((field) => texts[field] !== "");
  }

  /** Shows what is wrong beside its field and goes to the first; an empty list clears all. */
  showErrors(errors: readonly FieldError[]): void {
    for (const field of ["constexprs", "options"] as const) {
      const error = errors.find((candidate) => candidate.field === field);
      element(`error-${field}`, HTMLParagraphElement).textContent = error?.message ?? "";
      input(field).setAttribute("aria-invalid", String(error !== undefined));
    }
    const [first] = errors;
    if (!first) return;
    this.#details.open = true;
    input(first.field).focus();
  }
}

function input(field: keyof SpecialisationTexts): HTMLInputElement {
  return element(`field-${field}`, HTMLInputElement);
}
