import { parseTexts, type SpecialisationTexts } from "../page/specialisation_fields.ts";
import { type Layout, parseLayout } from "./layout.ts";

/** What a link or an entry of the history holds: all that decides what a compile shows. */
export interface Snapshot {
  readonly source: string;
  readonly target: string;
  readonly specialisation: SpecialisationTexts;
  /** The tab that was shown; empty for none chosen. */
  readonly view: string;
  /** Left out by links and entries of an older page. */
  readonly layout?: Layout;
}

/** Reads a snapshot that came from outside the program; null when it is none. */
export function parseSnapshot(value: unknown): Snapshot | null {
  if (typeof value !== "object" || value === null) return null;
  const { source, target, specialisation, view, layout } = value as Partial<
    Record<string, unknown>
  >;
  if (typeof source !== "string" || typeof target !== "string") return null;
  const read = parseLayout(layout);
  return {
    source,
    target,
    specialisation: parseTexts(specialisation),
    view: typeof view === "string" ? view : "",
    ...(read && { layout: read }),
  };
}
