import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureReport } from "../../src/failure_report.ts";
import { Inspector } from "../../src/page/inspector.ts";
import type { Report } from "../../src/report.ts";

const request = { source: "", target: "cuda:80" };
const report = failureReport(
  request,
  { severity: "note", stage: "source", message: "seen" },
  0,
  null,
);

/** A page whose compiler answers at once, unless told otherwise. */
class Page {
  compiling = false;
  asked = 0;
  shown = 0;
  overLimits = 0;
  answer: Report | "lost" | "none" = report;
  misfits = 0;
  isCompiling = () => this.compiling;
  inspect = () => {
    this.asked += 1;
    return Promise.resolve(this.answer);
  };
  show = () => {
    this.shown += 1;
    this.misfits -= 1;
    return this.misfits >= 0;
  };
  overLimit = () => {
    this.overLimits += 1;
  };
}

let page: Page;
let inspector: Inspector;

beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  inspector = new Inspector(page);
});

afterEach(() => {
  vi.useRealTimers();
});

describe("inspecting", () => {
  it("waits until 600 ms after the last edit", async () => {
    inspector.changed();
    await vi.advanceTimersByTimeAsync(500);
    inspector.changed();
    await vi.advanceTimersByTimeAsync(599);
    expect(page.asked).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([page.asked, page.shown]).toEqual([1, 1]);
  });

  it("leaves a compile alone, whose report says all", async () => {
    page.compiling = true;
    inspector.changed();
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toBe(0);
    page.compiling = false;
    inspector.compiled(report, false);
    await vi.advanceTimersByTimeAsync(5000);
    expect([page.asked, page.shown]).toEqual([0, 1]);
  });

  it("forgets an edit that a compile takes up, also when that is cancelled", async () => {
    inspector.changed();
    inspector.compileBegins();
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toBe(0);
  });

  it("asks after a compile for what was edited meanwhile", async () => {
    inspector.compiled(report, true);
    await vi.advanceTimersByTimeAsync(600);
    expect(page.asked).toBe(1);
  });

  it("asks once more when a choice did not fit", async () => {
    page.misfits = 1;
    await inspector.now();
    expect([page.asked, page.shown]).toEqual([2, 2]);
  });

  it("asks no more after a script used up its limits, until a compile", async () => {
    page.answer = "lost";
    await inspector.now();
    inspector.changed();
    await vi.advanceTimersByTimeAsync(5000);
    await inspector.settle();
    expect([page.asked, page.shown, page.overLimits]).toEqual([1, 0, 1]);
    page.answer = report;
    inspector.compiled(report, false);
    inspector.changed();
    await vi.advanceTimersByTimeAsync(600);
    expect(page.asked).toBe(2);
  });

  it("settles what is not asked yet, and nothing else", async () => {
    inspector.changed();
    await inspector.settle();
    await inspector.settle();
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toBe(1);
  });

  it("stays open when there was no answer", async () => {
    page.answer = "none";
    await inspector.now();
    await inspector.settle();
    expect([page.asked, page.shown]).toEqual([2, 0]);
  });
});
