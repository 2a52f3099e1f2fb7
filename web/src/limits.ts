/** What one compile may use up before it is stopped. */
export interface Limits {
  /** Seconds of wall time; undefined for no limit. */
  readonly timeLimit: number | undefined;
  /** Bytes of WebAssembly memory; undefined for what WebAssembly itself allows. */
  readonly memoryLimit: number | undefined;
}

export const MEBIBYTE = 2 ** 20;

/** What 32-bit WebAssembly can address, in bytes. */
export const ADDRESS_SPACE = 2 ** 32;

/** For the page and the command line alike: the largest corpus kernel needs a tenth of each. */
export const DEFAULT_LIMITS = {
  timeLimit: 60,
  memoryLimit: 2048 * MEBIBYTE,
} as const satisfies Limits;

/** The worker is replaced before it holds more than this share of its limit between compiles. */
const KEPT_SHARE = 0.5;

/** Whether a worker that holds `bytes` after a compile should make room for a fresh one. */
export function isSpent(bytes: number, memoryLimit: number | undefined): boolean {
  return bytes > KEPT_SHARE * (memoryLimit ?? ADDRESS_SPACE);
}

/**
 * Reads a limit as a person types it: a positive decimal number, or 0 for no limit.
 *
 * @param unit what one of the number stands for in the result: 1, or MEBIBYTE
 * @returns undefined for no limit, null when the text is no such number
 */
export function parseLimit(text: string, unit: number): number | undefined | null {
  if (!/^\d+(\.\d+)?$/.test(text.trim())) return null;
  const value = Number(text) * unit;
  return value === 0 ? undefined : value;
}
