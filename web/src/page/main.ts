import { CancelledError, CompilerClient, LoadError } from "../compiler_client.ts";
import type { Target } from "../protocol.ts";
import type { Report } from "../report.ts";
import { startBrowserWorker } from "./browser_worker.ts";
import defaultKernel from "./default_kernel.py?raw";
import { DiagnosticList } from "./diagnostic_list.ts";
import { element } from "./element.ts";
import { LoadStatus } from "./load_status.ts";
import { OutputViewer } from "./output_viewer.ts";
import { ResultView } from "./result_view.ts";
import { loadWork, saveWork } from "./saved_work.ts";
import { SourceEditor } from "./source_editor.ts";
import { EMPTY_TEXTS, readSpecialisation } from "./specialisation_fields.ts";
import { SpecialisationForm } from "./specialisation_form.ts";
import { showTargets } from "./target_list.ts";

/** Shown until the compiler has told the targets it knows. */
const FIRST_TARGETS: readonly Target[] = [
  { name: "cuda:80", displayName: "NVIDIA Ampere, sm_80 (A100)" },
  { name: "hip:gfx942", displayName: "AMD CDNA 3, gfx942 (MI300)" },
];

/** Milliseconds of rest after an edit before it is saved. */
const SAVE_DELAY = 300;

const storage = () => localStorage;
const work = loadWork(storage) ?? {
  source: defaultKernel,
  target: "cuda:80",
  specialisation: EMPTY_TEXTS,
};

const compileButton = element("compile", HTMLButtonElement);
const cancelButton = element("cancel", HTMLButtonElement);
const retryButton = element("retry", HTMLButtonElement);
const targetSelect = element("target", HTMLSelectElement);
const outputElement = element("output", HTMLElement);

const status = new LoadStatus(
  element("status", HTMLElement),
  element("progress", HTMLProgressElement),
);
const result = new ResultView(
  element("tabs", HTMLElement),
  outputElement,
  element("summary", HTMLElement),
  new OutputViewer(outputElement),
);
const editor = new SourceEditor(element("editor", HTMLElement), work.source, saveSoon);
const diagnostics = new DiagnosticList(
  element("problems", HTMLElement),
  element("diagnostics", HTMLOListElement),
  (line, column) => {
    editor.goTo(line, column);
  },
);
const form = new SpecialisationForm(work.specialisation, saveSoon, () => {
  void compile();
});

const knownFirst = FIRST_TARGETS.some(({ name }) => name === work.target);
showTargets(
  targetSelect,
  knownFirst ? FIRST_TARGETS : [...FIRST_TARGETS, { name: work.target, displayName: work.target }],
  work.target,
);
result.showTarget(work.target);

const client = new CompilerClient(startBrowserWorker, {
  onProgress: (message) => {
    status.showProgress(message);
  },
  onReady: ({ targets, versions, seconds }) => {
    showTargets(targetSelect, targets, targetSelect.value);
    status.show(`Ready: Triton ${versions.triton}, loaded in ${seconds.toFixed(1)} s`);
  },
  onLoadFailed: (message) => {
    status.show(`The compiler could not be loaded: ${message}`);
    retryButton.hidden = false;
  },
  onStage: (stage) => {
    status.show(`Compiling: ${stage}`);
  },
});

async function compile(): Promise<void> {
  if (client.busy) return;
  const read = readSpecialisation(form.texts);
  form.showErrors("errors" in read ? read.errors : []);
  if ("errors" in read) return;
  save();
  setCompiling(true);
  try {
    const request = { source: editor.text, target: targetSelect.value, ...read.request };
    showReport(await client.compile(request));
  } catch (error) {
    if (error instanceof CancelledError) status.show("Cancelled; a fresh compiler is loading");
    else if (!(error instanceof LoadError)) throw error;
  } finally {
    setCompiling(false);
  }
}

function showReport(report: Report): void {
  result.show(report);
  diagnostics.show(report.diagnostics);
  editor.mark(report.diagnostics);
  const seconds = `${report.seconds.toFixed(2)} s`;
  const error = report.diagnostics.find(({ severity }) => severity === "error");
  status.show(
    report.ok
      ? `Compiled for ${report.request.target} in ${seconds}`
      : `Did not compile: error in stage ${error?.stage ?? "runtime"}, after ${seconds}`,
  );
}

function setCompiling(compiling: boolean): void {
  compileButton.disabled = compiling;
  cancelButton.hidden = !compiling;
}

let saveTimer: ReturnType<typeof setTimeout> | undefined;

function saveSoon(): void {
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, SAVE_DELAY);
}

function save(): void {
  clearTimeout(saveTimer);
  saveWork(storage, {
    source: editor.text,
    target: targetSelect.value,
    specialisation: form.texts,
  });
}

compileButton.addEventListener("click", () => {
  void compile();
});
cancelButton.addEventListener("click", () => {
  client.cancel();
});
retryButton.addEventListener("click", () => {
  retryButton.hidden = true;
  status.show("Starting the compiler");
  client.reload();
});
targetSelect.addEventListener("change", () => {
  result.showTarget(targetSelect.value);
  saveSoon();
});
// Before the editor sees it: CodeMirror's own Mod-Enter inserts a blank line.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void compile();
  },
  { capture: true },
);
window.addEventListener("pagehide", save);
