import type { Asset } from "./assets.ts";

/** Called whenever more bytes have come, with sums over all files. */
export type OnBytes = (loaded: number, total: number) => void;

/**
 * A `fetch` that counts the bytes of the given files as they come in. Streaming stays streaming, so
 * a WebAssembly module is compiled while it is downloaded.
 *
 * @param base the address that the files' paths are relative to
 */
export function countedFetch(
  plainFetch: typeof fetch,
  files: readonly Asset[],
  base: URL,
  onBytes: OnBytes,
): typeof fetch {
  // Modules come in through import, which nothing can count.
  const fetched = files.filter((file) => !file.path.endsWith(".mjs"));
  const counted = new Map(fetched.map((file) => [new URL(file.path, base).href, file.bytes]));
  const total = fetched.reduce((sum, file) => sum + file.bytes, 0);
  let loaded = 0;
  return async (input, init) => {
    const response = await plainFetch(input, init);
    const address = input instanceof Request ? input.url : new URL(input, base).href;
    if (!counted.delete(address) || !response.ok || !response.body) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        onBytes(loaded, total);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}
