import { describe, expect, it } from "vitest";
import { EMPTY_TEXTS, readSpecialisation } from "../../src/page/specialisation_fields.ts";
import {
  addToHistory,
  type HistoryEntry,
  KEPT,
  loadHistory,
} from "../../src/share/compile_history.ts";
import { decodeFragment, encodeFragment, isFragment } from "../../src/share/fragment.ts";
import { parseSnapshot } from "../../src/share/snapshot.ts";

const snapshot = {
  source: "# ü → 🙂\n".repeat(500),
  target: "hip:gfx942",
  specialisation: { ...EMPTY_TEXTS, kernel: "k", options: { num_stages: "3" } },
  view: "ttgir",
};

describe("the fragment of a link", () => {
  it("brings everything back, in characters that no program escapes", async () => {
    const fragment = await encodeFragment(snapshot);
    expect(fragment).toMatch(/^#code=[\w-]+$/);
    expect(fragment.length).toBeLessThan(400);
    expect(isFragment(fragment)).toBe(true);
    expect(await decodeFragment(fragment)).toEqual(snapshot);
  });

  it("says that it is damaged when it was cut, changed or never one", async () => {
    const fragment = await encodeFragment(snapshot);
    const noJson = await encodeFragment("x" as unknown as typeof snapshot);
    for (const wrong of [fragment.slice(0, -9), "#code=", "#code=A%", noJson, "#code=AQAA"]) {
      await expect(decodeFragment(wrong)).rejects.toThrow("This link is damaged");
    }
  });

  it("tells a newer format from damage", async () => {
    const packed = (await encodeFragment(snapshot)).slice("#code=A".length);
    // The second character holds the version's lower bits.
    const newer = `#code=A${packed.replace(/^./, "g")}`;
    await expect(decodeFragment(newer)).rejects.toThrow("another version");
  });

  it("refuses to unpack without end", async () => {
    const fragment = await encodeFragment({ ...snapshot, source: " ".repeat(5_000_000) });
    expect(fragment.length).toBeLessThan(20_000);
    await expect(decodeFragment(fragment)).rejects.toThrow("more than 4 MB");
  });
});

/** A link as the page made it when constexprs and options were JSON in text fields. */
const OLD_LINK = [
  "#code=AS2OT2vEIBBHv4rMZWGRhfxpoLm3x17a26YEm46JrKuiYxsI-e51Nj2--T2ebpB8jhNCD-YefC",
  "RB0ZB3gwMJpOKMVKbFhH7W63Nbl2sKOBllTVJkvIN-gxtGh7Z4N57N7BTlyMmzDk3dV50Upqml6FopTu",
  "upSJN3iXANMRVrG-BjgF4MQPairVdUdQPIwm_HuWsPfGGkmJHhneFaSVF_Mr4yVpenvdR94J_9p12-j4",
  "nUjImNhl106sviqMOocyomD1rZ9OimacHvXObFODreV0To6CHusEv4Mfhb4kSzibD_AQ",
].join("");

describe("a link from before the specialisation panel", () => {
  it("opens, and asks for the same compile", async () => {
    const { source, target, view, specialisation } = await decodeFragment(OLD_LINK);
    expect([source, target, view]).toEqual(["import triton\n", "hip:gfx942", "ttgir"]);
    expect(readSpecialisation(specialisation)).toEqual({
      request: {
        guess: true,
        kernel: "k",
        signature: "*fp32:16, i32, 64, 'x'",
        constexprs: { T: "tl.float16", N: "64", E: true, S: [1, 2], F: 1.5 },
        options: { num_stages: 3, enable_fp_fusion: false, schedule_hint: "attention" },
      },
    });
  });
});

describe("a snapshot from outside", () => {
  it("keeps what it knows and fills in the rest", () => {
    const value = {
      source: "s",
      target: "t",
      specialisation: { kernel: 1, signature: "*fp32", x: "", types: { a: "i32", b: 1 } },
    };
    expect(parseSnapshot(value)).toEqual({
      source: "s",
      target: "t",
      specialisation: { ...EMPTY_TEXTS, signature: "*fp32", types: { a: "i32" } },
      view: "",
    });
  });

  it("keeps how the texts are shown, but for what it does not know", () => {
    const layout = {
      split: true,
      second: "ttir",
      texts: [{ hidden: ["locations", "weights"], wraps: 1 }, null],
    };
    const snapshot = parseSnapshot({ source: "s", target: "t", layout });
    expect(snapshot?.layout).toEqual({
      split: true,
      second: "ttir",
      texts: [
        { hidden: ["locations"], wraps: false },
        { hidden: [], wraps: false },
      ],
    });
  });

  it.each([[null], ["s"], [{}], [{ source: 1, target: "t" }]])("refuses %j", (value) => {
    expect(parseSnapshot(value)).toBeNull();
  });
});

function memory(room = Infinity) {
  const texts = new Map<string, string>();
  return () => ({
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      texts.set(key, value);
    },
  });
}

const entry = (time: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...snapshot,
  source: `kernel ${time}`,
  time,
  outcome: "compiled",
  kernel: "",
  ...more,
});

describe("the history", () => {
  it("keeps the last 20, newest first", () => {
    const storage = memory();
    for (let time = 0; time < KEPT + 5; time += 1) addToHistory(storage, entry(time));
    const times = loadHistory(storage).map(({ time }) => time);
    expect(times).toEqual(Array.from({ length: 20 }, (_, at) => 24 - at));
  });

  it("holds the same work once, with its last outcome", () => {
    const storage = memory();
    addToHistory(storage, entry(1));
    addToHistory(storage, entry(2));
    addToHistory(storage, entry(3, { source: "kernel 1", outcome: "failed", view: "llir" }));
    expect(loadHistory(storage).map(({ time, outcome }) => [time, outcome])).toEqual([
      [3, "failed"],
      [2, "compiled"],
    ]);
  });

  it("does not forget a compile because its text was set aside", () => {
    const storage = memory();
    addToHistory(storage, entry(1));
    expect(addToHistory(storage, entry(2, { source: "kernel 1", outcome: "set aside" }))).toEqual([
      entry(1),
    ]);
  });

  it("drops the oldest when the browser has no more room", () => {
    const storage = memory(500);
    for (let time = 0; time < 9; time += 1) addToHistory(storage, entry(time));
    const times = loadHistory(storage).map(({ time }) => time);
    expect(times[0]).toBe(8);
    expect(times.length).toBeLessThan(9);
  });

  it("is empty when storage is damaged or forbidden", () => {
    const damaged = () => ({ getItem: () => "{", setItem: () => undefined });
    expect(loadHistory(damaged)).toEqual([]);
    const forbidden = () => {
      throw new DOMException("denied", "SecurityError");
    };
    expect(loadHistory(forbidden)).toEqual([]);
    expect(addToHistory(forbidden, entry(1))).toEqual([]);
  });
});
