const KEY = "triton-playground.editor";

/** Characters of JSON: what a browser stores for a site is a few megabytes, and the work comes first. */
const MOST_CHARACTERS = 1_000_000;

/** The editor's state as it was saved, or null. */
export function loadEditorState(storage: () => Pick<Storage, "getItem">): unknown {
  try {
    return JSON.parse(storage().getItem(KEY) ?? "null");
  } catch {
    // Storage may be forbidden, or hold something else.
    return null;
  }
}

/** Saves what can be undone; a history too large to keep is dropped, the text is saved elsewhere. */
export function saveEditorState(
  storage: () => Pick<Storage, "setItem" | "removeItem">,
  state: unknown,
): void {
  try {
    const text = JSON.stringify(state);
    if (text.length <= MOST_CHARACTERS) storage().setItem(KEY, text);
    else storage().removeItem(KEY);
  } catch {
    // The page works without it.
  }
}
