import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const repository = new URL("../../", import.meta.url);
const pasted = (name: string) =>
  readFileSync(new URL(`tests/pasted/${name}.py`, repository), "utf8");

const site = servedSite();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.browser.newContext({ viewport: { width: 1360, height: 820 } });
  page = await context.newPage();
  await page.goto(site.server.address);
  await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
});

const problems = () => page.locator("#problems");
const summary = () => page.locator("#specialisation-summary");

describe("a script of several notes", () => {
  it("leaves the source room after a compile", async () => {
    await pasteSource(page, pasted("softmax"));
    expect(await compile(page)).toMatch(/^Compiled/);
    expect(
      await problems()
        .getByText(/^\d+ notes$/)
        .isVisible(),
    ).toBe(true);
    expect((await page.locator("#editor").boundingBox())?.height).toBeGreaterThan(250);
  });

  it("shows an error before its notes, and the line it is on", async () => {
    const source = pasted("matmul");
    const broken = source.replace("tl.dot(a, b", "tl.dot(a, a");
    expect(broken).not.toBe(source);
    await pasteSource(page, broken);
    await page.keyboard.press("Control+End");
    expect(await compile(page)).toContain("Did not compile");
    const first = page.locator("#diagnostics > li").first();
    await expect.poll(() => first.textContent()).toMatch(/^error · TTIR/);
    const list = await problems().boundingBox();
    const box = await first.boundingBox();
    expect(box && list && box.y >= list.y && box.y < list.y + list.height).toBe(true);
    const line = page.locator("#editor .cm-line").filter({ hasText: "tl.dot(a, a" });
    await expect.poll(() => line.isVisible()).toBe(true);
    expect(await page.locator("#output .cm-content").textContent()).toMatch(/^TTIR, line \d+/);
  });

  it("says that they are old once another is pasted", async () => {
    await pasteSource(page, pasted("vector_add"));
    await expect.poll(() => problems().textContent()).toContain("before the change");
    await compile(page);
    expect(await page.locator("#problems-stale").isVisible()).toBe(false);
  });
});

describe("what was typed in the panel", () => {
  const warps = () => page.locator("#option-rows").getByLabel("num_warps", { exact: true });

  it("is counted where the panel is folded, options too", async () => {
    await pasteSource(page, pasted("matmul"));
    await expect.poll(() => summary().textContent()).toContain("matmul");
    await warps().fill("2");
    await expect.poll(() => summary().textContent()).toContain("1 changed");
  });

  it("gives way to a configuration that is chosen", async () => {
    await page.getByLabel("Autotune", { exact: true }).selectOption({ index: 2 });
    await expect.poll(() => summary().textContent()).not.toContain("changed");
  });
});

describe("the buttons", () => {
  it("do not move when Cancel goes", async () => {
    const before = await page.locator("#copy-link").boundingBox();
    await pasteSource(page, "while True:\n    pass\n");
    await page.getByRole("button", { name: "Compile" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    expect(await page.locator("#copy-link").boundingBox()).toEqual(before);
    await page.locator("#status").filter({ hasText: "Running the script" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).dblclick();
    await expect.poll(() => page.locator("#status").textContent()).toBe("Cancelled");
  });

  it("keep the focus where it was pressed", async () => {
    await pasteSource(page, "x = (");
    await page.getByRole("button", { name: "Compile" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("#status").filter({ hasText: "Did not compile" }).waitFor();
    const focused = page.getByRole("button", { name: "Compile" });
    await expect.poll(() => focused.evaluate((node) => node === document.activeElement)).toBe(true);
  });
});

describe("a file that was opened", () => {
  it("is saved under its name, with its line ends", async () => {
    const text = "# one\r\n\tx = 1\r\n";
    await page
      .locator("#open-file")
      .setInputFiles({ name: "mine.py", mimeType: "text/x-python", buffer: Buffer.from(text) });
    await page.locator("#status").filter({ hasText: "Opened mine.py" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save .py" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("mine.py");
    expect(readFileSync(await download.path(), "utf8")).toBe(text);
  });
});

describe("the history", () => {
  it("names the kernel that was compiled", async () => {
    await pasteSource(page, pasted("matmul"));
    await compile(page);
    await page.locator("#history > summary").click();
    const newest = page.locator("#history-list li").first();
    expect(await newest.locator("button").textContent()).toBe("matmul_kernel");
  });
});
