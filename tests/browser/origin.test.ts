import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const site = servedSite();
let page: Page;
const requests: Request[] = [];

beforeAll(async () => {
  const context = await site.browser.newContext();
  context.on("request", (request) => requests.push(request));
  page = await context.newPage();
  await page.goto(site.server.address);
});

describe("the page's requests", () => {
  it("stay in its origin and carry nothing while it loads, compiles, shares and keeps", async () => {
    await compile(page);
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.locator("#status").textContent()).toMatch(/[Ll]ink/);
    await page.evaluate(() => navigator.serviceWorker.ready);
    const { origin } = new URL(site.server.address);
    const real = requests.filter((request) => !/^(data|blob):/.test(request.url()));
    expect(real.some((request) => request.url().includes("libtriton"))).toBe(true);
    const odd = real.filter((request) => {
      const address = new URL(request.url());
      const carries = request.method() !== "GET" || request.postData() !== null || address.search;
      return address.origin !== origin || carries;
    });
    expect(odd.map((request) => request.url())).toEqual([]);
  });

  it("to other origins are forbidden to a script that is compiled", async () => {
    const heard: string[] = [];
    const outside = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.setHeader("Access-Control-Allow-Origin", "*").end("1");
    });
    await new Promise<void>((listening) => {
      outside.listen(0, "127.0.0.1", listening);
    });
    const { port } = outside.address() as AddressInfo;
    const there = `http://127.0.0.1:${port}/`;
    await pasteSource(
      page,
      `
import js
from pyodide.code import run_js

js.fetch("${there}fetch")
for attempt in (
    "const x = new XMLHttpRequest(); x.open('GET', '${there}xhr', false); x.send()",
    "importScripts('${there}import')",
    "import('${there}dynamic')",
    "new WebSocket('ws://127.0.0.1:${port}/socket')",
    "new EventSource('${there}events')",
    "new Worker(URL.createObjectURL(new Blob(['fetch(\\'${there}nested\\')'])))",
):
    try:
        run_js(attempt)
    except BaseException as error:
        print("refused", error)
`,
    );
    await compile(page);
    await page.waitForTimeout(1000);
    expect(heard).toEqual([]);
    outside.close();
    const kept = await page
      .workers()[0]
      ?.evaluate(() => ["caches", "Worker", "BroadcastChannel"].filter((name) => name in self));
    expect(kept).toEqual([]);
    await pasteSource(page, "import triton\n");
    expect(await compile(page)).toContain("Did not compile: error in stage source");
  });

  it("to other origins are forbidden to scripts, images, forms and workers", async () => {
    const blocked = await page.evaluate(async () => {
      const directives: string[] = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        directives.push(event.effectiveDirective);
      });
      const outside = "https://outside.invalid/";
      await fetch(outside).catch(() => undefined);
      const image = document.createElement("img");
      image.src = outside;
      const script = document.createElement("script");
      script.src = outside;
      const inline = document.createElement("script");
      inline.textContent = "window.ran = true";
      const frame = document.createElement("iframe");
      frame.src = outside;
      const form = document.createElement("form");
      form.action = outside;
      document.body.append(image, script, inline, frame, form);
      form.submit();
      try {
        new Worker("data:text/javascript,0");
      } catch {
        // Some browsers throw, others only report.
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      return directives;
    });
    for (const directive of [
      "connect-src",
      "img-src",
      "script-src-elem",
      "frame-src",
      "form-action",
      "worker-src",
    ]) {
      expect(blocked).toContain(directive);
    }
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    // Chromium tells of what it blocked as of a request that failed before it was sent.
    const tried = requests.filter((request) => request.url().includes("outside.invalid"));
    expect(tried.filter((request) => request.failure()?.errorText !== "csp")).toEqual([]);
  });
});
