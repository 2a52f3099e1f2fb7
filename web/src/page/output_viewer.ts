import { defaultKeymap } from "@codemirror/commands";
import { codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Detail } from "../languages/details.ts";
import { regionFolding } from "../languages/regions.ts";
import { highlightingOf, type TextLanguage } from "../languages/text_language.ts";
import { codeTheme } from "./code_theme.ts";
import { hiddenDetails } from "./hidden_details.ts";

const COMMON = [
  lineNumbers(),
  codeFolding(),
  foldGutter(),
  regionFolding,
  search({ top: true }),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({
    "aria-label": "Output text",
    "aria-readonly": "true",
    tabindex: "0",
  }),
];

/** Shows one long read-only text; only the visible lines are laid out. */
export class OutputViewer {
  readonly #view: EditorView;
  readonly #wrapping = new Compartment();
  readonly #hiding = new Compartment();
  readonly #hidden = new Set<Detail>();
  #language: TextLanguage = "plain";
  #wraps = false;

  /** @param extra what else the text can do */
  constructor(
    parent: HTMLElement,
    private readonly extra: Extension = [],
  ) {
    this.#view = new EditorView({ parent, state: this.#stateOf("") });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text and goes to its beginning. */
  show(text: string, language: TextLanguage): void {
    this.#language = language;
    this.#view.setState(this.#stateOf(text));
  }

  /** Breaks lines that are too long to be seen, or does not. */
  wrap(wraps: boolean): void {
    this.#wraps = wraps;
    this.#view.dispatch({ effects: this.#wrapping.reconfigure(this.#wrappingNow()) });
  }

  /** Hides a kind of detail, in this text and those to come, or shows it. */
  hide(detail: Detail, hidden: boolean): void {
    if (hidden) this.#hidden.add(detail);
    else this.#hidden.delete(detail);
    this.#view.dispatch({ effects: this.#hiding.reconfigure(this.#hidingNow(this.text)) });
  }

  /** Opens the panel that searches the text. */
  find(): void {
    openSearchPanel(this.#view);
  }

  #stateOf(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        COMMON,
        codeTheme(),
        highlightingOf(this.#language),
        this.#wrapping.of(this.#wrappingNow()),
        this.#hiding.of(this.#hidingNow(text)),
        this.extra,
      ],
    });
  }

  #wrappingNow(): Extension {
    return this.#wraps ? EditorView.lineWrapping : [];
  }

  #hidingNow(text: string): Extension {
    return hiddenDetails(text, this.#language, this.#hidden);
  }
}
