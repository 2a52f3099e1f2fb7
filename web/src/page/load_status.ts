import type { ProgressMessage } from "../protocol.ts";
import { element } from "./element.ts";
import { progressText } from "./progress_text.ts";

/** How far the compiler has been loaded; hidden while there is nothing to say. */
export class LoadStatus {
  readonly #box = element("load", HTMLElement);
  readonly #line = element("load-line", HTMLElement);
  readonly #bar = element("load-bar", HTMLProgressElement);
  readonly #retry = element("retry", HTMLButtonElement);

  /** @param onRetry called when the person asks to load again after a failure */
  constructor(onRetry: () => void) {
    this.#retry.addEventListener("click", onRetry);
  }

  showProgress(message: ProgressMessage): void {
    const text = progressText(message);
    if (text === null) return;
    this.#show(text);
    if (message.phase === "download" && message.total > 0) {
      this.#bar.max = message.total;
      this.#bar.value = message.loaded;
    } else {
      // Without a value the bar shows that something is going on, but not how much.
      this.#bar.removeAttribute("value");
    }
  }

  showFailure(reason: string): void {
    this.#show(`The compiler could not be loaded: ${reason}`);
    this.#bar.hidden = true;
    this.#retry.hidden = false;
  }

  hide(): void {
    this.#box.hidden = true;
  }

  #show(text: string): void {
    this.#box.hidden = false;
    this.#bar.hidden = false;
    this.#retry.hidden = true;
    this.#line.textContent = text;
  }
}
