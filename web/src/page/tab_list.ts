import { create } from "./element.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly enabled: boolean;
}

/** A row of tabs over one panel, with the keys that ARIA's tab pattern asks for. */
export class TabList {
  #tabs: readonly Tab[] = [];
  #selected = "";

  /** @param onSelect called when another tab is chosen */
  constructor(
    private readonly list: HTMLElement,
    private readonly panel: HTMLElement,
    private readonly onSelect: (id: string) => void,
  ) {
    list.addEventListener("click", (event) => {
      const button = (event.target as Element).closest<HTMLButtonElement>("[role=tab]");
      if (button && !button.disabled) this.#choose(button.dataset.tab ?? "");
    });
    list.addEventListener("keydown", (event) => {
      this.#onKey(event);
    });
  }

  get selected(): string {
    return this.#selected;
  }

  /** Replaces the tabs and selects one of them, without calling onSelect. */
  show(tabs: readonly Tab[], selected: string): void {
    this.#tabs = tabs;
    this.#selected = selected;
    this.#render();
  }

  #choose(id: string): void {
    this.#selected = id;
    this.#render();
    this.list.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    this.onSelect(id);
  }

  #render(): void {
    this.list.replaceChildren(...this.#tabs.map((tab) => this.#button(tab)));
    const label = this.#tabs.some(({ id }) => id === this.#selected);
    if (label) this.panel.setAttribute("aria-labelledby", `${this.panel.id}-tab-${this.#selected}`);
    else this.panel.removeAttribute("aria-labelledby");
  }

  #button(tab: Tab): HTMLButtonElement {
    const button = create("button", "tab", tab.title);
    const selected = tab.id === this.#selected;
    button.type = "button";
    button.id = `${this.panel.id}-tab-${tab.id}`;
    button.dataset.tab = tab.id;
    button.disabled = !tab.enabled;
    button.tabIndex = selected ? 0 : -1;
    button.setAttribute("role", "tab");
    button.setAttribute("aria-selected", String(selected));
    button.setAttribute("aria-controls", this.panel.id);
    return button;
  }

  #onKey(event: KeyboardEvent): void {
    const enabled = this.#tabs.filter((tab) => tab.enabled);
    const at = enabled.findIndex((tab) => tab.id === this.#selected);
    const last = enabled.length - 1;
    const targets: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = enabled[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    this.#choose(next.id);
  }
}
