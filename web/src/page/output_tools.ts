import { create } from "./element.ts";
import type { OutputViewer } from "./output_viewer.ts";

/** Milliseconds for which a button says that it has done its work. */
const CONFIRMED = 1500;

/** The buttons above a text: what of it is seen, and ways to take it along. */
export class OutputTools {
  /**
   * @param place where the buttons go
   * @param fileName of a download
   */
  constructor(
    private readonly place: HTMLElement,
    private readonly viewer: OutputViewer,
    private readonly fileName: () => string,
  ) {
    this.#toggle("Hide locations", (on) => {
      viewer.hide("locations", on);
    });
    this.#toggle("Hide attributes", (on) => {
      viewer.hide("attributes", on);
    });
    this.#toggle("Wrap", (on) => {
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

  #toggle(title: string, action: (on: boolean) => void): void {
    const button = this.#button(title, () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      action(on);
    });
    button.setAttribute("aria-pressed", "false");
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
