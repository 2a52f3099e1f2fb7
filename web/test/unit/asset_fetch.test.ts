import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fetchAsset } from "../../src/worker/asset_fetch.ts";

const address = new URL("https://site.test/folder/a.bin");
const content = Uint8Array.from({ length: 10 }, (_, at) => at);
const asset = {
  path: "a.bin",
  bytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  gzip: false,
};
const patience = { pauses: [1, 1], stall: 50 };

/** A body that gives pieces of these sizes, then ends, breaks off or stays silent. */
function body(sizes: readonly number[], end: "close" | "error" | "silence" = "close"): Response {
  let at = 0;
  const left = [...sizes];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = left.shift();
      if (size !== undefined) {
        controller.enqueue(content.slice(at, at + size));
        at += size;
      } else if (end === "close") controller.close();
      else if (end === "error") controller.error(new TypeError("reset"));
      else return new Promise(() => undefined);
      return undefined;
    },
  });
  return new Response(stream);
}

/** A fetch that gives these answers one after the other, and ends a body when it is aborted. */
function server(...answers: (() => Response)[]): { fetch: typeof fetch; caches: unknown[] } {
  const caches: unknown[] = [];
  return {
    caches,
    fetch: (_, init) => {
      caches.push(init?.cache);
      const answer = answers.shift()?.();
      if (!answer) return Promise.reject(new TypeError("network down"));
      const { signal } = init ?? {};
      const through = new TransformStream<Uint8Array, Uint8Array>();
      answer.body?.pipeTo(through.writable, signal ? { signal } : {}).catch(() => undefined);
      const { status } = answer;
      return Promise.resolve(new Response(answer.body ? through.readable : null, { status }));
    },
  };
}

async function load(plainFetch: typeof fetch): Promise<{ bytes: number[]; pieces: number[][] }> {
  const pieces: number[][] = [];
  const bytes = await fetchAsset(
    plainFetch,
    address,
    asset,
    (piece) => pieces.push([...piece]),
    patience,
  );
  return { bytes: [...bytes], pieces };
}

describe("a download", () => {
  it("comes in pieces and as a whole", async () => {
    const { bytes, pieces } = await load(server(() => body([4, 6])).fetch);
    expect(bytes).toEqual([...content]);
    expect(pieces).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7, 8, 9],
    ]);
  });

  it("goes on after it broke off, was silent or the server was busy, and gives no byte twice", async () => {
    const { fetch: flaky, caches } = server(
      () => body([3, 2], "silence"),
      () => body([4, 3], "error"),
      () => body([10]),
    );
    const { bytes, pieces } = await load(flaky);
    expect(bytes).toEqual([...content]);
    expect(pieces).toEqual([
      [0, 1, 2],
      [3, 4],
      [5, 6],
      [7, 8, 9],
    ]);
    expect(caches).toEqual([undefined, "reload", "reload"]);
    const busy = server(
      () => new Response("", { status: 503 }),
      () => body([10]),
    );
    expect((await load(busy.fetch)).bytes).toEqual([...content]);
  });

  it("that ends early is tried again, and then told with its address", async () => {
    const short = () => body([4]);
    await expect(load(server(short, short, short).fetch)).rejects.toThrow(
      "https://site.test/folder/a.bin: the connection ended early, after 3 attempts. Check the network",
    );
  });

  it("is not repeated when the file does not exist", async () => {
    const { fetch: missing, caches } = server(() => new Response("", { status: 404 }));
    await expect(load(missing)).rejects.toThrow(/a\.bin: HTTP 404\..*reload the page/);
    expect(caches).toHaveLength(1);
  });

  it("of another content or too much of it is refused", async () => {
    const changed = () => new Response(content.map((byte) => byte ^ 1));
    await expect(load(server(changed).fetch)).rejects.toThrow("is not the file that this page");
    const longer = () => new Response(new Uint8Array(11));
    await expect(load(server(longer).fetch)).rejects.toThrow("is not the file that this page");
  });
});
