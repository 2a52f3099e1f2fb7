import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";

const site = servedSite();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.browser.newContext({ colorScheme: "dark" });
  page = await context.newPage();
  await page.goto(site.server.address);
});

/** How bright the ground of an element is, from 0 to 255. */
const brightness = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return (red + green + blue) / 3;
  });

const expectPage = async (theme: "dark" | "light") => {
  for (const selector of ["body", "#editor .cm-editor", "#output .cm-editor"]) {
    const ground = await brightness(selector);
    if (theme === "dark") expect(ground).toBeLessThan(60);
    else expect(ground).toBeGreaterThan(220);
  }
};

const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);

describe("the theme", () => {
  it("is the system's until one is chosen, also when the system changes", async () => {
    await page.locator("#editor .cm-content").waitFor();
    expect(await page.getByLabel("Theme").inputValue()).toBe("system");
    await expectPage("dark");
    await page.emulateMedia({ colorScheme: "light" });
    await expectPage("light");
    await page.emulateMedia({ colorScheme: "dark" });
  });

  it("is the chosen one, in the editors and in their panels too", async () => {
    await page.getByLabel("Theme").selectOption("light");
    await expectPage("light");
    expect(await scheme()).toBe("light");
    await page.locator("#tools").getByRole("button", { name: "Find" }).click();
    const field = "#output .cm-search input[name=search]";
    const light = await brightness(field);
    await page.getByLabel("Theme").selectOption("dark");
    expect(await brightness(field)).toBeLessThan(light - 150);
    await page.getByLabel("Theme").selectOption("light");
  });

  it("is kept, and is there before anything is painted", async () => {
    await context.addInitScript(() => {
      const seen = ((window as unknown as { seen: string[] }).seen = []) as string[];
      // The body's first appearance precedes every paint of it.
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        seen.push(document.documentElement.dataset.theme ?? "none");
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await page.locator("#editor .cm-content").waitFor();
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
      "light",
    ]);
    await expectPage("light");
    expect(await page.getByLabel("Theme").inputValue()).toBe("light");
  });

  it("is the system's again when asked", async () => {
    await page.getByLabel("Theme").selectOption("system");
    await expectPage("dark");
    await page.reload();
    await page.locator("#editor .cm-content").waitFor();
    await expectPage("dark");
  });
});

describe("motion", () => {
  /** Names of what moves on the page while the editor has the focus. */
  async function moving(reducedMotion: "reduce" | "no-preference"): Promise<string[]> {
    await page.emulateMedia({ reducedMotion });
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("ArrowRight");
    return page.evaluate(() =>
      document.getAnimations().map((animation) => (animation as CSSAnimation).animationName),
    );
  }

  it("is the cursor's blinking alone, and nothing where less is asked for", async () => {
    await expect.poll(() => moving("no-preference")).toContainEqual(expect.stringMatching(/blink/));
    expect(await moving("reduce")).toEqual([]);
  });
});
