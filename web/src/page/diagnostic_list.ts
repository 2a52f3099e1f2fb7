import type { Diagnostic } from "../report.ts";
import { stageTitle } from "../stages.ts";
import { create } from "./element.ts";

/** Notes beyond this many are folded: they would push everything else out of sight. */
const NOTES_SHOWN = 1;

/** The list of what went wrong: stage, message, line, what to do; the worst first, notes folded. */
export class DiagnosticList {
  /** @param onGoTo called when a diagnostic's line is pressed */
  constructor(
    private readonly section: HTMLElement,
    private readonly list: HTMLElement,
    private readonly stale: HTMLElement,
    private readonly onGoTo: (line: number, column: number | undefined) => void,
  ) {}

  /** Replaces the list; an empty one is hidden. */
  show(diagnostics: readonly Diagnostic[]): void {
    const ofSeverity = (wanted: Diagnostic["severity"]) =>
      diagnostics
        .filter(({ severity }) => severity === wanted)
        .map((diagnostic) => this.#item(diagnostic));
    const notes = ofSeverity("note");
    this.list.replaceChildren(
      ...ofSeverity("error"),
      ...ofSeverity("warning"),
      ...(notes.length > NOTES_SHOWN ? [folded(notes)] : notes),
    );
    this.section.hidden = diagnostics.length === 0;
    this.section.scrollTop = 0;
  }

  /** Says whether the list is of the source as it is. */
  markStale(stale: boolean): void {
    this.section.classList.toggle("out-of-date", stale);
    this.stale.hidden = !stale;
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

function folded(notes: readonly HTMLLIElement[]): HTMLLIElement {
  const item = create("li", "diagnostic note");
  const details = create("details");
  const list = create("ol", "notes");
  list.append(...notes);
  details.append(create("summary", "", `${notes.length} notes`), list);
  item.append(details);
  return item;
}
