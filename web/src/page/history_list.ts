import { addToHistory, type HistoryEntry, loadHistory } from "../share/compile_history.ts";
import type { Snapshot } from "../share/snapshot.ts";
import { create, element } from "./element.ts";

/** The last compiles, newest first; each can be brought back. */
export class HistoryList {
  readonly #list = element("history-list", HTMLOListElement);
  readonly #empty = element("history-empty", HTMLElement);
  #entries: readonly HistoryEntry[];

  /** @param onRestore called with the entry that the person chose */
  constructor(
    private readonly storage: () => Storage,
    private readonly onRestore: (entry: HistoryEntry) => void,
  ) {
    this.#entries = loadHistory(storage);
    this.#show();
  }

  /** @param kernel the kernel that was compiled; empty when none was */
  add(snapshot: Snapshot, outcome: HistoryEntry["outcome"], kernel: string): void {
    const entry = { ...snapshot, time: Date.now(), outcome, kernel };
    this.#entries = addToHistory(this.storage, entry);
    this.#show();
  }

  #show(): void {
    this.#empty.hidden = this.#entries.length > 0;
    this.#list.replaceChildren(...this.#entries.map((entry) => this.#item(entry)));
  }

  #item(entry: HistoryEntry): HTMLLIElement {
    const item = create("li");
    const button = create("button", "link", kernelName(entry));
    button.type = "button";
    button.addEventListener("click", () => {
      this.onRestore(entry);
    });
    const when = new Date(entry.time).toLocaleString();
    item.append(button, create("span", "note", ` ${entry.target}, ${entry.outcome}, ${when}`));
    return item;
  }
}

/** What a person knows the source by: the kernel that was compiled or asked for, or its first function. */
function kernelName({ kernel, source, specialisation }: HistoryEntry): string {
  const named = kernel || specialisation.kernel.trim();
  return named || (/^\s*def\s+([\p{L}\p{N}_]+)/mu.exec(source)?.[1] ?? "source without a function");
}
