import { element } from "./element.ts";

/** The list of keys; `?` opens it from wherever nothing is typed. */
export function offerKeyList(): void {
  const dialog = element("keys", HTMLDialogElement);
  element("show-keys", HTMLButtonElement).addEventListener("click", () => {
    dialog.showModal();
  });
  element("close-keys", HTMLButtonElement).addEventListener("click", () => {
    dialog.close();
  });
  dialog.addEventListener("click", (event) => {
    // The dialog itself is hit only beside what it holds.
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || dialog.open || isTypedInto(event.target)) return;
    event.preventDefault();
    dialog.showModal();
  });
}

function isTypedInto(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, select, textarea"))
  );
}
