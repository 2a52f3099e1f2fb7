import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, type Extension } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { isDark, watchTheme } from "./theme.ts";

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName))], color: "var(--code-function)" },
  { tag: [tags.meta], color: "var(--code-meta)" },
  { tag: [tags.typeName, tags.propertyName], color: "var(--code-type)" },
  { tag: [tags.labelName], color: "var(--code-function)", fontWeight: "600" },
  { tag: [tags.modifier], color: "var(--code-meta)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  // The line numbers would cover an outline.
  "&.cm-focused::after": {
    content: '""',
    position: "absolute",
    inset: "0",
    border: "2px solid var(--accent)",
    pointerEvents: "none",
    zIndex: "300",
  },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--faint)",
    border: "none",
    paddingLeft: "4px",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
  ".cm-lit, .cm-lit.cm-activeLine": {
    backgroundColor: "var(--lit)",
    boxShadow: "inset 3px 0 var(--accent)",
    // A comment's grey is too faint on this ground.
    "--code-comment": "var(--ink)",
  },
  ".cm-lit-call, .cm-lit-call.cm-activeLine": {
    backgroundColor: "var(--lit-call)",
    boxShadow: "inset 3px 0 var(--lit-edge)",
    "--code-comment": "var(--ink)",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--ground)",
    borderColor: "var(--line)",
    color: "var(--quiet)",
  },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "4px 6px",
    padding: "4px 32px 4px 8px",
    fontFamily: "inherit",
    "& br": { display: "none" },
    "& input, & button, & label": { margin: "0", fontSize: "12px" },
    "& label": { display: "inline-flex", alignItems: "center", gap: "4px", minHeight: "24px" },
    "& input[type=checkbox]": { width: "16px", height: "16px" },
    "& .cm-textfield": {
      flex: "1 1 140px",
      minWidth: "0",
      minHeight: "26px",
      backgroundColor: "var(--surface)",
      border: "1px solid var(--edge)",
    },
    "& .cm-button": {
      minHeight: "26px",
      backgroundImage: "none",
      backgroundColor: "var(--surface)",
      border: "1px solid var(--line)",
      borderRadius: "5px",
    },
    "& button[name=close]": { top: "4px", right: "4px", width: "26px", height: "26px" },
  },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line)" },
});

/** Tells CodeMirror whether its own parts, the search panel for one, stand on dark ground. */
const dark = new Compartment();

const followTheme = ViewPlugin.define((view) => {
  const end = watchTheme(() => {
    view.dispatch({ effects: dark.reconfigure(EditorView.darkTheme.of(isDark())) });
  });
  return { destroy: end };
});

/** Colours of the editor and of the output, from the page's own CSS variables. */
export function codeTheme(): Extension {
  return [
    theme,
    syntaxHighlighting(highlight),
    dark.of(EditorView.darkTheme.of(isDark())),
    followTheme,
  ];
}
