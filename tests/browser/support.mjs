/**
 * What the browser tests and the screenshots share: the served site and Debian's Chromium.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));
// The packages are web/'s: this folder has none of its own.
const requireFromWeb = createRequire(new URL("../../web/package.json", import.meta.url));

/** @type {typeof import("playwright-core")} */
const { chromium } = requireFromWeb("playwright-core");

const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Builds the site and serves it on a free port.
 *
 * @returns {Promise<{ address: string, stop: () => void }>}
 */
export async function serveSite() {
  const python = process.env.PYTHON ?? "python3";
  const server = spawn(python, ["-m", "scripts.serve", "--port", "0"], {
    cwd: repository,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address) return { address, stop: () => server.kill() };
  }
  throw new Error("scripts.serve ended without an address; its message is above");
}

/** Starts Chromium: $CHROMIUM, or else where Debian puts it. */
export function launchChromium() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`no Chromium at ${executablePath}: apt install chromium, or set CHROMIUM`);
  }
  return chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
}

/**
 * Replaces the editor's text by pasting.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
export async function pasteSource(page, text) {
  const content = page.locator("#editor .cm-content");
  // A click would leave the pointer over a line, to whose counterparts the output scrolls.
  await content.focus();
  await page.keyboard.press("Control+a");
  // Typing would be indented and autocompleted; a headless browser's own clipboard is shared.
  await content.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, text);
}

/**
 * Presses Compile and waits for the report.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string>} the status line
 */
export async function compile(page) {
  await page.getByRole("button", { name: "Compile" }).click();
  return compiled(page);
}

/**
 * Waits until the compile under way has ended.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string>} the status line
 */
export async function compiled(page) {
  await page.locator("#compile:enabled").waitFor({ timeout: 120_000 });
  return (await page.locator("#status").textContent()) ?? "";
}
