import { describe, expect, it } from "vitest";
import { EMPTY_LIMITS } from "../../src/page/limit_fields.ts";
import { loadWork, saveWork } from "../../src/page/saved_work.ts";
import { EMPTY_TEXTS } from "../../src/page/specialisation_fields.ts";
import { type Layout, PLAIN_LAYOUT } from "../../src/share/layout.ts";

const layout: Layout = {
  split: true,
  second: "llir",
  texts: [
    { hidden: ["attributes"], wraps: false },
    { hidden: [], wraps: true },
  ],
};

function memory(initial: string | null = null) {
  let text = initial;
  return () => ({
    getItem: () => text,
    setItem: (_key: string, value: string) => {
      text = value;
    },
  });
}

function forbidden(): Storage {
  throw new DOMException("denied", "SecurityError");
}

describe("saved work", () => {
  const work = {
    source: "x = 'ü'\n",
    target: "hip:gfx942",
    specialisation: { ...EMPTY_TEXTS, kernel: "k" },
    limits: { ...EMPTY_LIMITS, timeLimit: "5" },
    view: "ttgir",
    layout,
  };

  it("comes back as it was", () => {
    const storage = memory();
    expect(saveWork(storage, work)).toBe(true);
    expect(loadWork(storage)).toEqual(work);
  });

  it("is nothing when storage is empty, damaged or forbidden", () => {
    expect(loadWork(memory())).toBeNull();
    expect(loadWork(memory("{"))).toBeNull();
    expect(loadWork(memory('{"source": 1}'))).toBeNull();
    expect(loadWork(forbidden)).toBeNull();
    expect(saveWork(forbidden, work)).toBe(false);
  });

  it("fills in fields that an older page did not save", () => {
    const saved = memory('{"source": "s", "target": "cuda:80", "specialisation": {"kernel": "k"}}');
    expect(loadWork(saved)?.specialisation).toEqual({ ...EMPTY_TEXTS, kernel: "k" });
    expect(loadWork(saved)?.limits).toEqual(EMPTY_LIMITS);
    expect(loadWork(saved)?.view).toBe("");
    expect(loadWork(saved)?.layout).toEqual(PLAIN_LAYOUT);
  });

  it("takes constexprs and options that an older page saved as JSON text", () => {
    const specialisation = { kernel: "", constexprs: '{"B": 64}', options: '{"num_warps": 8}' };
    const saved = memory(JSON.stringify({ source: "s", target: "cuda:80", specialisation }));
    expect(loadWork(saved)?.specialisation).toEqual({
      ...EMPTY_TEXTS,
      constexprs: { B: "64" },
      options: { num_warps: "8" },
    });
  });
});
