import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, compiled, pasteSource } from "./support.mjs";

const repository = new URL("../../", import.meta.url);
const vectorAdd = readFileSync(new URL("web/src/page/default_kernel.py", repository), "utf8");
const matmul = readFileSync(new URL("tests/corpus/matmul.py", repository), "utf8");

const site = servedSite();
let context: BrowserContext;
let page: Page;
/** Addresses of everything that page and workers asked for. */
const requests: string[] = [];
/** Exceptions that nothing caught, and what the Content-Security-Policy blocked. */
const errors: string[] = [];
const statusLines: string[] = [];

beforeAll(async () => {
  context = await site.browser.newContext();
  page = await context.newPage();
  context.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) errors.push(message.text());
  });
  await page.exposeFunction("noteStatus", (text: string) => statusLines.push(text));
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      const line = document.querySelector("#load-line");
      if (!line) return;
      new MutationObserver(() => {
        (window as unknown as { noteStatus(text: string | null): void }).noteStatus(
          line.textContent,
        );
      }).observe(line, { childList: true, characterData: true, subtree: true });
    });
  });
  await page.goto(site.server.address);
});

const status = () => page.locator("#status");
const output = () => page.locator("#output .cm-content");
const problems = () => page.getByRole("region", { name: "Problems" });
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
const target = () => page.getByLabel("Target");

/** The editor's whole text; it lays out the visible lines only, so what was saved is read. */
async function savedSource(): Promise<string> {
  return page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    const saved = localStorage.getItem("triton-playground.work") ?? "{}";
    return (JSON.parse(saved) as { source: string }).source;
  });
}

/** Searches the output as a person does, and returns the text of the first match. */
async function findInOutput(text: string): Promise<string> {
  await output().click();
  await page.keyboard.press("Control+f");
  const field = page.locator("#output .cm-search input[name=search]");
  await field.pressSequentially(text);
  await field.press("Enter");
  const match = page.locator("#output .cm-searchMatch-selected");
  const found = await match.textContent();
  await field.press("Escape");
  return found ?? "";
}

describe("opening the page", () => {
  it("shows the kernel at once, and the download in MB", async () => {
    await expect.poll(() => page.locator("#editor").textContent()).toContain("add_kernel");
    await status().filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
    const sums = statusLines.flatMap((line) => {
      const found = /([\d.]+) of ([\d.]+) MB/.exec(line);
      return found ? [{ loaded: Number(found[1]), total: Number(found[2]) }] : [];
    });
    expect(sums.length).toBeGreaterThan(3);
    expect(sums.at(-1)?.loaded).toBe(sums[0]?.total);
  });

  it("lists the compiler's targets by vendor", async () => {
    const groups = await target().locator("optgroup").all();
    expect(await Promise.all(groups.map((group) => group.getAttribute("label")))).toEqual([
      "NVIDIA",
      "AMD",
    ]);
    expect(await target().locator("option").count()).toBeGreaterThanOrEqual(12);
  });
});

describe("compiling", () => {
  it("turns the first kernel into PTX for sm_80 with Ctrl+Enter", async () => {
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("Control+Enter");
    expect(await compiled(page)).toMatch(/^Compiled for cuda:80/);
    expect(await tab("PTX").getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => output().textContent()).toContain(".target sm_80");
    expect(await savedSource()).toBe(vectorAdd);
  });

  it("shows every stage and the report in tabs that the arrow keys reach", async () => {
    await tab("PTX").press("ArrowLeft");
    expect(await tab("LLIR").getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => output().textContent()).toContain("target datalayout");
    await tab("TTIR").click();
    await expect.poll(() => output().textContent()).toContain("tt.func public @add_kernel");
    await tab("TTGIR").click();
    await expect.poll(() => output().textContent()).toContain("#ttg.blocked");
    await tab("Report").click();
    await expect.poll(() => output().textContent()).toContain('"schema": 1');
    await tab("PTX").click();
  });

  it("turns an fp16 matmul into matrix instructions for gfx942", async () => {
    await pasteSource(page, matmul);
    await target().selectOption("hip:gfx942");
    await page.getByText("More options", { exact: true }).click();
    await page
      .getByLabel("Signature")
      .fill(
        "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16, i32:1, 64, 64, 32, 8",
      );
    await page.getByLabel("num_stages", { exact: true }).fill("3");
    expect(await compile(page)).toMatch(/^Compiled for hip:gfx942/);
    expect(await tab("AMDGCN").getAttribute("aria-selected")).toBe("true");
    expect(await findInOutput("v_mfma_f32")).toBe("v_mfma_f32");
  });

  it("says in words what is wrong with a signature and with an option", async () => {
    await page.getByLabel("Signature").fill("*fp33");
    await page.getByLabel("num_stages", { exact: true }).fill("2.5");
    await page.getByRole("button", { name: "Compile" }).click();
    await expect.poll(() => problems().textContent()).toContain("num_stages must be an integer");
    await page.getByRole("button", { name: "Reset num_stages" }).click();
    expect(await compile(page)).toContain("Did not compile");
    expect(await problems().textContent()).toContain("fp33");
    await page.getByLabel("Signature").fill("");
    await page.getByText("More options", { exact: true }).click();
    await target().selectOption("cuda:80");
  });
});

