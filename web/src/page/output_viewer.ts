import { defaultKeymap } from "@codemirror/commands";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { codeTheme } from "./code_theme.ts";

const extensions = [
  lineNumbers(),
  search({ top: true }),
  codeTheme,
  keymap.of([...searchKeymap, ...defaultKeymap]),
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": "Output text", "aria-readonly": "true" }),
];

/** Shows one long read-only text; only the visible lines are laid out. */
export class OutputViewer {
  readonly #view: EditorView;

  constructor(parent: HTMLElement) {
    this.#view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  }

  /** Replaces the text and goes to its beginning. */
  show(text: string): void {
    this.#view.setState(EditorState.create({ doc: text, extensions }));
  }
}
