import type { ProgressMessage } from "../protocol.ts";
import { progressText } from "./progress_text.ts";

/** The status line and the progress bar of the compiler's download. */
export class LoadStatus {
  constructor(
    private readonly line: HTMLElement,
    private readonly bar: HTMLProgressElement,
  ) {}

  /** Shows how far the download or the start has come. */
  showProgress(message: ProgressMessage): void {
    this.bar.hidden = false;
    if (message.phase === "download" && message.total > 0) {
      this.bar.max = message.total;
      this.bar.value = message.loaded;
    } else if (message.phase !== "python") {
      // Without a value the bar shows that something is going on, but not how much.
      this.bar.removeAttribute("value");
    }
    const text = progressText(message);
    if (text !== null) this.line.textContent = text;
  }

  /** Shows a text without a bar. */
  show(text: string): void {
    this.bar.hidden = true;
    this.line.textContent = text;
  }
}
