import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const requireFromWeb = createRequire(new URL("../../web/package.json", import.meta.url));
const axeSource = readFileSync(requireFromWeb.resolve("axe-core/axe.min.js"), "utf8");

const BROKEN = `import triton
import triton.language as tl
from triton_playground import fake_tensor


@triton.jit
def broken(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), missing)


broken[(1,)](fake_tensor((64,), "fp32"), BLOCK=64)
`;

const site = servedSite();

/** What axe finds wrong, one line for each element. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found, passes } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(),
  );
  expect(passes.length).toBeGreaterThan(15);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
      return `${id}: ${target.join(" ")}: ${why}`;
    }),
  );
}

describe.each([
  { colorScheme: "light", width: 1360, height: 820 },
  { colorScheme: "dark", width: 1360, height: 820 },
  { colorScheme: "light", width: 360, height: 640 },
  { colorScheme: "dark", width: 360, height: 640 },
] as const)("in $colorScheme at $width × $height, axe finds nothing", (screen) => {
  let page: Page;

  beforeAll(async () => {
    const { colorScheme, ...viewport } = screen;
    const context = await site.browser.newContext({ colorScheme, viewport });
    page = await context.newPage();
    // Into the page's own world without a change of its Content-Security-Policy.
    await page.addInitScript({ content: axeSource });
    await page.goto(site.server.address);
  });

  afterAll(async () => {
    await page?.context().close();
  });

  it("while the compiler loads, and when it has", async () => {
    await page.locator("#editor .cm-content").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
    expect(await violations(page)).toEqual([]);
  });

  it("after a compile, with lines lit in two texts", async () => {
    expect(await compile(page)).toMatch(/^Compiled/);
    expect(await violations(page)).toEqual([]);
    await page.locator("#split").click();
    const line = page.locator("#editor .cm-line").filter({ hasText: "x = tl.load" });
    await line.click();
    await expect.poll(() => page.locator(".cm-lit").count()).toBeGreaterThan(1);
    expect(await violations(page)).toEqual([]);
  });

  it("in every stage and in the report", async () => {
    await page.locator("#split").click();
    for (const name of ["TTIR", "TTGIR", "LLIR", "Report", "PTX"]) {
      await page.getByRole("tablist", { name: "Stages" }).getByRole("tab", { name }).click();
      expect(await violations(page)).toEqual([]);
    }
  });

  it("with everything open that opens", async () => {
    for (const summary of await page.locator("main > .pane > details > summary").all()) {
      if (!(await summary.evaluate((element) => element.closest("details")?.open))) {
        await summary.click();
      }
    }
    await page.locator("#tools").getByRole("button", { name: "Find" }).click();
    await page.locator("#output input[name=search]").pressSequentially("reg");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keys" }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("when the text is out of date, and after an error", async () => {
    await pasteSource(page, BROKEN);
    await page.getByText("Out of date", { exact: false }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await compile(page)).toContain("Did not compile");
    await page.getByText("Compiler’s own text").first().click();
    expect(await violations(page)).toEqual([]);
  });
});
