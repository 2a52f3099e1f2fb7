import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Diagnostic } from "../report.ts";
import { codeTheme } from "./code_theme.ts";

/** The kernel's source text. */
export class SourceEditor {
  readonly #view: EditorView;

  /** @param onChange called after each edit */
  constructor(parent: HTMLElement, text: string, onChange: () => void) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
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
          python(),
          codeTheme,
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": "Kernel source, Python" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange();
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
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
