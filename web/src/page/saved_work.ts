import { type Layout, PLAIN_LAYOUT } from "../share/layout.ts";
import { parseSnapshot, type Snapshot } from "../share/snapshot.ts";
import { EMPTY_LIMITS, type LimitTexts } from "./limit_fields.ts";

const KEY = "triton-playground.work";

/** What a person has typed or chosen. */
export interface Work extends Snapshot {
  readonly limits: LimitTexts;
  readonly layout: Layout;
}

/** The work saved in this browser, or null when there is none or it cannot be read. */
export function loadWork(storage: () => Pick<Storage, "getItem">): Work | null {
  try {
    return parseWork(storage().getItem(KEY));
  } catch {
    // Storage may be forbidden; the page works without it.
    return null;
  }
}

/** Saves the work in this browser; returns false when the browser does not let it. */
export function saveWork(storage: () => Pick<Storage, "setItem">, work: Work): boolean {
  try {
    storage().setItem(KEY, JSON.stringify(work));
    return true;
  } catch {
    return false;
  }
}

function parseWork(text: string | null): Work | null {
  if (text === null) return null;
  const saved: unknown = JSON.parse(text);
  const snapshot = parseSnapshot(saved);
  if (!snapshot) return null;
  const { limits } = saved as Partial<Work>;
  return { layout: PLAIN_LAYOUT, ...snapshot, limits: { ...EMPTY_LIMITS, ...limits } };
}
