import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile } from "./support.mjs";

const site = servedSite();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.browser.newContext({ viewport: { width: 1400, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  await page.goto(site.server.address);
  expect(await compile(page)).toMatch(/^Compiled/);
});

const tool = (of: Page, name: string, group = "Output tools") =>
  of.getByRole("group", { name: group }).getByRole("button", { name, exact: true });
const tab = (of: Page, name: string, list = "Stages") =>
  of.getByRole("tablist", { name: list, exact: true }).getByRole("tab", { name, exact: true });
const text = (of: Page, id: string) => of.locator(`#${id} .cm-content`).textContent();

/** The page compiles and shows TTIR without attributes over TTGIR without locations, wrapped. */
async function expectLayout(of: Page): Promise<void> {
  expect(await compile(of)).toMatch(/^Compiled/);
  await expect.poll(() => text(of, "output")).toContain("tt.func");
  expect(await text(of, "output")).not.toContain("tt.divisibility");
  expect(await text(of, "output")).toContain("loc(#loc");
  await expect.poll(() => text(of, "output-2")).toContain("#blocked");
  expect(await text(of, "output-2")).not.toContain("loc(#loc");
  expect(await of.locator("#output .cm-lineWrapping").count()).toBe(0);
  expect(await of.locator("#output-2 .cm-lineWrapping").count()).toBe(1);
  expect(await tool(of, "Hide attributes").getAttribute("aria-pressed")).toBe("true");
}

describe("how the texts are shown", () => {
  it("is kept over a reload", async () => {
    await tab(page, "TTIR").click();
    await tool(page, "Hide attributes").click();
    await tool(page, "Split").click();
    await tab(page, "TTGIR", "Stages, second text").click();
    await tool(page, "Hide locations", "Tools of the second text").click();
    await tool(page, "Wrap", "Tools of the second text").click();
    await page.reload();
    await expectLayout(page);
  });

  it("goes with a link", async () => {
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.locator("#status").textContent()).toContain("Link copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await site.browser.newContext({ viewport: { width: 1400, height: 900 } });
    const stranger = await other.newPage();
    await stranger.goto(link);
    await expectLayout(stranger);
    await other.close();
  });

  it("comes back with a compile of the history", async () => {
    await tool(page, "Split").click();
    await tool(page, "Hide attributes").click();
    await tab(page, "PTX").click();
    await page.getByText("History", { exact: true }).click();
    await page.locator("#history-list").getByRole("button", { name: "add_kernel" }).first().click();
    await expectLayout(page);
  });
});

describe("the lines of a source that was edited after its compile", () => {
  const source = () => page.locator("#editor");
  const sourceLine = (part: string) =>
    source().locator(".cm-line").filter({ hasText: part }).first();
  const litOutput = async () =>
    (await page.locator("#output .cm-line.cm-lit").allTextContents()).join("\n");

  it("are linked where they are now", async () => {
    await sourceLine("import triton").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# one more line\n# and another\n");
    await page.getByText("Out of date", { exact: false }).waitFor();
    await sourceLine("tl.store").click();
    await expect.poll(litOutput).toContain("tt.store");
    expect(await litOutput()).not.toContain("tt.load");
    const program = page.locator("#output .cm-line").filter({ hasText: "tt.get_program_id" });
    await program.scrollIntoViewIfNeeded();
    // CodeMirror undoes a scroll that it has not been told of when it gets the focus.
    await page.waitForTimeout(200);
    await program.click();
    await expect
      .poll(() => source().locator(".cm-line.cm-lit").allTextContents())
      .toEqual([expect.stringContaining("offsets = tl.program_id(0)")]);
  });

  it("have no link once they are gone", async () => {
    await sourceLine("y = tl.load").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.type("z = 1");
    await sourceLine("z = 1").click();
    await expect.poll(litOutput).toBe("");
    await sourceLine("tl.store").click();
    await expect.poll(litOutput).toContain("tt.store");
  });

  it("are where a problem's line leads", async () => {
    await page.keyboard.press("Control+z");
    await sourceLine("z = 1").waitFor({ state: "detached" });
    await sourceLine("mask = offsets").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" + missing");
    expect(await compile(page)).toContain("Did not compile");
    await page.keyboard.press("Control+Home");
    await sourceLine("# one more line").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("# a third\n");
    await page.locator("#diagnostics").getByRole("button", { name: /^line/ }).click();
    await expect
      .poll(() => source().locator(".cm-activeLine").textContent())
      .toContain("+ missing");
  });
});
