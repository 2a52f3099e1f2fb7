/**
 * Prints how long the page takes, as JSON: a fresh Chromium profile each round.
 *
 * node tests/browser/measure_page.mjs [ROUNDS]
 *
 * loadSeconds: from navigation to a compiler that is ready.
 * firstCompileSeconds, secondCompileSeconds: from the click on Compile to the shown report.
 * warmLoadSeconds: as loadSeconds, on a second visit.
 * offlineLoadSeconds: the same without a network.
 */
import { compile, launchChromium, serveSite } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 3);
const server = await serveSite();

/**
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} navigate
 * @returns {Promise<number>} seconds until the compiler is ready
 */
async function load(page, navigate) {
  const started = performance.now();
  await navigate();
  await page.locator("#load").waitFor({ state: "hidden", timeout: 120_000 });
  return (performance.now() - started) / 1000;
}

const results = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    const browser = await launchChromium();
    const page = await browser.newPage();
    const loadSeconds = await load(page, () => page.goto(server.address));
    const compileSeconds = [];
    for (let use = 0; use < 2; use += 1) {
      const pressed = performance.now();
      await compile(page);
      compileSeconds.push((performance.now() - pressed) / 1000);
    }
    const [firstCompileSeconds, secondCompileSeconds] = compileSeconds;
    await page.evaluate(() => navigator.serviceWorker.ready);
    const warmLoadSeconds = await load(page, () => page.reload());
    await page.context().setOffline(true);
    const offlineLoadSeconds = await load(page, () => page.reload());
    results.push({
      loadSeconds,
      firstCompileSeconds,
      secondCompileSeconds,
      warmLoadSeconds,
      offlineLoadSeconds,
    });
    await browser.close();
  }
} finally {
  server.stop();
}
console.log(JSON.stringify(results));
