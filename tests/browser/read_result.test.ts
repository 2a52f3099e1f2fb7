import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const SOURCE = `import triton
import triton.language as tl
from triton_playground import fake_tensor


@triton.jit
def gate(x):
    return tl.exp(x) * 0.25


@triton.jit
def sum_rows(x_ptr, out_ptr, stride, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * stride + tl.arange(0, COLUMNS))
    y = gate(x)
    total = tl.sum(y, axis=0)
    tl.store(out_ptr + row, total)


sum_rows[(4,)](fake_tensor((4, 256), "fp32"), fake_tensor((4,), "fp32"), 256, COLUMNS=256)
`;

const LARGE = `import triton
import triton.language as tl
from triton_playground import fake_tensor


@triton.jit
def large(x_ptr, out_ptr, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for step in tl.static_range(COUNT):
        x = tl.load(x_ptr + step * BLOCK + at)
        tl.store(out_ptr + step * BLOCK + at, tl.exp(x) + tl.sum(x, axis=0))


large[(1,)](fake_tensor((1 << 20,), "fp32"), fake_tensor((1 << 20,), "fp32"), COUNT=40, BLOCK=8192)
`;

const site = servedSite();
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  const context = await site.browser.newContext({
    acceptDownloads: true,
    viewport: { width: 1400, height: 900 },
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(site.server.address);
  await pasteSource(page, SOURCE);
  expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
});

const source = () => page.locator("#editor");
const first = () => page.locator("#output");
const second = () => page.locator("#output-2");
const line = (place: Locator, text: string) =>
  place.locator(".cm-line").filter({ hasText: text }).first();
const lit = (place: Locator) => place.locator(".cm-line.cm-lit");
const tool = (name: string, group = "Output tools") =>
  page.getByRole("group", { name: group }).getByRole("button", { name, exact: true });
const tab = (name: string, list = "Stages") =>
  page.getByRole("tablist", { name: list, exact: true }).getByRole("tab", { name, exact: true });

describe("line links", () => {
  it("light and show what a line of the source became", async () => {
    await tab("PTX").click();
    await line(source(), "total = tl.sum").click();
    await expect
      .poll(() =>
        lit(first())
          .allTextContents()
          .then((all) => all.join("\n")),
      )
      .toContain("shfl.sync.bfly");
    await lit(first()).first().waitFor();
  });

  it("follow a change of the tab", async () => {
    await tab("TTIR").click();
    await expect
      .poll(() =>
        lit(first())
          .allTextContents()
          .then((all) => all.join("\n")),
      )
      .toContain('"tt.reduce"');
  });

  it("lead back from an operation to the source, through a device function", async () => {
    await line(first(), "math.exp").click();
    await expect
      .poll(() => lit(source()).allTextContents())
      .toEqual(["    return tl.exp(x) * 0.25"]);
    expect(await source().locator(".cm-lit-call").allTextContents()).toEqual(["    y = gate(x)"]);
  });

  it("light while the pointer is over a line, and go back to what was chosen", async () => {
    await line(first(), "tt.store").hover();
    await expect
      .poll(() => lit(source()).allTextContents())
      .toEqual(["    tl.store(out_ptr + row, total)"]);
    await page.locator("h1").hover();
    await expect
      .poll(() => lit(source()).allTextContents())
      .toEqual(["    return tl.exp(x) * 0.25"]);
  });
});

describe("two texts side by side", () => {
  it("show the stage before beside the last, and are linked", async () => {
    await tab("PTX").click();
    await tool("Split").click();
    await expect.poll(() => second().textContent()).toContain("target datalayout");
    await tab("TTGIR", "Stages, second text").click();
    await line(source(), "total = tl.sum").click();
    await expect.poll(() => lit(second()).count()).toBeGreaterThan(0);
    await expect.poll(() => lit(first()).count()).toBeGreaterThan(0);
  });

  it("are reached from the keyboard, one after another", async () => {
    await page.keyboard.press("F2");
    await expect.poll(() => first().locator(".cm-content:focus").count()).toBe(1);
    await page.keyboard.press("F2");
    await expect.poll(() => second().locator(".cm-content:focus").count()).toBe(1);
    await page.keyboard.press("F2");
    await expect.poll(() => source().locator(".cm-content:focus").count()).toBe(1);
    expect(await source().locator(".cm-activeLine").textContent()).toContain("tl.sum");
    await tool("Split").click();
    await second().waitFor({ state: "hidden" });
  });
});

