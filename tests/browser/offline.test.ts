import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, compiled } from "./support.mjs";

const site = servedSite();

async function ready(page: Page): Promise<void> {
  await page.locator("#status").filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
}

/** Addresses of the compiler's files that are asked for from now on. */
function downloads(context: BrowserContext): string[] {
  const asked: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("/compiler/")) asked.push(request.url());
  });
  return asked;
}

describe("a network that fails", () => {
  it("leaves the editor in use, is asked again, and the compile that waits is done", async () => {
    const context = await site.browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    let attempts = 0;
    await context.route(/libtriton/, (route) => {
      attempts += 1;
      return attempts === 1 ? route.abort("connectionreset") : route.continue();
    });
    await page.goto(site.server.address);
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# typed while it loads");
    await page.keyboard.press("Control+Enter");
    expect(await compiled(page)).toMatch(/^Compiled for cuda:80/);
    expect(await page.locator("#editor").textContent()).toContain("# typed while it loads");
    expect(attempts).toBe(2);
    await context.close();
  });

  it("says which file is missing, and loads when it is there again", async () => {
    const context = await site.browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await context.route(/libtriton/, (route) => route.fulfill({ status: 404 }));
    await page.goto(site.server.address);
    const line = page.locator("#load-line");
    await line.filter({ hasText: "could not be loaded" }).waitFor();
    expect(await line.textContent()).toMatch(/libtriton.*HTTP 404.*reload the page/);
    await context.unroute(/libtriton/);
    await page.getByRole("button", { name: "Try again" }).click();
    await ready(page);
    await context.close();
  });

  it("never has a damaged compiler run", async () => {
    const context = await site.browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await context.route(/libtriton/, async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body.writeUInt8(body.readUInt8(5_000_000) ^ 1, 5_000_000);
      await route.fulfill({ response, body });
    });
    await page.goto(site.server.address);
    const line = page.locator("#load-line");
    await line.filter({ hasText: "could not be loaded" }).waitFor({ timeout: 120_000 });
    expect(await line.textContent()).toContain("is not the file that this page was built with");
    await context.close();
  });
});

describe("a second visit", () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await site.browser.newContext();
    page = await context.newPage();
    await page.goto(site.server.address);
    await ready(page);
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state === "activated") return;
      await new Promise((resolve) => active?.addEventListener("statechange", resolve));
    });
  });

  it("downloads nothing of the compiler", async () => {
    const asked = downloads(context);
    await page.reload();
    await ready(page);
    expect(asked).toEqual([]);
  });

  it("replaces what was damaged in this browser", async () => {
    await page.evaluate(async () => {
      const keys = await caches.keys();
      const cache = await caches.open(keys.find((key) => key.includes("compiler")) ?? "");
      const request = (await cache.keys()).find(({ url }) => url.includes("python_stdlib"));
      await cache.put(request?.url ?? "", new Response("damaged"));
      await cache.put("compiler/of-an-older-version.zip", new Response("old"));
    });
    const asked = downloads(context);
    await page.reload();
    await ready(page);
    // The service worker passes the request on, which counts it twice.
    expect([...new Set(asked.map((address) => /\/compiler\/(\w+)/.exec(address)?.[1]))]).toEqual([
      "python_stdlib",
    ]);
    const kept = () =>
      page.evaluate(async () => {
        const keys = await caches.keys();
        const cache = await caches.open(keys.find((key) => key.includes("compiler")) ?? "");
        return (await cache.keys()).map(({ url }) => url);
      });
    // The six that the site lists, and the image of a started Python.
    await expect.poll(kept).toHaveLength(7);
    expect((await kept()).join()).not.toContain("older");
  });

  it("starts Python from its image, and makes another when that is damaged", async () => {
    const image = (damage: boolean) =>
      page.evaluate(async (damaging) => {
        const keys = await caches.keys();
        const cache = await caches.open(keys.find((key) => key.includes("compiler")) ?? "");
        const request = (await cache.keys()).find(({ url }) => url.includes("python-image"));
        const response = request && (await cache.match(request));
        if (!response) return { whole: false, hash: "" };
        const bytes = new Uint8Array(await response.arrayBuffer());
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
        const { headers } = response;
        bytes[20_000_000] = 1 ^ (bytes[20_000_000] ?? 0);
        if (damaging) await cache.put(request, new Response(bytes, { headers }));
        return { whole: headers.get("X-SHA256") === hash, hash };
      }, damage);
    const first = await image(false);
    expect(first.whole).toBe(true);
    await page.reload();
    await ready(page);
    // Every start seeds Python's hashes anew: had there been one, its image would be another.
    expect(await image(true)).toEqual(first);
    await page.reload();
    await ready(page);
    await expect.poll(async () => (await image(false)).whole).toBe(true);
    expect((await image(false)).hash).not.toBe(first.hash);
    expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
  });

  it("can be installed", async () => {
    const session = await context.newCDPSession(page);
    const manifest = await session.send("Page.getAppManifest");
    expect(manifest.errors).toEqual([]);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    const reasons = installabilityErrors.map(({ errorId }) => errorId);
    // Playwright's contexts are private windows, where nothing can be installed.
    expect(reasons.filter((reason) => reason !== "in-incognito")).toEqual([]);
  });

  it("compiles after a reload without a server", async () => {
    site.server.stop();
    await expect.poll(() => fetch(site.server.address).catch(() => "gone")).toBe("gone");
    await page.reload();
    await ready(page);
    expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
    await expect
      .poll(() => page.locator("#output .cm-content").textContent())
      .toContain(".target sm_80");
    await context.close();
  });
});
