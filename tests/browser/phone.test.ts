import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compiled } from "./support.mjs";

const WIDTH = 360;

/** CSS pixels that WCAG 2.2 asks of what is touched. */
const TARGET = 24;

const site = servedSite();
let page: Page;

beforeAll(async () => {
  const context = await site.browser.newContext({
    viewport: { width: WIDTH, height: 640 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  page = await context.newPage();
  await page.goto(site.server.address);
});

async function box(of: Locator) {
  const found = await of.boundingBox();
  if (!found) throw new Error("not on the page");
  return found;
}

async function expectNoSidewaysScroll(): Promise<void> {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.body.scrollWidth,
    Math.round(visualViewport?.width ?? 0),
  ]);
  expect(widths).toEqual([WIDTH, WIDTH, WIDTH]);
}

/** What a finger is meant to hit and that is too small for it. */
const small = () =>
  page.evaluate((least) => {
    const targets = document.querySelectorAll("button, select, input, summary, [role=tab]");
    return [...targets]
      .map((target) => ({ target, size: target.getBoundingClientRect() }))
      .filter(({ size }) => size.width > 0 && (size.width < least || size.height < least))
      .map(({ target, size }) => `${target.outerHTML.slice(0, 60)} ${size.width}×${size.height}`)
      .filter((text) => !text.includes('type="checkbox"'));
  }, TARGET);

describe("on a phone of 360 × 640", () => {
  it("compiles with a tap, and stands in one column", async () => {
    await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
    await expectNoSidewaysScroll();
    await page.getByRole("button", { name: "Compile" }).tap();
    expect(await compiled(page)).toMatch(/^Compiled/);
    const [editor, output] = [
      await box(page.locator("#editor")),
      await box(page.locator("#output")),
    ];
    expect(editor.x).toBe(0);
    expect(editor.width).toBe(WIDTH);
    expect(output.y).toBeGreaterThanOrEqual(editor.y + editor.height);
    expect(output.height).toBeGreaterThan(200);
    await expectNoSidewaysScroll();
  });

  it("has Compile, Target and the editor on the first screen", async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const control of [
      page.getByRole("button", { name: "Compile" }),
      page.getByLabel("Target"),
    ]) {
      const { x, y, width, height } = await box(control);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(WIDTH);
      expect(y + height).toBeLessThanOrEqual(640);
    }
    expect((await box(page.locator("#editor"))).y).toBeLessThan(640 / 2);
  });

  it("scrolls the tabs that have no room, in their own row", async () => {
    await page.getByLabel("Target").selectOption("hip:gfx942");
    await page.getByRole("button", { name: "Compile" }).tap();
    expect(await compiled(page)).toMatch(/^Compiled for hip/);
    const tabs = page.getByRole("tablist", { name: "Stages" });
    const [scrolls, wraps] = await tabs.evaluate((list) => {
      list.style.width = "200px";
      const rows = new Set([...list.children].map((tab) => tab.getBoundingClientRect().top));
      return [list.scrollWidth > list.clientWidth, rows.size > 1];
    });
    expect([scrolls, wraps]).toEqual([true, false]);
    const report = tabs.getByRole("tab", { name: "Report" });
    await report.tap();
    const [row, tab] = [await box(tabs), await box(report)];
    expect(tab.x + tab.width).toBeLessThanOrEqual(row.x + row.width + 1);
    await tabs.evaluate((list) => {
      list.style.width = "";
    });
    await tabs.getByRole("tab", { name: "AMDGCN" }).tap();
  });

  it("has targets that a finger hits, also with everything open", async () => {
    expect(await small()).toEqual([]);
    for (const summary of await page.locator("main > .pane > details > summary").all()) {
      if (!(await summary.evaluate((element) => element.closest("details")?.open))) {
        await summary.tap();
      }
    }
    await page.locator("#tools").getByRole("button", { name: "Find" }).tap();
    await page.locator("#output .cm-search").waitFor();
    expect(await small()).toEqual([]);
    await expectNoSidewaysScroll();
    await page.locator("#output .cm-search [name=close]").tap();
    await page.getByRole("button", { name: "Keys" }).tap();
    const dialog = await box(page.getByRole("dialog"));
    expect(dialog.x).toBeGreaterThanOrEqual(0);
    expect(dialog.x + dialog.width).toBeLessThanOrEqual(WIDTH);
    await page.getByRole("button", { name: "Close" }).tap();
  });

  it("lights the counterparts of a line that is tapped", async () => {
    const line = page.locator("#editor .cm-line").filter({ hasText: "tl.store" });
    await line.scrollIntoViewIfNeeded();
    const { y, height } = await box(line);
    await page.touchscreen.tap(WIDTH / 2, y + height / 2);
    await page.locator("#output").scrollIntoViewIfNeeded();
    await expect
      .poll(async () => (await page.locator("#output .cm-lit").allTextContents()).join("\n"))
      .toContain("_store");
  });
});
