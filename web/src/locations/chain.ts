/** A line of a source file, counted from 1. */
export interface Place {
  /** The path that the compiler wrote. */
  readonly file: string;
  readonly line: number;
}

/**
 * Where one operation comes from: the line that wrote it, then each call that led there, the
 * kernel's own line last.
 */
export type Chain = readonly Place[];

/** The chains of each line of a text: entry 0 is line 1. A line may come from several places. */
export type LineChains = readonly (readonly Chain[])[];

/** Shared by all lines that come from nowhere. */
export const NO_CHAINS: readonly Chain[] = [];

/** The chains without those that are empty. */
export function known(chains: readonly Chain[]): readonly Chain[] {
  const kept = chains.filter((chain) => chain.length > 0);
  return kept.length > 0 ? kept : NO_CHAINS;
}
