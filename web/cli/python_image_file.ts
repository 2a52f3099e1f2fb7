import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { ImageStore } from "../src/runtime/python_image.ts";

const HASH_BYTES = 32;

/** The image of a started Python in a file: its SHA-256, then the image. */
export class PythonImageFile implements ImageStore {
  /** @param path of the file; a folder that cannot be written only costs the time that the image saves */
  constructor(private readonly path: string) {}

  async find(): Promise<Uint8Array | null> {
    const file = await readFile(this.path).catch(() => null);
    if (file === null) return null;
    // A copy: Pyodide reads the image as 32-bit numbers and wants it at the start of its buffer.
    const image = new Uint8Array(file.subarray(HASH_BYTES));
    return sha256(image).equals(file.subarray(0, HASH_BYTES)) ? image : null;
  }

  async keep(image: Uint8Array): Promise<void> {
    const unfinished = `${this.path}.${process.pid}-${performance.now()}`;
    try {
      await writeFile(unfinished, Buffer.concat([sha256(image), image]));
      await rename(unfinished, this.path);
    } catch {
      // The next start makes another.
    }
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
