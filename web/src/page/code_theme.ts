import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

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
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
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
  ".cm-lit": {
    backgroundColor: "var(--lit)",
    boxShadow: "inset 3px 0 var(--accent)",
    // A comment's grey is too faint on this ground.
    "--code-comment": "var(--ink)",
  },
  ".cm-lit-call": {
    backgroundColor: "var(--lit-call)",
    boxShadow: "inset 3px 0 var(--lit-edge)",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--ground)",
    borderColor: "var(--line)",
    color: "var(--quiet)",
  },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line)" },
});

/** Colours of the editor and of the output, from the page's own CSS variables. */
export const codeTheme = [theme, syntaxHighlighting(highlight)];
