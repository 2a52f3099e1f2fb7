/**
 * Broken requests through the page in Chromium: node tests/browser/hostile.mjs REQUESTS RESULTS
 * [SECONDS]. scripts/verify/hostile.py makes the requests and judges the results: what the page
 * shows, whether the editor kept the text, and how long the page did not answer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
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
  await page.locator("#limits").evaluate((details) => details.setAttribute("open", ""));
  await page.getByLabel("Time limit (s)").fill(seconds);
  const results = [];
  for (const request of requests) {
    uncaught = [];
    // A link brings everything but the source, which may be longer than links are opened.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, fragmentOf(request));
    await page.locator("#status").filter({ hasText: "Opened from the link" }).waitFor();
    if (request.source === "") await clearSource(page);
    else await pasteSource(page, request.source);
    const pasted = await savedSource(page);
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

/**
 * The fragment of a link with a request's target and specialisation, in the form of before the
 * specialisation panel, which takes JSON as it is.
 *
 * @param {Request} request
 */
function fragmentOf({ target, kernel = "", signature = "", constexprs = {}, options = {} }) {
  const specialisation = {
    ...{ kernel, signature },
    ...{ constexprs: JSON.stringify(constexprs), options: JSON.stringify(options) },
  };
  const text = JSON.stringify({ source: "", target, specialisation, view: "" });
  const packed = Buffer.concat([Buffer.from([1]), deflateRawSync(text)]);
  return `#code=${packed.toString("base64url")}`;
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
