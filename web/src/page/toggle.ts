/** A button that is on or off. */
export class Toggle {
  /** @param action called when it is switched, by a person or by `set` */
  constructor(
    private readonly button: HTMLButtonElement,
    private readonly action: (on: boolean) => void,
  ) {
    button.setAttribute("aria-pressed", "false");
  }

  get on(): boolean {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  set(on: boolean): void {
    if (on === this.on) return;
    this.button.setAttribute("aria-pressed", String(on));
    this.action(on);
  }
}
