import type { Report, Stage, StageName } from "../report.ts";
import type { TextLayout } from "../share/layout.ts";
import { stageTitle } from "../stages.ts";
import { element } from "./element.ts";
import type { LineLights } from "./line_lights.ts";
import { OutputTools } from "./output_tools.ts";
import { OutputViewer } from "./output_viewer.ts";
import { type Tab, TabList } from "./tab_list.ts";

/** The tab that shows everything a compile returned. */
export const REPORT = "report";

/** PTX and AMDGCN are text for an assembler: nothing has accepted them yet. */
const NOT_FINAL: Partial<Record<StageName, string>> = {
  ptx: "Before ptxas: registers and scheduling are not final.",
  amdgcn: "Before the assembler and the linker.",
};

/** One text of a report and the tabs that choose it. */
export class OutputPane {
  readonly #tabs: TabList;
  readonly #summary: HTMLElement;
  readonly #viewer: OutputViewer;
  readonly #tools: OutputTools;
  #report: Report | null = null;
  #stage: Stage | null = null;

  /**
   * @param suffix what the ids of its elements end in
   * @param order its place among the linked texts
   * @param onChoose called when a person chose a tab
   * @param onChange called when a person changed what of the text is seen
   */
  constructor(
    suffix: "" | "-2",
    order: number,
    private readonly lights: LineLights,
    onChoose: (id: string) => void,
    onChange: () => void,
  ) {
    const panel = element(`output${suffix}`, HTMLElement);
    this.#summary = element(`summary${suffix}`, HTMLElement);
    this.#viewer = new OutputViewer(
      panel,
      lights.extension(order, () => this.#stage?.name ?? null),
    );
    this.#tabs = new TabList(element(`tabs${suffix}`, HTMLElement), panel, (id) => {
      this.#showText(id);
      onChoose(id);
    });
    this.#tools = new OutputTools(
      element(`tools${suffix}`, HTMLElement),
      this.#viewer,
      () => this.#fileName(),
      onChange,
    );
  }

  /** What of the text is seen. */
  get layout(): TextLayout {
    return this.#tools.layout;
  }

  set layout(layout: TextLayout) {
    this.#tools.layout = layout;
  }

  /** The tab that is shown. */
  get selected(): string {
    return this.#tabs.selected;
  }

  /** Shows tabs that have no text yet. */
  showEmpty(tabs: readonly Tab[], summary: string): void {
    this.#tabs.show(tabs, "");
    this.#summary.textContent = summary;
  }

  /** Shows the text of one tab of a report. */
  show(report: Report, tabs: readonly Tab[], selected: string): void {
    this.#report = report;
    this.#tabs.show(tabs, selected);
    this.#showText(selected);
  }

  /** A report as JSON is a poor answer to somebody who asked for PTX. */
  showWhyNothing(report: Report, tabs: readonly Tab[]): void {
    const errors = report.diagnostics.filter(({ severity }) => severity === "error");
    const others = report.diagnostics.filter(({ severity }) => severity !== "error");
    const messages = [...errors, ...others].map(({ stage, line, message, hint }) =>
      [
        `${stageTitle(stage)}${line === undefined ? "" : `, line ${line}`}: ${message}`,
        ...(hint === undefined ? [] : [hint]),
      ].join("\n"),
    );
    this.#report = report;
    this.#stage = null;
    this.#tabs.show(tabs, REPORT);
    this.#viewer.show(messages.join("\n\n"), "plain");
    this.#summary.textContent = "The compile ended before its first text. This is why:";
  }

  #showText(id: string): void {
    const report = this.#report;
    if (!report) return;
    const stage = report.compilation?.stages.find((candidate) => candidate.name === id);
    this.#stage = stage ?? null;
    if (stage) this.#viewer.show(stage.text, stage.language);
    else this.#viewer.show(JSON.stringify(report, null, 2), "json");
    this.#summary.textContent = stage
      ? [
          `${stage.text.split("\n").length - 1} lines in ${stage.seconds.toFixed(2)} s.`,
          NOT_FINAL[stage.name] ?? "",
        ].join(" ")
      : "Everything this compile returned, as JSON.";
    this.lights.refresh();
  }

  #fileName(): string {
    const { compilation, request } = this.#report ?? {};
    const kernel = (compilation?.kernel ?? "kernel").replaceAll(/\W/g, "_");
    const target = (request?.target ?? "").replaceAll(/\W/g, "-");
    return `${kernel}.${target}.${this.#stage?.name ?? "json"}`;
  }
}
