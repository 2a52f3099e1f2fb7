import { readFile, writeFile } from "node:fs/promises";

/** A file named on the command line cannot be read, written or understood. */
export class InputError extends Error {
  override name = "InputError";
}

/** The InputError for a file that cannot be read or written. */
export function fileError(verb: "read" | "write", file: string, error: unknown): InputError {
  return new InputError(`cannot ${verb} ${file}: ${reason(error)}`);
}

/** Reads a UTF-8 text file; throws InputError. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw fileError("read", file, error);
  }
}

/** Writes a value as indented JSON; throws InputError. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  try {
    await writeFile(file, jsonText(value));
  } catch (error) {
    throw fileError("write", file, error);
  }
}

/** A value as indented JSON that ends in a line break. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes to standard output and waits until a slow reader has taken it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    // A failure is the stream's error event too, which the program's entry handles.
    process.stdout.write(text, () => {
      resolve();
    });
  });
}

/** Node's "ENOENT: no such file or directory, open 'x'" without the code and the name. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: (.*?), \w+ '.*'$/s, "$1");
}
