import type { Report, StageName } from "../report.ts";
import { stagesOf, stageTitle } from "../stages.ts";
import type { OutputViewer } from "./output_viewer.ts";
import { type Tab, TabList } from "./tab_list.ts";

const REPORT = "report";

/** PTX and AMDGCN are text for an assembler: nothing has accepted them yet. */
const NOT_FINAL: Partial<Record<StageName, string>> = {
  ptx: "Before ptxas: registers and scheduling are not final.",
  amdgcn: "Before the assembler and the linker.",
};

/** The stages' texts and the report itself, one tab each. */
export class ResultView {
  readonly #tabs: TabList;
  #report: Report | null = null;
  /** The tab the person chose last; kept while a report lacks it. */
  #wanted: string | null = null;

  constructor(
    tabs: HTMLElement,
    panel: HTMLElement,
    private readonly summary: HTMLElement,
    private readonly viewer: OutputViewer,
  ) {
    this.#tabs = new TabList(tabs, panel, (id) => {
      this.#wanted = id;
      this.#showText(id);
    });
  }

  /** The tab that the person chose last; empty for none. */
  get view(): string {
    return this.#wanted ?? "";
  }

  set view(id: string) {
    this.#wanted = id === "" ? null : id;
  }

  /** Shows empty tabs for a target, before there is a report. */
  showTarget(target: string): void {
    if (this.#report) return;
    const tabs = stagesOf(target).map((stage) => ({
      id: stage,
      title: stageTitle(stage),
      enabled: false,
    }));
    this.#tabs.show([...tabs, { id: REPORT, title: "Report", enabled: false }], "");
    this.summary.textContent = "Press Ctrl+Enter (⌘+Enter) to compile.";
  }

  /** Shows a report: the tab chosen before, or else the last stage that was reached. */
  show(report: Report): void {
    this.#report = report;
    const reached = new Set(report.compilation?.stages.map((stage) => stage.name));
    const tabs: Tab[] = stagesOf(report.request.target).map((stage) => ({
      id: stage,
      title: stageTitle(stage),
      enabled: reached.has(stage),
    }));
    tabs.push({ id: REPORT, title: "Report", enabled: true });
    const selected = this.#choice(tabs);
    this.#tabs.show(tabs, selected);
    if (reached.size === 0 && this.#wanted !== REPORT) this.#showWhyNothing(report);
    else this.#showText(selected);
  }

  /** A report as JSON is a poor answer to somebody who asked for PTX. */
  #showWhyNothing(report: Report): void {
    const messages = report.diagnostics.map(({ stage, line, message, hint }) =>
      [
        `${stageTitle(stage)}${line === undefined ? "" : `, line ${line}`}: ${message}`,
        ...(hint === undefined ? [] : [hint]),
      ].join("\n"),
    );
    this.viewer.show(messages.join("\n\n"));
    this.summary.textContent = "No stage was reached. The Report tab holds everything.";
  }

  #choice(tabs: readonly Tab[]): string {
    // The last stage is called PTX for one vendor and AMDGCN for the other.
    const last = (id: string | null) => (id === "ptx" || id === "amdgcn" ? "last" : id);
    const enabled = tabs.filter((tab) => tab.enabled);
    const wanted = enabled.find((tab) => last(tab.id) === last(this.#wanted));
    const stages = enabled.filter((tab) => tab.id !== REPORT);
    return wanted?.id ?? stages.at(-1)?.id ?? REPORT;
  }

  #showText(id: string): void {
    const report = this.#report;
    if (!report) return;
    const stage = report.compilation?.stages.find((candidate) => candidate.name === id);
    this.viewer.show(stage ? stage.text : JSON.stringify(report, null, 2));
    this.summary.textContent = stage
      ? [
          `${stage.text.split("\n").length - 1} lines in ${stage.seconds.toFixed(2)} s.`,
          NOT_FINAL[stage.name] ?? "",
        ].join(" ")
      : "Everything this compile returned, as JSON.";
  }
}
