/**
 * Pictures of the page for people to look at: `make screenshots` writes them into
 * build/screenshots/.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, launchChromium, pasteSource, serveSite } from "./support.mjs";

const DESKTOP = { width: 1360, height: 820 };
const PHONE = { width: 360, height: 740 };

const folder = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
mkdirSync(folder, { recursive: true });

const server = await serveSite();
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: DESKTOP });
  /** @param {string} name */
  const picture = async (name) => {
    // Lines that are lit by the pointer, not by choice, would be in the way.
    await page.mouse.move(0, 0);
    await page.screenshot({ path: `${folder}${name}.png` });
    console.log(`${folder}${name}.png`);
  };
  /**
   * @param {string} name
   * @param {"light" | "dark"} colorScheme
   */
  const inBoth = async (name, colorScheme = "dark") => {
    await picture(name);
    await page.emulateMedia({ colorScheme });
    await picture(`${name}-${colorScheme}`);
    await page.emulateMedia({ colorScheme: "light" });
  };
  /** @param {string} id */
  const toggle = (id) => page.locator(`#${id} > summary`).click();

  await page.goto(server.address);
  await page
    .locator("#load-line")
    .filter({ hasText: /of [1-9]/ })
    .waitFor();
  await picture("loading");
  await compile(page);
  await inBoth("desktop");

  await page.getByRole("button", { name: "Keys" }).click();
  await inBoth("keys");
  await page.keyboard.press("Escape");

  await page.locator("#split").click();
  await page
    .locator("#editor .cm-line")
    .filter({ hasText: "x = tl.load" })
    .click({ position: { x: 60, y: 8 } });
  await page.locator("#output .cm-lit").first().waitFor();
  await inBoth("split");
  await page.locator("#editor .cm-content").press("Control+Home");
  await page.keyboard.type("# edited\n");
  await page.locator("#output").getByText("ld.global").first().waitFor();
  await inBoth("stale");
  await page.locator("#split").click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");

  for (const id of ["limits", "history"]) await toggle(id);
  await page.locator("#tools").getByRole("button", { name: "Find" }).click();
  await inBoth("panels");
  await page.keyboard.press("Escape");
  for (const id of ["limits", "history"]) await toggle(id);

  await page.setViewportSize(PHONE);
  await inBoth("phone");
  await page.locator("#output").scrollIntoViewIfNeeded();
  await picture("phone-output");
  await page.setViewportSize(DESKTOP);

  const source = await page.evaluate(
    () => JSON.parse(localStorage.getItem("triton-playground.work") ?? "{}").source,
  );
  await pasteSource(page, source.replace("mask = offsets", "mask = ofsets"));
  await compile(page);
  await inBoth("error");
  await page.setViewportSize(PHONE);
  await page.locator("#problems").scrollIntoViewIfNeeded();
  await picture("phone-error");
} finally {
  await browser.close();
  server.stop();
}
