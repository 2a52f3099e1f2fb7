import type { Report } from "../report.ts";
import type { Layout } from "../share/layout.ts";
import { stagesOf, stageTitle } from "../stages.ts";
import { element } from "./element.ts";
import type { LineLights } from "./line_lights.ts";
import { OutputPane, REPORT } from "./output_pane.ts";
import type { Tab } from "./tab_list.ts";
import { Toggle } from "./toggle.ts";

/** The stages' texts and the report itself, one tab each, one text or two at a time. */
export class ResultView {
  readonly #first: OutputPane;
  readonly #second: OutputPane;
  readonly #place = element("result", HTMLElement);
  readonly #stale = element("stale", HTMLElement);
  readonly #secondPlace = element("second", HTMLElement);
  readonly #split: Toggle;
  #report: Report | null = null;
  #tabs: readonly Tab[] = [];
  /** The tabs the person chose last; kept while a report lacks them. */
  #wanted: string | null = null;
  #wantedSecond: string | null = null;

  /**
   * @param lights links the lines of the texts
   * @param onChange called when a person changed how the texts are shown
   */
  constructor(
    private readonly lights: LineLights,
    onChange: () => void,
  ) {
    const chosenFirst = (id: string) => {
      this.#wanted = id;
      onChange();
    };
    const chosenSecond = (id: string) => {
      this.#wantedSecond = id;
      onChange();
    };
    this.#first = new OutputPane("", 1, lights, chosenFirst, onChange);
    this.#second = new OutputPane("-2", 2, lights, chosenSecond, onChange);
    const button = element("split", HTMLButtonElement);
    this.#split = new Toggle(button, (split) => {
      this.#secondPlace.hidden = !split;
      this.#showSecond();
    });
    button.addEventListener("click", () => {
      this.#split.set(!this.#split.on);
      onChange();
    });
  }

  /** The tab that the person chose last; empty for none. */
  get view(): string {
    return this.#wanted ?? "";
  }

  set view(id: string) {
    this.#wanted = id === "" ? null : id;
  }

  /** How the texts are shown, beside the first one's tab. */
  get layout(): Layout {
    return {
      split: this.#split.on,
      second: this.#wantedSecond ?? "",
      texts: [this.#first.layout, this.#second.layout],
    };
  }

  set layout({ split, second, texts }: Layout) {
    this.#wantedSecond = second === "" ? null : second;
    [this.#first.layout, this.#second.layout] = texts;
    this.#split.set(split);
    this.#showSecond();
  }

  /** Shows empty tabs for a target, before there is a report. */
  showTarget(target: string): void {
    if (this.#report) return;
    const tabs = tabsOf(target, () => false);
    this.#first.showEmpty(tabs, "Press Ctrl+Enter (⌘+Enter) to compile.");
    this.#second.showEmpty(tabs, "");
  }

  /** Shows a report: the tab chosen before, or else the last stage that was reached. */
  show(report: Report): void {
    this.#report = report;
    this.lights.show(report);
    const reached = new Set<string>(report.compilation?.stages.map((stage) => stage.name));
    const tabs = tabsOf(report.request.target, (id) => id === REPORT || reached.has(id));
    this.#tabs = tabs;
    if (reached.size === 0 && this.#wanted !== REPORT) this.#first.showWhyNothing(report, tabs);
    else this.#first.show(report, tabs, choiceOf(tabs, this.#wanted));
    this.#showSecond();
  }

  /** Brings the texts into view where they are not beside the source: on a phone. */
  scrollTo(): void {
    this.#place.scrollIntoView({ block: "start" });
  }

  /** Says whether what is shown is the outcome of what would be compiled now. */
  markStale(stale: boolean): void {
    const marked = stale && this.#report !== null;
    this.#stale.hidden = !marked;
    this.#place.classList.toggle("out-of-date", marked);
  }

  #showSecond(): void {
    if (this.#secondPlace.hidden || !this.#report) return;
    const tabs = this.#tabs;
    const first = tabs.findIndex(({ id }) => id === this.#first.selected);
    const before = tabs.slice(0, first).findLast(({ enabled }) => enabled)?.id;
    this.#second.show(this.#report, tabs, choiceOf(tabs, this.#wantedSecond ?? before ?? null));
  }
}

function tabsOf(target: string, enabled: (id: string) => boolean): Tab[] {
  const stages = stagesOf(target).map((stage) => ({ id: stage, title: stageTitle(stage) }));
  return [...stages, { id: REPORT, title: "Report" }].map((tab) => ({
    ...tab,
    enabled: enabled(tab.id),
  }));
}

/** The tab that is wanted, or else the last stage that was reached. */
function choiceOf(tabs: readonly Tab[], wanted: string | null): string {
  // The last stage is called PTX for one vendor and AMDGCN for the other.
  const last = (id: string | null) => (id === "ptx" || id === "amdgcn" ? "last" : id);
  const enabled = tabs.filter((tab) => tab.enabled);
  const found = enabled.find((tab) => last(tab.id) === last(wanted));
  const stages = enabled.filter((tab) => tab.id !== REPORT);
  return found?.id ?? stages.at(-1)?.id ?? REPORT;
}
