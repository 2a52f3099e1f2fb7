/**
 * Prints how long the page takes and how much memory, as JSON: a fresh Chromium profile each round.
 *
 * node tests/browser/measure_page.mjs [ROUNDS]
 *
 * loadSeconds: from navigation to a compiler that is ready.
 * editorSeconds: from navigation to an editor that takes text.
 * firstCompileSeconds, secondCompileSeconds: from the click on Compile to the shown report, at once after the load.
 * restedCompileSeconds: the first compile when the page had REST before it.
 * warmLoadSeconds: as loadSeconds, on a second visit.
 * offlineLoadSeconds: the same without a network.
 * slowEditorSeconds, slowLoadSeconds, slowWarmLoadSeconds: the same through a line of SLOW_NETWORK.
 * readyBytes, firstCompileBytes, spareBytes: memory of the page's renderer process once the compiler is ready, after
 * the first compile, and once the spare compiler is there too.
 */
import { readFile } from "node:fs/promises";
import { slowNetwork } from "./slow_network.mjs";
import { compile, launchChromium, serveSite } from "./support.mjs";

/** A common home connection. */
const SLOW_NETWORK = { megabits: 20, latency: 30 };

/** Milliseconds after which a spare compiler has been loaded. */
const SPARE_DELAY = 12_000;

/** Milliseconds in which a person reads what they have pasted. */
const REST = 8000;

const rounds = Number(process.argv[2] ?? 3);
const server = await serveSite();
const slow = await slowNetwork(server.address, SLOW_NETWORK);

/**
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} navigate
 * @returns {Promise<{ editor: number, compiler: number }>} seconds until each can be used
 */
async function load(page, navigate) {
  const started = performance.now();
  await navigate();
  await page.locator("#editor .cm-content").waitFor({ timeout: 120_000 });
  const editor = (performance.now() - started) / 1000;
  await page.locator("#load").waitFor({ state: "hidden", timeout: 120_000 });
  return { editor, compiler: (performance.now() - started) / 1000 };
}

/**
 * @param {import("playwright-core").Browser} browser
 * @returns {Promise<number>} bytes that the page's process has for itself, its share of what is shared counted
 */
async function rendererBytes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === "renderer")
      .map(async ({ id }) => {
        const rollup = await readFile(`/proc/${id}/smaps_rollup`, "utf8");
        return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024;
      }),
  );
  // A browser keeps an empty renderer at hand; the page's is the large one.
  return Math.max(...sizes);
}

/** @param {import("playwright-core").Page} page */
async function timedCompile(page) {
  const pressed = performance.now();
  await compile(page);
  return (performance.now() - pressed) / 1000;
}

async function oneRound() {
  const browser = await launchChromium();
  const page = await browser.newPage();
  const cold = await load(page, () => page.goto(server.address));
  const readyBytes = await rendererBytes(browser);
  const firstCompileSeconds = await timedCompile(page);
  const firstCompileBytes = await rendererBytes(browser);
  const secondCompileSeconds = await timedCompile(page);
  await new Promise((elapsed) => setTimeout(elapsed, SPARE_DELAY));
  const spareBytes = await rendererBytes(browser);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const warm = await load(page, () => page.reload());
  await page.context().setOffline(true);
  const offline = await load(page, () => page.reload());
  await browser.close();

  const slowBrowser = await launchChromium();
  const slowPage = await slowBrowser.newPage();
  const slowCold = await load(slowPage, () => slowPage.goto(slow.address));
  await slowPage.evaluate(() => navigator.serviceWorker.ready);
  const slowWarm = await load(slowPage, () => slowPage.reload());
  await new Promise((elapsed) => setTimeout(elapsed, REST));
  const restedCompileSeconds = await timedCompile(slowPage);
  await slowBrowser.close();
  return {
    editorSeconds: cold.editor,
    loadSeconds: cold.compiler,
    firstCompileSeconds,
    secondCompileSeconds,
    restedCompileSeconds,
    warmLoadSeconds: warm.compiler,
    offlineLoadSeconds: offline.compiler,
    slowEditorSeconds: slowCold.editor,
    slowLoadSeconds: slowCold.compiler,
    slowWarmLoadSeconds: slowWarm.compiler,
    readyBytes,
    firstCompileBytes,
    spareBytes,
  };
}

const results = [];
try {
  for (let round = 0; round < rounds; round += 1) results.push(await oneRound());
} finally {
  slow.stop();
  server.stop();
}
console.log(JSON.stringify({ network: SLOW_NETWORK, rounds: results }));
