import { type Layout, parseLayout, PLAIN_LAYOUT } from "../share/layout.ts";
import { EMPTY_LIMITS, type LimitTexts } from "./limit_fields.ts";
import { parseTexts, type SpecialisationTexts } from "./specialisation_fields.ts";

const KEY = "triton-playground.work";

/** What a person has typed or chosen. */
export interface Work {
  readonly source: string;
  readonly target: string;
  readonly specialisation: SpecialisationTexts;
  readonly limits: LimitTexts;
  /** The tab of the output; empty for none chosen. */
  readonly view: string;
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
  const saved = JSON.parse(text) as Partial<Work> | null;
  if (typeof saved?.source !== "string" || typeof saved.target !== "string") return null;
  return {
    source: saved.source,
    target: saved.target,
    specialisation: parseTexts(saved.specialisation),
    limits: { ...EMPTY_LIMITS, ...saved.limits },
    view: typeof saved.view === "string" ? saved.view : "",
    layout: parseLayout(saved.layout) ?? PLAIN_LAYOUT,
  };
}
