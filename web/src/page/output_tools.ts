import { type Detail, DETAILS } from "../languages/details.ts";
import type { TextLayout } from "../share/layout.ts";
import { create } from "./element.ts";
import type { OutputViewer } from "./output_viewer.ts";
import { Toggle } from "./toggle.ts";

/** Milliseconds for which a button says that it has done its work. */
const CONFIRMED = 1500;

/** The buttons above a text: what of it is seen, and ways to take it along. */
export class OutputTools {
  readonly #details: ReadonlyMap<Detail, Toggle>;
  readonly #wrap: Toggle;

  /**
   * @param place where the buttons go
   * @param fileName of a download
   * @param onChange called when a person changed what is seen
   */
  constructor(
    private readonly place: HTMLElement,
    private readonly viewer: OutputViewer,
    private readonly fileName: () => string,
    private readonly onChange: () => void,
  ) {
    this.#details = new Map(
      DETAILS.map((detail) => [
        detail,
        this.#toggle(`Hide ${detail}`, (on) => {
          viewer.hide(detail, on);
        }),
      ]),
    );
    this.#wrap = this.#toggle("Wrap", (on) => {
      viewer.wrap(on);
    });
    this.#button("Find", () => {
      viewer.find();
    });
    const copy = this.#button("Copy", () => {
      void this.#copy(copy);
    });
    this.#button("Download", () => {
      this.#download();
    });
  }

  /** What of the text is seen. */
  get layout(): TextLayout {
    const hidden = [...this.#details].filter(([, toggle]) => toggle.on).map(([detail]) => detail);
    return { hidden, wraps: this.#wrap.on };
  }

  set layout({ hidden, wraps }: TextLayout) {
    for (const [detail, toggle] of this.#details) toggle.set(hidden.includes(detail));
    this.#wrap.set(wraps);
  }

  #toggle(title: string, action: (on: boolean) => void): Toggle {
    const button = this.#button(title, () => {
      toggle.set(!toggle.on);
      this.onChange();
    });
    const toggle = new Toggle(button, action);
    return toggle;
  }

  #button(title: string, action: () => void): HTMLButtonElement {
    const button = create("button", "tool", title);
    button.type = "button";
    button.addEventListener("click", action);
    this.place.append(button);
    return button;
  }

  async #copy(button: HTMLButtonElement): Promise<void> {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(this.viewer.text);
    } catch {
      said = "The browser does not let this page copy: use Download";
    }
    button.setAttribute("aria-live", "polite");
    button.textContent = said;
    setTimeout(() => {
      button.textContent = "Copy";
    }, CONFIRMED);
  }

  #download(): void {
    const anchor = create("a");
    anchor.href = URL.createObjectURL(new Blob([this.viewer.text], { type: "text/plain" }));
    anchor.download = this.fileName();
    anchor.click();
    // The download has begun by then, and holds the bytes itself.
    setTimeout(() => {
      URL.revokeObjectURL(anchor.href);
    }, 10_000);
  }
}
