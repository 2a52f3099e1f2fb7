import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const site = servedSite();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.browser.newContext();
  page = await context.newPage();
  await page.goto(site.server.address);
});

const status = () => page.locator("#status");
const editor = () => page.locator("#editor .cm-content");

describe("editing a kernel", () => {
  it("completes Triton's names, with their parameters, from the Triton that compiles", async () => {
    await expect.poll(() => status().textContent(), { timeout: 60_000 }).toContain("Ready");
    await editor().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nx = tl.make_tensor_d");
    const option = page.locator(".cm-tooltip-autocomplete li").first();
    await expect.poll(() => option.textContent()).toContain("make_tensor_descriptor");
    // CodeMirror takes no key for a list that has only just come up.
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await expect.poll(() => editor().textContent()).toContain("x = tl.make_tensor_descriptor");
  });

  it("undoes after a reload what was typed before it", async () => {
    const before = await editor().textContent();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n# a thought");
    await expect.poll(() => editor().textContent()).toContain("# a thought");
    await page.reload();
    await expect.poll(() => editor().textContent()).toContain("# a thought");
    await editor().click();
    await page.keyboard.press("Control+z");
    await expect.poll(() => editor().textContent()).toBe(before);
  });
});

describe("cancelling", () => {
  it("has a loaded compiler at once, once the page has rested", async () => {
    await expect.poll(() => status().textContent(), { timeout: 60_000 }).toContain("Ready");
    // The second worker is the spare; it has loaded when it has read the wheel.
    await expect.poll(() => page.workers().length, { timeout: 60_000 }).toBe(2);
    await page.waitForTimeout(15_000);
    await pasteSource(page, "while True:\n    pass\n");
    await page.getByRole("button", { name: "Compile" }).click();
    await expect.poll(() => status().textContent()).toBe("Running the script");
    await page.getByRole("button", { name: "Cancel" }).click();
    await pasteSource(page, "x = (");
    const started = Date.now();
    expect(await compile(page)).toContain("Did not compile");
    // Loading the compiler takes several times as long.
    expect(Date.now() - started).toBeLessThan(2500);
  });
});
