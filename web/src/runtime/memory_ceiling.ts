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
    this.#refused = false;
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
