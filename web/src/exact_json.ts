const LARGEST_64_BIT = 2 ** 64;

/** A whole number that JavaScript has already rounded: compiling with it would be wrong in silence. */
export class RoundedNumberError extends RangeError {
  override name = "RoundedNumberError";
}

/**
 * JSON.parse for constants of a kernel.
 *
 * @throws SyntaxError when the text is not JSON
 * @throws RoundedNumberError when it holds an integer beyond 2^53
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    const rounded =
      typeof value === "number" &&
      Number.isInteger(value) &&
      !Number.isSafeInteger(value) &&
      Math.abs(value) <= LARGEST_64_BIT;
    if (rounded) {
      throw new RoundedNumberError(
        "an integer beyond 2^53 cannot be passed exactly here: write it into the source, as a default or in a launch",
      );
    }
    return value;
  });
}
