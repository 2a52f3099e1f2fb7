import type { Diagnostic } from "../report.ts";
import { stageTitle } from "../stages.ts";
import { create } from "./element.ts";

/** The list of what went wrong: stage, message, line, what to do. */
export class DiagnosticList {
  /** @param onGoTo called when a diagnostic's line is pressed */
  constructor(
    private readonly section: HTMLElement,
    private readonly list: HTMLElement,
    private readonly onGoTo: (line: number, column: number | undefined) => void,
  ) {}

  /** Replaces the list; an empty one is hidden. */
  show(diagnostics: readonly Diagnostic[]): void {
    this.list.replaceChildren(...diagnostics.map((diagnostic) => this.#item(diagnostic)));
    this.section.hidden = diagnostics.length === 0;
  }

  #item(diagnostic: Diagnostic): HTMLLIElement {
    const { severity, stage, message, line, column, hint, detail } = diagnostic;
    const item = create("li", `diagnostic ${severity}`);
    const head = create("div", "diagnostic-head");
    head.append(create("span", "diagnostic-stage", `${severity} · ${stageTitle(stage)}`));
    if (line !== undefined) {
      const place = create("button", "link", `line ${line}`);
      place.type = "button";
      place.addEventListener("click", () => {
        this.onGoTo(line, column);
      });
      head.append(place);
    }
    item.append(head, create("p", "diagnostic-message", message));
    if (hint !== undefined) item.append(create("p", "diagnostic-hint", hint));
    if (detail !== undefined) {
      const more = create("details");
      more.append(create("summary", "", "Compiler’s own text"), create("pre", "", detail));
      item.append(more);
    }
    return item;
  }
}
