/**
 * Prints how long the page takes, as JSON: a fresh Chromium profile each round.
 *
 * node tests/browser/measure_page.mjs [ROUNDS]
 *
 * loadSeconds: from navigation to a compiler that is ready.
 * firstCompileSeconds, secondCompileSeconds: from the click on Compile to the shown report.
 */
import { compile, launchChromium, serveSite } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 3);
const server = await serveSite();
const results = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    const browser = await launchChromium();
    const page = await browser.newPage();
    const started = performance.now();
    await page.goto(server.address);
    await page.locator("#load").waitFor({ state: "hidden", timeout: 120_000 });
    const loadSeconds = (performance.now() - started) / 1000;
    const compileSeconds = [];
    for (let use = 0; use < 2; use += 1) {
      const pressed = performance.now();
      await compile(page);
      compileSeconds.push((performance.now() - pressed) / 1000);
    }
    const [firstCompileSeconds, secondCompileSeconds] = compileSeconds;
    results.push({ loadSeconds, firstCompileSeconds, secondCompileSeconds });
    await browser.close();
  }
} finally {
  server.stop();
}
console.log(JSON.stringify(results));
