import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const repository = new URL("../../", import.meta.url);
const vectorAdd = readFileSync(new URL("web/src/page/default_kernel.py", repository), "utf8");
const mine = vectorAdd.replaceAll("add_kernel", "my_kernel");

const site = servedSite();
let author: Page;
let link = "";

beforeAll(async () => {
  const context = await site.browser.newContext({ acceptDownloads: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  author = await context.newPage();
  await author.goto(site.server.address);
});

const status = (page: Page) => page.locator("#status").textContent();
const editorText = (page: Page) => page.locator("#editor .cm-content").textContent();
const selectedTab = (page: Page) => page.locator("#tabs [aria-selected=true]").textContent();

/** Somebody else's browser, where a text of their own is in the editor. */
async function strangerWith(text: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.goto(site.server.address);
  await pasteSource(page, text);
  await page.reload();
  await expect.poll(() => editorText(page)).toContain(text.trim());
  return { context, page };
}

describe("a link", () => {
  it("is copied with source, target, options and view", async () => {
    await pasteSource(author, mine);
    await author.getByLabel("Target").selectOption("hip:gfx942");
    await author.getByLabel("num_warps", { exact: true }).fill("8");
    expect(await compile(author)).toMatch(/^Compiled for hip:gfx942/);
    await author.getByRole("tab", { name: "TTGIR" }).click();
    await author.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => status(author)).toContain("Link copied");
    link = await author.evaluate(() => navigator.clipboard.readText());
    expect(link.startsWith(`${site.server.address}#code=`)).toBe(true);
  });

  it("opens in another browser as it was, and leaves their own text to undo", async () => {
    const { context, page } = await strangerWith("# theirs\n");
    const asked: string[] = [];
    context.on("request", (request) => asked.push(request.url()));
    await page.goto("about:blank");
    await page.goto(link);
    await expect.poll(() => editorText(page)).toContain("my_kernel");
    expect(await page.getByLabel("Target").inputValue()).toBe("hip:gfx942");
    const typed = page.getByLabel("num_warps", { exact: true });
    await expect.poll(() => typed.inputValue()).toBe("8");
    expect(await compile(page)).toMatch(/^Compiled for hip:gfx942/);
    expect(await selectedTab(page)).toBe("TTGIR");
    await expect
      .poll(() => page.locator("#output").textContent())
      .toContain('"ttg.num-warps" = 8 : i32');
    const packed = link.split("#code=")[1] ?? "";
    expect(asked.filter((address) => address.includes(packed.slice(0, 40)))).toHaveLength(0);

    await page.getByText("History", { exact: true }).click();
    const entries = await page.locator("#history-list li").allTextContents();
    expect(entries[0]).toMatch(/^my_kernel hip:gfx942, compiled/);
    expect(entries[1]).toContain("set aside");
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("Control+z");
    await expect.poll(() => editorText(page)).toBe("# theirs");
    await page.reload();
    await expect.poll(() => editorText(page)).toBe("# theirs");
    await context.close();
  });

  it("that was cut says so and changes nothing", async () => {
    const { context, page } = await strangerWith("# theirs too\n");
    // As a link pasted into the address of the open page.
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      new URL(link.slice(0, -20)).hash,
    );
    await expect.poll(() => status(page)).toContain("This link is damaged");
    expect(await editorText(page)).toBe("# theirs too");
    await context.close();
  });

  it("is shown to be copied by hand when the browser forbids it", async () => {
    await author.context().clearPermissions();
    await author.evaluate(() => {
      const refused = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
      Object.defineProperty(navigator.clipboard, "writeText", { value: refused });
    });
    await author.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => author.getByLabel("Link to this kernel").inputValue()).toBe(link);
  });
});

describe("a .py file", () => {
  it("is saved with the editor's text", async () => {
    const [download] = await Promise.all([
      author.waitForEvent("download"),
      author.getByRole("button", { name: "Save .py" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("kernel.py");
    expect(readFileSync(await download.path(), "utf8")).toBe(mine);
  });

  it("is opened by choosing it and by dropping it", async () => {
    const file = (name: string, text: string | Buffer) => ({
      name,
      mimeType: "text/x-python",
      buffer: Buffer.from(text),
    });
    await author.locator("#open-file").setInputFiles(file("chosen.py", "# chosen\n"));
    await expect.poll(() => editorText(author)).toBe("# chosen");
    expect(await status(author)).toContain("Opened chosen.py");
    await author.locator("#editor .cm-content").evaluate((editor) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["# dropped\n"], "dropped.py"));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      editor.dispatchEvent(new DragEvent("drop", options));
    });
    await expect.poll(() => editorText(author)).toBe("# dropped");
    await author
      .locator("#open-file")
      .setInputFiles(file("picture.png", Buffer.from([0x89, 0x50, 0xff])));
    await expect.poll(() => status(author)).toContain("picture.png was not opened");
    expect(await editorText(author)).toBe("# dropped");
  });
});

describe("the history", () => {
  it("brings back a compile with its options after a reload", async () => {
    await author.reload();
    await pasteSource(author, mine);
    await author.getByRole("button", { name: "Reset num_warps" }).click();
    await author.getByText("History", { exact: true }).click();
    await author.getByRole("button", { name: "my_kernel" }).first().click();
    await expect.poll(() => editorText(author)).toContain("my_kernel");
    const typed = author.getByLabel("num_warps", { exact: true });
    await expect.poll(() => typed.inputValue()).toBe("8");
    expect(await author.getByLabel("Target").inputValue()).toBe("hip:gfx942");
  });
});
