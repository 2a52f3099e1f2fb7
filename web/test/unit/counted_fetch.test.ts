import { describe, expect, it } from "vitest";
import { countedFetch } from "../../src/worker/counted_fetch.ts";

const base = new URL("https://site.test/folder/");
const files = [
  { path: "a.wasm", bytes: 5, sha256: "" },
  { path: "b.whl", bytes: 3, sha256: "" },
  { path: "c.mjs", bytes: 100, sha256: "" },
];

function answer(status: number): typeof fetch {
  const body = status === 404 ? "none" : "12345";
  return () =>
    Promise.resolve(
      new Response(body, { status, headers: { "Content-Type": "application/wasm" } }),
    );
}

describe("the counted fetch", () => {
  it("counts the listed files and leaves their answers as they are", async () => {
    const seen: [number, number][] = [];
    const counted = countedFetch(answer(200), files, base, (...sums) => seen.push(sums));
    const response = await counted(new URL("a.wasm", base));
    expect(response.headers.get("Content-Type")).toBe("application/wasm");
    expect(await response.text()).toBe("12345");
    expect(seen.at(-1)).toEqual([5, 8]);
  });

  it("leaves other addresses, second requests and errors alone", async () => {
    const seen: unknown[] = [];
    const counted = countedFetch(answer(200), files, base, (...sums) => seen.push(sums));
    await (await counted("https://site.test/elsewhere")).text();
    await (await counted("a.wasm")).text();
    const before = seen.length;
    await (await counted("a.wasm")).text();
    expect(seen).toHaveLength(before);
    const missing = countedFetch(answer(404), files, base, (...sums) => seen.push(sums));
    expect((await missing("b.whl")).status).toBe(404);
    expect(seen).toHaveLength(before);
  });
});
