import { parseSnapshot, type Snapshot } from "./snapshot.ts";

const KEY = "triton-playground.history";

/** Compiles that are kept; the oldest go first. */
export const KEPT = 20;

/** One compile of the past, or a text that was set aside. */
export interface HistoryEntry extends Snapshot {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly outcome: "compiled" | "failed" | "set aside";
  /** The kernel that was compiled; empty when none was. */
  readonly kernel: string;
}

type HistoryStorage = Pick<Storage, "getItem" | "setItem">;

/** The last compiles in this browser, newest first; empty when the browser keeps nothing. */
export function loadHistory(storage: () => HistoryStorage): HistoryEntry[] {
  try {
    const saved: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
    return Array.isArray(saved) ? saved.flatMap(parseEntry).slice(0, KEPT) : [];
  } catch {
    // Storage may be forbidden or damaged; the page works without a history.
    return [];
  }
}

/**
 * Puts an entry at the front. The same work compiled again replaces its earlier entry.
 *
 * @returns the history as it is now; when the browser has no room, the oldest entries are dropped
 */
export function addToHistory(storage: () => HistoryStorage, entry: HistoryEntry): HistoryEntry[] {
  const present = loadHistory(storage);
  const others = present.filter((other) => !sameWork(other, entry));
  // What was compiled is kept already, and with an outcome that says more.
  if (entry.outcome === "set aside" && others.length < present.length) return present;
  const entries = [entry, ...others].slice(0, KEPT);
  while (entries.length > 0) {
    try {
      storage().setItem(KEY, JSON.stringify(entries));
      return entries;
    } catch {
      entries.pop();
    }
  }
  return loadHistory(storage);
}

function sameWork(one: Snapshot, other: Snapshot): boolean {
  const key = ({ source, target, specialisation }: Snapshot) =>
    JSON.stringify([source, target, Object.entries(specialisation).sort()]);
  return key(one) === key(other);
}

function parseEntry(value: unknown): HistoryEntry[] {
  const snapshot = parseSnapshot(value);
  if (!snapshot) return [];
  const { time, outcome, kernel } = value as Partial<HistoryEntry>;
  if (typeof time !== "number") return [];
  const known = outcome === "compiled" || outcome === "failed" ? outcome : "set aside";
  return [{ ...snapshot, time, outcome: known, kernel: typeof kernel === "string" ? kernel : "" }];
}
