/** The part of Emscripten's file system that gives files their room. */
export interface WatchedFileSystem {
  readonly filesystems: {
    readonly MEMFS: Record<"expandFileStorage" | "resizeFileStorage", ChangeSize>;
  };
  readonly ErrnoError: new (errno: number) => Error;
}

type ChangeSize = (node: { contents?: { length: number } | null }, size: number) => void;

/** Emscripten's number for "no space left on device". */
const ENOSPC = 51;

/** What a worker says about its WebAssembly memory after a compile. */
export interface MemoryUse {
  /** Bytes that the instance holds; it never gives any back. */
  readonly bytes: number;
  /** Whether the compile asked for more than its limit and was refused. */
  readonly refused: boolean;
}

/**
 * Refuses growth of this thread's WebAssembly memory beyond a limit. Emscripten's allocator takes
 * the refusal for an exhausted address space: malloc returns null, and Python and LLVM report that
 * they are out of memory, as they do natively.
 */
export class MemoryCeiling {
  #limit = Infinity;
  /** Bytes by which files grew since the compile began; they lie outside WebAssembly memory. */
  #fileBytes = 0;
  #refused = false;

  /** Takes effect for all memories of the thread; Emscripten grows its own through this method. */
  constructor() {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called below on its memory
    const grow = WebAssembly.Memory.prototype.grow;
    const asks = (bytes: number) => this.#allows(bytes);
    WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
      if (!asks(this.buffer.byteLength + pages * PAGE)) {
        throw new RangeError("the memory limit of this compile is reached");
      }
      return grow.call(this, pages);
    };
  }

  /** Sets the limit in bytes for the compile that begins now; undefined for none. */
  begin(limit: number | undefined): void {
    this.#limit = limit ?? Infinity;
    this.#fileBytes = 0;
    this.#refused = false;
  }

  /** Holds the growth of files to the same limit: a write beyond it finds the disk full. */
  watchFiles({ filesystems: { MEMFS }, ErrnoError }: WatchedFileSystem): void {
    for (const name of ["expandFileStorage", "resizeFileStorage"] as const) {
      const change = MEMFS[name].bind(MEMFS);
      MEMFS[name] = (node, size) => {
        const before = node.contents?.length ?? 0;
        if (!this.#allows(this.#fileBytes + size - before)) throw new ErrnoError(ENOSPC);
        change(node, size);
        this.#fileBytes += (node.contents?.length ?? 0) - before;
      };
    }
  }

  /** Whether growth was refused since the compile began. */
  get refused(): boolean {
    return this.#refused;
  }

  #allows(bytes: number): boolean {
    if (bytes <= this.#limit) return true;
    this.#refused = true;
    return false;
  }
}

/** Bytes of a WebAssembly page. */
const PAGE = 65_536;
