import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  indentWithTab,
  isolateHistory,
} from "@codemirror/commands";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import {
  type Diagnostic as Mark,
  lintGutter,
  nextDiagnostic,
  setDiagnostics,
} from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type EditorStateConfig, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Completions } from "../protocol.ts";
import type { Diagnostic } from "../report.ts";
import { codeTheme } from "./code_theme.ts";
import { TritonCompletion } from "./triton_completion.ts";

/** What is kept of an editor beside its text. */
const KEPT_FIELDS = { history: historyField };

/** The kernel's source text. */
export class SourceEditor {
  readonly #view: EditorView;
  readonly #completion = new TritonCompletion();

  /**
   * @param state what `state` gave in an earlier visit; used when it holds the same text
   * @param onChange called after each edit
   * @param extra what else the editor can do
   */
  constructor(
    parent: HTMLElement,
    text: string,
    state: unknown,
    onChange: () => void,
    extra: Extension = [],
  ) {
    this.#view = new EditorView({
      parent,
      state: stateOf(text, state, {
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          bracketMatching(),
          indentOnInput(),
          indentUnit.of("    "),
          search({ top: true }),
          closeBrackets(),
          autocompletion(),
          python(),
          pythonLanguage.data.of({ autocomplete: this.#completion.source }),
          codeTheme(),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
            { key: "F8", run: nextDiagnostic },
          ]),
          EditorView.contentAttributes.of({
            "aria-label": "Kernel source, Python",
            "aria-describedby": "editor-keys",
            tabindex: "0",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange();
          }),
          extra,
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Text, selection and what can be undone, as JSON. */
  get state(): unknown {
    return this.#view.state.toJSON(KEPT_FIELDS) as unknown;
  }

  /** Completes these names from now on. */
  complete(completions: Completions): void {
    this.#completion.show(completions);
  }

  /** Puts another text in the place of all; undo brings the old one back. */
  replace(text: string): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({
      changes: { from: 0, to: length, insert: text },
      selection: { anchor: 0 },
      // What was pasted just before is a change of its own.
      annotations: isolateHistory.of("full"),
    });
  }

  /** Scrolls to a line, counted from 1, and leaves the cursor where it is. */
  reveal(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    this.#view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  /** Underlines the diagnostics that have a line; replaces earlier marks. */
  mark(diagnostics: readonly Diagnostic[]): void {
    const { doc } = this.#view.state;
    const marks = diagnostics.flatMap((diagnostic) => markOf(diagnostic, doc));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Puts the cursor at a place, both counted from 1, and scrolls to it. */
  goTo(line: number, column = 1): void {
    const { doc } = this.#view.state;
    const place = doc.line(Math.min(line, doc.lines));
    const anchor = Math.min(place.from + column - 1, place.to);
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.#view.focus();
  }
}

/** The saved state when it belongs to the text; a state that starts with the text otherwise. */
function stateOf(text: string, saved: unknown, config: EditorStateConfig): EditorState {
  try {
    const state = EditorState.fromJSON(saved, config, KEPT_FIELDS);
    if (state.doc.toString() === text) return state;
  } catch {
    // Nothing was saved, or by another version of the page.
  }
  return EditorState.create({ ...config, doc: text });
}

function markOf(diagnostic: Diagnostic, doc: Text): Mark[] {
  const { line: number, column = 1, severity, message, stage } = diagnostic;
  if (number === undefined || number > doc.lines) return [];
  const line = doc.line(number);
  const indent = line.text.length - line.text.trimStart().length;
  const from = Math.min(line.from + Math.max(column - 1, indent), line.to);
  return [
    {
      from,
      to: line.to,
      severity: severity === "note" ? "info" : severity,
      message,
      source: stage,
    },
  ];
}
