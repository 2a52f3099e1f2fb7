import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compiled } from "./support.mjs";

/** More presses of Tab than there are stops on the page. */
const MOST_STOPS = 80;

const site = servedSite();
let page: Page;

// No test in this file uses the mouse, or gives the focus to anything but by a key.
beforeAll(async () => {
  const context = await site.browser.newContext({ viewport: { width: 1360, height: 820 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  await page.goto(site.server.address);
  await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
});

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const type = (text: string) => page.keyboard.type(text);

/** What has the focus: its id or else its text, and whether a person sees that it has. */
const focused = () =>
  page.evaluate(() => {
    const active = document.activeElement as HTMLElement;
    const editor = active.closest(".cm-editor");
    const inEditor = active.classList.contains("cm-content");
    const shown = inEditor
      ? getComputedStyle(editor ?? active, "::after").borderTopWidth
      : getComputedStyle(active).outlineWidth;
    const { width, height } = active.getBoundingClientRect();
    return {
      name: inEditor ? (editor?.parentElement?.id ?? "") : active.id || active.textContent.trim(),
      seen: shown === "2px" && width > 0 && height > 0,
    };
  });

/** Presses Tab, or Shift+Tab, until something has the focus; leaves editors as a person would. */
async function tabTo(name: string | RegExp, key = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    const before = await focused();
    if (before.name === "editor") await press("Escape");
    await press(key);
    // CodeMirror marks an editor that got the focus a few milliseconds later.
    await expect.poll(focused).toMatchObject({ seen: true });
    const now = await focused();
    if (typeof name === "string" ? now.name === name : name.test(now.name)) return;
    passed.push(now.name);
  }
  throw new Error(`no ${String(name)} among ${passed.join(", ")}`);
}

const status = () => page.locator("#status").textContent();
const output = () => page.locator("#output .cm-content").textContent();
const activeLine = () => page.locator("#editor .cm-activeLine").textContent();

describe("with the keyboard alone", () => {
  it("every stop is seen, and the editor is left with Escape and Tab", async () => {
    await tabTo("editor");
    const description = await page
      .locator("#editor .cm-content")
      .evaluate(
        (content) =>
          document.getElementById(content.getAttribute("aria-describedby") ?? "")?.textContent,
      );
    expect(description).toContain("Escape, then Tab, leaves the editor");
    await press("Control+Home", "Tab");
    await expect.poll(focused).toEqual({ name: "editor", seen: true });
    expect(await activeLine()).toBe("    import triton");
    await press("Shift+Tab", "Escape", "Tab");
    expect((await focused()).name).toMatch(/^Specialisation/);
    expect(await page.locator("#editor .cm-line").first().textContent()).toBe("import triton");
  });

  it("a target is chosen and the kernel compiled", async () => {
    await tabTo("target", "Shift+Tab");
    await type("AMD CDNA 3");
    expect(await page.locator("#target").inputValue()).toBe("hip:gfx942");
    await tabTo("compile");
    await press("Enter");
    expect(await compiled(page)).toMatch(/^Compiled for hip:gfx942/);
    await press("Control+Enter");
    expect(await compiled(page)).toMatch(/^Compiled for hip:gfx942/);
  });

  it("tabs are chosen with the arrows", async () => {
    await tabTo("output-tab-amdgcn");
    await press("ArrowLeft");
    await expect.poll(focused).toEqual({ name: "output-tab-llir", seen: true });
    await expect.poll(output).toContain("target datalayout");
    await press("Home");
    await expect.poll(output).toContain("tt.func");
    await press("ArrowLeft");
    await expect.poll(async () => (await focused()).name).toBe("output-tab-report");
    await press("End", "ArrowRight", "ArrowRight");
    await expect.poll(output).toContain("#blocked");
    await press("Home");
    await expect.poll(output).not.toContain("#blocked");
  });

  it("the output is searched, folded and unfolded", async () => {
    await tabTo("Find");
    await press("Enter");
    await expect.poll(() => page.locator("#output input[name=search]:focus").count()).toBe(1);
    await type("tt.store");
    await press("Enter");
    await expect
      .poll(() => page.locator("#output .cm-searchMatch-selected").textContent())
      .toBe("tt.store");
    await press("Escape");
    await expect.poll(focused).toEqual({ name: "output", seen: true });
    await press("Control+Home");
    await press("Control+f");
    await type("tt.func");
    await press("Enter", "Escape", "Control+Shift+BracketLeft");
    await expect.poll(() => page.locator("#output .cm-foldPlaceholder").count()).toBe(1);
    await press("Control+Shift+BracketRight");
    await expect.poll(() => page.locator("#output .cm-foldPlaceholder").count()).toBe(0);
  });

  it("a line's counterpart is reached, there and back", async () => {
    await press("Control+f");
    await type("tt.store");
    await press("Enter", "Escape", "F2");
    await expect.poll(async () => (await focused()).name).toBe("editor");
    expect(await activeLine()).toContain("tl.store");
    await press("F2");
    await expect.poll(async () => (await focused()).name).toBe("output");
  });

  it("what is shown is switched", async () => {
    await tabTo("Hide locations", "Shift+Tab");
    await press("Space");
    await expect.poll(output).not.toContain("loc(");
    await press("Space");
    await tabTo("split", "Shift+Tab");
    await press("Enter");
    await page.locator("#output-2 .cm-content").waitFor();
    await tabTo("output-2");
    await tabTo("split", "Shift+Tab");
    await press("Enter");
    await page.locator("#output-2").waitFor({ state: "hidden" });
  });

  it("a problem is found in the list and in the source", async () => {
    await tabTo("editor", "Shift+Tab");
    await press("Control+Home", "Control+f");
    await type("offsets < n");
    await press("Enter", "Escape", "ArrowRight");
    await type(" + missing");
    await press("Control+Enter");
    expect(await compiled(page)).toContain("Did not compile");
    await press("Control+Home");
    await tabTo(/^line \d+$/);
    await press("Enter");
    await expect.poll(focused).toEqual({ name: "editor", seen: true });
    expect(await activeLine()).toContain("missing");
    await press("Control+Home", "F8");
    expect(await activeLine()).toContain("missing");
  });

  it("an earlier compile is brought back from the history", async () => {
    await tabTo("History");
    await press("Enter");
    await tabTo("add_kernel");
    await press("Tab", "Enter");
    await expect.poll(() => page.locator("#editor").textContent()).not.toContain("missing");
  });

  it("a link is copied", async () => {
    await tabTo("copy-link", "Shift+Tab");
    await press("Enter");
    await expect.poll(status).toContain("Link copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("#code=");
  });

  it("the theme is chosen, and the list of keys opened and closed", async () => {
    await tabTo("theme");
    await type("Dark");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await tabTo("show-keys");
    await press("Enter");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await dialog.waitFor();
    expect(await dialog.textContent()).toMatch(/Escape, then Tab\s*Leave the editor/);
    await press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect((await focused()).name).toBe("show-keys");
    await press("?");
    await dialog.waitFor();
    await press("Escape");
    await tabTo("editor");
    await press("Control+End");
    await type("# why?");
    expect(await dialog.isVisible()).toBe(false);
    expect(await activeLine()).toBe("# why?");
  });
});
