/**
 * Pictures of the page for people to look at: node tests/browser/screenshot.mjs writes them into
 * build/screenshots/.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, launchChromium, pasteSource, serveSite } from "./support.mjs";

const folder = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
mkdirSync(folder, { recursive: true });

const server = await serveSite();
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
  /** @param {string} name */
  const picture = async (name) => {
    await page.screenshot({ path: `${folder}${name}.png` });
    console.log(`${folder}${name}.png`);
  };
  await page.goto(server.address);
  await page
    .locator("#load-line")
    .filter({ hasText: /of [1-9]/ })
    .waitFor();
  await picture("loading");
  await compile(page);
  await picture("desktop");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 360, height: 740 });
  await picture("phone");
  await page.setViewportSize({ width: 1360, height: 820 });
  const source = await page.evaluate(
    () => JSON.parse(localStorage.getItem("triton-playground.work") ?? "{}").source,
  );
  await pasteSource(page, source.replace("mask = offsets", "mask = ofsets"));
  await compile(page);
  await picture("error");
} finally {
  await browser.close();
  server.stop();
}
