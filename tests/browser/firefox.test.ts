import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveSite } from "./support.mjs";

/**
 * Playwright drives only a Firefox of its own make, and its WebDriver BiDi asks for commands that
 * Debian's lacks; Puppeteer speaks WebDriver BiDi with any.
 */
const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const missing = existsSync(program)
  ? ""
  : ` (skipped: no Firefox at ${program}; apt install firefox-esr, or set FIREFOX)`;

/** Milliseconds that Firefox may take to load the compiler; alone on two cores it takes 8 to 15 s. */
const LOADING = 120_000;

describe.skipIf(missing !== "")(`Firefox${missing}`, () => {
  let server: { address: string; stop: () => void };
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await serveSite();
    browser = await puppeteer.launch({ browser: "firefox", executablePath: program });
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(server.address);
  });

  afterAll(async () => {
    await browser?.close();
    server?.stop();
  });

  const textOf = (selector: string) => page.$eval(selector, (found) => found.textContent ?? "");
  const status = (timeout: number) =>
    expect.poll(() => textOf("#status"), { timeout, interval: 200 });
  const code = (selector: string) => textOf(`${selector} .cm-content`);

  it("compiles the first kernel to PTX", async () => {
    await status(LOADING).toContain("Ready");
    await page.click("#compile");
    await status(60_000).toMatch(/^Compiled for cuda:80/);
    expect(await textOf("#tabs [aria-selected=true]")).toBe("PTX");
    expect(await code("#output")).toContain(".target sm_80");
  });

  it("compiles it to AMDGCN", async () => {
    await page.select("#target", "hip:gfx942");
    await page.focus("#editor .cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await status(60_000).toMatch(/^Compiled for hip:gfx942/);
    expect(await code("#output")).toContain("amdgcn-amd-amdhsa--gfx942");
  });

  it("lights the counterparts of a line", async () => {
    const found = await page.$$("#editor .cm-line");
    for (const line of found) {
      const text = await line.evaluate((element) => element.textContent);
      if (text?.includes("tl.store")) await line.click();
    }
    await expect
      .poll(() => page.$$eval("#output .cm-lit", (lit) => lit.map((line) => line.textContent)))
      .toContainEqual(expect.stringMatching(/(global|buffer)_store/));
  });

  it("keeps the text of an edit over a reload, and compiles it without a server", async () => {
    await page.focus("#editor .cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    await page.keyboard.type("# typed in Firefox\n");
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state === "activated") return;
      await new Promise((resolve) => active?.addEventListener("statechange", resolve));
    });
    server.stop();
    await expect.poll(() => fetch(server.address).catch(() => "gone")).toBe("gone");
    await page.reload();
    expect(await code("#editor")).toContain("# typed in Firefox");
    await status(LOADING).toContain("Ready");
    await page.click("#compile");
    await status(60_000).toMatch(/^Compiled for hip:gfx942/);
    // Pyodide finds out what kind of worker it is in by trying a script that the page's policy forbids.
    expect(errors.filter((error) => !error.includes("data:text/javascript"))).toEqual([]);
  });
});
