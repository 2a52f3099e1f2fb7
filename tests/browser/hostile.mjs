/**
 * Broken requests through the page in Chromium: node tests/browser/hostile.mjs REQUESTS RESULTS
 * [SECONDS]. scripts/verify/hostile.py makes the requests and judges the results: what the page
 * shows, whether the editor kept the text, and how long the page did not answer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { compile, launchChromium, pasteSource, serveSite } from "./support.mjs";

/**
 * @typedef {object} Request
 * @property {string} source
 * @property {string} target
 * @property {string} [kernel]
 * @property {string} [signature]
 * @property {Record<string, unknown>} [constexprs]
 * @property {Record<string, unknown>} [options]
 */

const [given, written, seconds = "10"] = process.argv.slice(2);
if (given === undefined || written === undefined) {
  throw new Error("usage: node tests/browser/hostile.mjs REQUESTS RESULTS [SECONDS]");
}
/** @type {Request[]} */
const requests = JSON.parse(readFileSync(given, "utf8"));

const server = await serveSite();
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  /** @type {string[]} */
  let uncaught = [];
  page.on("pageerror", (error) => uncaught.push(error.message));
  await page.goto(server.address);
  await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 300_000 });
  // The longest gap between two ticks is how long the page's own thread was busy.
  await page.evaluate(() => {
    const state = { last: performance.now(), longest: 0 };
    Object.assign(window, { stall: state });
    setInterval(() => {
      const now = performance.now();
      state.longest = Math.max(state.longest, now - state.last);
      state.last = now;
    }, 50);
  });
  for (const name of ["specialisation", "limits"]) {
    await page.locator(`#${name}`).evaluate((details) => details.setAttribute("open", ""));
  }
  await page.getByLabel("Time limit (s)").fill(seconds);
  const results = [];
  for (const request of requests) {
    uncaught = [];
    if (request.source === "") await clearSource(page);
    else await pasteSource(page, request.source);
    const pasted = await savedSource(page);
    await page.getByLabel("Target").selectOption(request.target);
    await page.getByLabel("Kernel", { exact: true }).fill(request.kernel ?? "");
    await page.getByLabel("Signature").fill(request.signature ?? "");
    await page.getByLabel("Constexprs").fill(json(request.constexprs));
    await page.getByLabel("Options").fill(json(request.options));
    await page.evaluate(() => {
      /** @type {any} */ (window).stall.longest = 0;
    });
    const status = await compile(page);
    const problems = page.locator("#problems");
    results.push({
      status,
      problems: (await problems.isVisible()) ? ((await problems.textContent()) ?? "") : "",
      textKept: (await savedSource(page)) === pasted,
      stalledMilliseconds: await page.evaluate(() => /** @type {any} */ (window).stall.longest),
      uncaught,
    });
    writeFileSync(written, JSON.stringify(results));
  }
} finally {
  await browser.close();
  server.stop();
}

/**
 * Pasting an empty text changes nothing.
 *
 * @param {import("playwright-core").Page} page
 */
async function clearSource(page) {
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
}

/** @param {Record<string, unknown> | undefined} fields */
function json(fields) {
  return fields === undefined ? "" : JSON.stringify(fields);
}

/**
 * The editor's whole text; it lays out the visible lines only, so what was saved is read.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string>}
 */
function savedSource(page) {
  return page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return JSON.parse(localStorage.getItem("triton-playground.work") ?? "{}").source;
  });
}
