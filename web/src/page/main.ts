import { CancelledError, CompilerClient, LoadError } from "../compiler_client.ts";
import type { Target } from "../protocol.ts";
import type { Report } from "../report.ts";
import { SpareWorkers } from "../spare_worker.ts";
import { startBrowserWorker } from "./browser_worker.ts";
import defaultKernel from "./default_kernel.py?raw";
import { DiagnosticList } from "./diagnostic_list.ts";
import { loadEditorState, saveEditorState } from "./editor_state.ts";
import { element } from "./element.ts";
import { HistoryList } from "./history_list.ts";
import { EMPTY_LIMITS, readLimits } from "./limit_fields.ts";
import { offerKeyList } from "./key_list.ts";
import { LimitForm } from "./limit_form.ts";
import { LineLights } from "./line_lights.ts";
import { LoadStatus } from "./load_status.ts";
import { keepForOffline } from "./offline.ts";
import { ResultView } from "./result_view.ts";
import { loadWork, saveWork } from "./saved_work.ts";
import { PLAIN_LAYOUT } from "../share/layout.ts";
import type { Snapshot } from "../share/snapshot.ts";
import { stageTitle } from "../stages.ts";
import { ShareControls } from "./share_controls.ts";
import { SourceEditor } from "./source_editor.ts";
import { EMPTY_TEXTS } from "./specialisation_fields.ts";
import { Inspector } from "./inspector.ts";
import { SpecialisationPanel } from "./specialisation_panel.ts";
import { chooseTarget, showTargets } from "./target_list.ts";
import { isSideBySide } from "./width.ts";
import { offerThemes } from "./theme_choice.ts";

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
  limits: EMPTY_LIMITS,
  view: "",
  layout: PLAIN_LAYOUT,
};

offerThemes();
offerKeyList();

const compileButton = element("compile", HTMLButtonElement);
const cancelButton = element("cancel", HTMLButtonElement);
const targetSelect = element("target", HTMLSelectElement);

const statusLine = element("status", HTMLElement);
const loadStatus = new LoadStatus(() => {
  client.reload();
});
const lights = new LineLights();
const result = new ResultView(lights, saveSoon);
result.view = work.view;
result.layout = work.layout;
const editor = new SourceEditor(
  element("editor", HTMLElement),
  work.source,
  loadEditorState(storage),
  () => {
    saveSoon();
    inspector.changed();
  },
  lights.extension(0, () => "source"),
);
const diagnostics = new DiagnosticList(
  element("problems", HTMLElement),
  element("diagnostics", HTMLOListElement),
  element("problems-stale", HTMLElement),
  (line, column) => {
    editor.goTo(lights.presentLine(line) ?? line, column);
  },
);
const submit = () => {
  void compile();
};
const panel = new SpecialisationPanel(
  work.specialisation,
  (asksAnew) => {
    saveSoon();
    if (asksAnew) inspector.changed();
  },
  submit,
);
const limitForm = new LimitForm(work.limits, saveSoon, submit);

const pastCompiles = new HistoryList(storage, openSnapshot);
const sharing = new ShareControls({
  snapshot,
  openSnapshot,
  openSource: (source) => {
    setAside();
    editor.replace(source);
  },
  say: (text, failed = false) => {
    statusLine.classList.toggle("failed", failed);
    statusLine.textContent = text;
  },
});

const knownFirst = FIRST_TARGETS.some(({ name }) => name === work.target);
showTargets(
  targetSelect,
  knownFirst ? FIRST_TARGETS : [...FIRST_TARGETS, { name: work.target, displayName: work.target }],
  work.target,
);
result.showTarget(work.target);

/** GiB below which a second compiler in memory would push other tabs out. */
const ROOM_FOR_A_SPARE = 4;
const { deviceMemory = ROOM_FOR_A_SPARE } = navigator as { deviceMemory?: number };
const workers = new SpareWorkers(startBrowserWorker, (milliseconds, action) => {
  if (deviceMemory >= ROOM_FOR_A_SPARE) setTimeout(action, milliseconds);
});
const client = new CompilerClient(() => workers.take(), {
  onProgress: (message) => {
    loadStatus.showProgress(message);
  },
  onReady: ({ targets, versions, completions, seconds }) => {
    editor.complete(completions);
    showTargets(targetSelect, targets, targetSelect.value);
    // A fresh worker after a cancelled compile has no news: the source may be what was cancelled.
    if (!wasReady) void inspector.now();
    wasReady = true;
    loadStatus.hide();
    // Not before: it would compete with the compiler for the network.
    void keepForOffline();
    // After a crash or a cancelled compile, what happened stays to be read.
    statusLine.textContent ||= `Ready: Triton ${versions.triton}, loaded in ${seconds.toFixed(1)} s`;
  },
  onLoadFailed: (message) => {
    loadStatus.showFailure(message);
  },
  onStage: (stage) => {
    statusLine.textContent =
      stage === "source" ? "Running the script" : `Compiling: ${stageTitle(stage)}`;
  },
});

/** Seconds that a script may take before the panel gives up on it. */
const INSPECTION_LIMIT = 5;

let compiling = false;
let wasReady = false;
let cancels = 0;

