/** CSS pixels from which source and texts stand side by side; style.css has the same. */
const SIDE_BY_SIDE = 800;

/** Whether source and texts stand side by side. */
export function isSideBySide(): boolean {
  return window.innerWidth >= SIDE_BY_SIDE;
}