/** Compiles a source that must not compile, and the first kernel after it, which must. */
async function expectFailure(source: string): Promise<string> {
  await pasteSource(page, source);
  expect(await compile(page)).toMatch(/^Did not compile/);
  const text = (await problems().textContent()) ?? "";
  expect(await savedSource()).toBe(source);
  return text;
}

async function expectNextCompileWorks(): Promise<void> {
  await pasteSource(page, vectorAdd);
  expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
  await problems().waitFor({ state: "hidden" });
  await expect.poll(() => output().textContent()).toContain(".target sm_80");
}

describe("bad input", () => {
  it("shows a syntax error with its line, which leads there", async () => {
    const text = await expectFailure("import triton\n\n@triton.jit\ndef k(p:\n    pass\n");
    expect(text).toContain("error · source");
    expect(text).toContain("never closed");
    await page.getByRole("button", { name: "line 4" }).click();
    expect(await page.locator("#editor .cm-activeLine").textContent()).toBe("def k(p:");
    expect(await page.locator("#editor .cm-lintRange-error").count()).toBe(1);
    await expectNextCompileWorks();
  });

  it.each([
    ["no kernel", "x = 1\n", "source", /no kernel/],
    ["an unknown dtype", vectorAdd.replace('"fp32"', '"fp33"'), "", /fp33/],
    ["a missing argument", vectorAdd.replace("out, n, BLOCK", "out, BLOCK"), "", /\bn\b/],
    ["an unknown name", vectorAdd.replace("mask = offsets", "mask = ofsets"), "TTIR", /ofsets/],
  ])("says what is wrong with %s", async (_, source, stage, message) => {
    const text = await expectFailure(source);
    expect(text).toContain(`error · ${stage}`);
    expect(text).toMatch(message);
  });

  it("compiles again after all of these", expectNextCompileWorks);
});

describe("a crash of the compiler", () => {
  it("by machine stack leaves the page, the text and the next compile alive", async () => {
    const text = await expectFailure(`x = ${Array(20_000).fill("1").join(" + ")}\n`);
    expect(text).toContain("ran out of stack in stage source");
    await expectNextCompileWorks();
  });

  it("in the middle keeps the stages before it", async () => {
    const text = await expectFailure(vectorAdd.replaceAll("add_kernel", "doomed") + ABORT_IN_LLIR);
    expect(text).toContain("error · LLIR");
    expect(text).toContain("LLVM ERROR: last words");
    expect(await tab("TTGIR").isEnabled()).toBe(true);
    expect(await tab("LLIR").isEnabled()).toBe(false);
    await expect.poll(() => output().textContent()).toContain("#ttg.blocked");
    await expectNextCompileWorks();
  });
});

describe("cancelling", () => {
  it("stops a compile that does not end; the next one works", async () => {
    const source = "while True:\n    pass\n";
    await pasteSource(page, source);
    await page.getByRole("button", { name: "Compile" }).click();
    await status().filter({ hasText: "Running the script" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "hidden" });
    expect(await savedSource()).toBe(source);
    await expectNextCompileWorks();
  });
});

describe("the limits", () => {
  it("stop a compile that does not end, and one that hoards memory", async () => {
    await page.getByText("Limits", { exact: true }).click();
    await page.getByLabel("Time limit (s)").fill("3");
    expect(await expectFailure("while True:\n    pass\n")).toContain("time limit of 3 s");
    await page.getByLabel("Time limit (s)").fill("");
    await page.getByLabel("Memory limit (MiB)").fill("256");
    const hoard = "x = []\nwhile True:\n    x.append(bytes(1 << 20))\n";
    expect(await expectFailure(hoard)).toContain("memory limit of 256 MiB");
    await page.getByLabel("Memory limit (MiB)").fill("");
    await expectNextCompileWorks();
  });

  it("refuse what is no number, beside the field", async () => {
    await page.getByLabel("Time limit (s)").fill("soon");
    await page.getByRole("button", { name: "Compile" }).click();
    expect(await page.locator("#error-timeLimit").textContent()).toContain("Write a number");
    expect(await status().textContent()).toContain("Not compiled");
    await page.getByLabel("Time limit (s)").fill("");
    await page.getByText("Limits", { exact: true }).click();
  });
});

describe("safety", () => {
  it("keeps the text over a reload", async () => {
    await pasteSource(page, `${vectorAdd}# mine\n`);
    await page.reload();
    await expect.poll(() => page.locator("#editor").textContent()).toContain("# mine");
  });

  it("left no exception uncaught and had nothing blocked", () => {
    expect(errors).toEqual([]);
  });

  it("asked for nothing outside the site's origin", () => {
    expect(requests.some((address) => address.includes("libtriton"))).toBe(true);
    const { origin } = new URL(site.server.address);
    const outside = requests.filter(
      (address) => !address.startsWith("data:") && new URL(address).origin !== origin,
    );
    expect(outside).toEqual([]);
  });
});

/** Ends the WebAssembly instance as LLVM's fatal errors do, in the middle of one kernel's compile. */
const ABORT_IN_LLIR = `
import os
from triton.backends.nvidia.compiler import CUDABackend

make_llir = CUDABackend.make_llir


def abort(self, module, *arguments):
    if "@doomed" in str(module):
        os.write(2, b"LLVM ERROR: last words\\n")
        os.abort()
    return make_llir(self, module, *arguments)


CUDABackend.make_llir = abort
`;