const inspector = new Inspector({
  isCompiling: () => compiling,
  inspect: async () => {
    const request = { source: editor.text, target: targetSelect.value, ...panel.choices() };
    const limits = readLimits(limitForm.texts);
    const worker = { isLost: false };
    try {
      const report = await client.compile(
        { ...request, stop: "specialise" },
        {
          memoryLimit: "limits" in limits ? limits.limits.memoryLimit : undefined,
          timeLimit: INSPECTION_LIMIT,
          recover: false,
          quiet: true,
          onWorkerLost: () => {
            worker.isLost = true;
          },
        },
      );
      return worker.isLost ? "lost" : report;
    } catch (error) {
      if (error instanceof CancelledError || error instanceof LoadError) return "none";
      throw error;
    }
  },
  show: (report) => panel.show(report),
  overLimit: () => {
    panel.say(
      "The script runs too long or needs too much to be read beside editing. Compile fills the rows.",
    );
  },
});

async function compile(): Promise<void> {
  if (compiling) return;
  const limits = readLimits(limitForm.texts);
  limitForm.showErrors("wrong" in limits ? limits.wrong : []);
  const cancelsBefore = cancels;
  setCompiling(true);
  statusLine.classList.remove("failed");
  statusLine.textContent = "Waiting for the compiler";
  try {
    // What was typed for names that an edit took away must not be sent.
    if (panel.hasNames) await inspector.settle();
    inspector.compileBegins();
    if (cancels > cancelsBefore)
      throw new CancelledError("the compile was cancelled before it began");
    const read = panel.read();
    if ("errors" in read || "wrong" in limits) {
      const which = "errors" in read ? "specialisation" : "limits";
      statusLine.classList.add("failed");
      statusLine.textContent = `Not compiled: a field of the ${which} is not valid`;
      return;
    }
    save();
    const request = { source: editor.text, target: targetSelect.value, ...read.request };
    const work = snapshot();
    const submitted = decisive();
    const report = await client.compile(request, limits.limits);
    const kernel = report.compilation?.kernel ?? "";
    pastCompiles.add(work, report.ok ? "compiled" : "failed", kernel);
    showReport(report);
    compiledFrom = submitted;
    markStale();
    inspector.compiled(report, compiledFrom !== decisive());
  } catch (error) {
    if (error instanceof CancelledError) statusLine.textContent = "Cancelled";
    else if (error instanceof LoadError) statusLine.textContent = "";
    else throw error;
  } finally {
    setCompiling(false);
  }
}

function showReport(report: Report): void {
  result.show(report);
  diagnostics.show(report.diagnostics);
  editor.mark(report.diagnostics);
  const seconds = `${report.seconds.toFixed(2)} s`;
  statusLine.classList.toggle("failed", !report.ok);
  const error = report.diagnostics.find(({ severity }) => severity === "error");
  if (error?.line !== undefined) editor.reveal(error.line);
  if (report.ok && !isSideBySide()) result.scrollTo();
  statusLine.textContent = report.ok
    ? `Compiled for ${report.request.target} in ${seconds}`
    : `Did not compile: error in stage ${stageTitle(error?.stage ?? "runtime")}, after ${seconds}`;
}

/** Says of all that is shown whether it is the outcome of what would be compiled now. */
function markStale(): void {
  // What is being compiled will replace it.
  const stale = !compiling && compiledFrom !== "" && compiledFrom !== decisive();
  result.markStale(stale);
  diagnostics.markStale(stale);
}

/** What the report shown was compiled from. */
let compiledFrom = "";

/** All that decides what a compile shows, to be compared. */
function decisive(): string {
  return JSON.stringify([editor.text, targetSelect.value, panel.texts]);
}

function snapshot(): Required<Snapshot> {
  return {
    source: editor.text,
    target: targetSelect.value,
    specialisation: panel.texts,
    view: result.view,
    layout: result.layout,
  };
}

/** Keeps the person's own text before another replaces it. */
function setAside(): void {
  if (editor.text.trim() !== "" && editor.text !== defaultKernel) {
    pastCompiles.add(snapshot(), "set aside", "");
  }
}

function openSnapshot({ source, target, specialisation, view, layout }: Snapshot): void {
  setAside();
  editor.replace(source);
  panel.texts = specialisation;
  chooseTarget(targetSelect, target);
  result.view = view;
  if (layout) result.layout = layout;
  result.showTarget(target);
  markStale();
  inspector.changed();
  save();
}

function setCompiling(now: boolean): void {
  compiling = now;
  // A button that is disabled or hidden loses the focus to nowhere.
  const { activeElement } = document;
  compileButton.disabled = compiling;
  cancelButton.hidden = !compiling;
  if (compiling && activeElement === compileButton) cancelButton.focus();
  if (!compiling && activeElement === cancelButton) compileButton.focus();
  markStale();
}

let saveTimer: ReturnType<typeof setTimeout> | undefined;

function saveSoon(): void {
  markStale();
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, SAVE_DELAY);
}

function save(): void {
  clearTimeout(saveTimer);
  saveWork(storage, { ...snapshot(), limits: limitForm.texts });
  saveEditorState(storage, editor.state);
}

compileButton.addEventListener("click", () => {
  void compile();
});
cancelButton.addEventListener("click", () => {
  cancels += 1;
  client.cancel();
});
targetSelect.addEventListener("change", () => {
  result.showTarget(targetSelect.value);
  inspector.changed();
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
void sharing.openAddress();