describe("what of a text is seen", () => {
  it("can leave out locations", async () => {
    await tab("TTIR").click();
    await expect.poll(() => first().textContent()).toContain("loc(#loc");
    await tool("Hide locations").click();
    await expect.poll(() => first().locator(".cm-content").textContent()).not.toContain("loc(");
    expect(await first().textContent()).toContain("math.exp");
    await tab("PTX").click();
    expect(await first().locator(".cm-content").textContent()).not.toContain(".loc");
    await tool("Hide locations").click();
    await expect.poll(() => first().locator(".cm-content").textContent()).toContain(".loc");
  });

  it("can leave out attributes", async () => {
    await tab("TTIR").click();
    await expect.poll(() => first().textContent()).toContain("tt.divisibility");
    await tool("Hide attributes").click();
    await expect.poll(() => first().textContent()).not.toContain("tt.divisibility");
    await tool("Hide attributes").click();
  });

  it("folds a region", async () => {
    await first().locator(".cm-foldGutter span[title='Fold line']").nth(1).click();
    await first().locator(".cm-foldPlaceholder").waitFor();
    expect(await first().textContent()).not.toContain("math.exp");
    await first().locator(".cm-foldPlaceholder").click();
    await expect.poll(() => first().textContent()).toContain("math.exp");
  });

  it("breaks long lines when asked", async () => {
    await tool("Wrap").click();
    await expect.poll(() => first().locator(".cm-lineWrapping").count()).toBe(1);
    await tool("Wrap").click();
  });

  it("has colours for operations", async () => {
    const keyword = line(first(), "math.exp").getByText("math.exp", { exact: true });
    const colour = (of: Locator) => of.evaluate((element) => getComputedStyle(element).color);
    expect(await colour(keyword)).not.toBe(await colour(first().locator(".cm-content")));
  });
});

describe("taking a text along", () => {
  it("copies all of it, hidden or not", async () => {
    await tool("Hide locations").click();
    await tool("Copy").click();
    await tool("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain("#loc = loc(");
    await tool("Hide locations").click();
  });

  it("downloads it under the kernel's name", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), tool("Download").click()]);
    expect(download.suggestedFilename()).toBe("sum_rows.cuda-80.ttir");
    expect(readFileSync(await download.path(), "utf8")).toContain("tt.func public @sum_rows");
  });

  it("searches it", async () => {
    await tool("Find").click();
    await first().locator("input[name=search]").pressSequentially("tt.store");
    await page.keyboard.press("Enter");
    expect(await first().locator(".cm-searchMatch-selected").textContent()).toBe("tt.store");
    await page.keyboard.press("Escape");
  });
});

describe("an edit after the compile", () => {
  const notice = () => page.getByText("Out of date", { exact: false });

  it("marks the output until it is undone or compiled", async () => {
    expect(await notice().isHidden()).toBe(true);
    await source().locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# more");
    await notice().waitFor();
    await page.keyboard.press("Control+z");
    await notice().waitFor({ state: "hidden" });
    await page.getByLabel("Target").selectOption("cuda:90");
    await notice().waitFor();
    expect(await compile(page)).toMatch(/^Compiled for cuda:90/);
    await notice().waitFor({ state: "hidden" });
  });
});

describe("a text of more than a megabyte", () => {
  /** Milliseconds that the page's longest uninterrupted task took meanwhile. */
  async function longestTask(action: () => Promise<void>): Promise<number> {
    await page.evaluate(() => {
      const seen = ((window as unknown as { tasks: number[] }).tasks = [0]);
      new PerformanceObserver((list) => {
        seen.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: "longtask" });
    });
    await action();
    // The observer is told of a task after it has ended.
    await page.waitForTimeout(500);
    return page.evaluate(() => Math.max(...(window as unknown as { tasks: number[] }).tasks));
  }

  it("opens, links and scrolls without holding up the page", async () => {
    await pasteSource(page, LARGE);
    expect(await compile(page)).toMatch(/^Compiled for cuda:90/);
    const longest = await longestTask(async () => {
      await tab("LLIR").click();
      await line(source(), "x = tl.load").click();
      await expect.poll(() => lit(first()).count()).toBeGreaterThan(0);
      await first().locator(".cm-content").click();
      for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("PageDown");
      await page.keyboard.press("Control+End");
    });
    // A few times what an idle machine needs, a fraction of what laying out every line would.
    expect(longest).toBeLessThan(1_000);
    const [download] = await Promise.all([page.waitForEvent("download"), tool("Download").click()]);
    expect(readFileSync(await download.path()).length).toBeGreaterThan(1_000_000);
  });

  it("scrolls to counterparts when the pointer rests on a line", async () => {
    await page.keyboard.press("Control+Home");
    await page.locator("h1").click();
    await first()
      .locator(".cm-scroller")
      .evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
    const top = () =>
      first()
        .locator(".cm-scroller")
        .evaluate(({ scrollTop }) => scrollTop);
    const before = await top();
    await line(source(), "tl.store").hover();
    await expect.poll(top).toBeLessThan(before);
    await expect.poll(() => lit(first()).count()).toBeGreaterThan(0);
  });
});

it("on a phone, two texts stand one below the other", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await tool("Split").click();
  const [above, below] = await Promise.all([
    page.locator("#output").boundingBox(),
    page.locator("#tabs-2").boundingBox(),
  ]);
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

it("left no exception uncaught", () => {
  expect(errors).toEqual([]);
});
