import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { servedSite } from "./served_site.ts";
import { compile, pasteSource } from "./support.mjs";

const repository = new URL("../../", import.meta.url);
const matmul = readFileSync(new URL("tests/pasted/matmul.py", repository), "utf8");

const site = servedSite();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.browser.newContext({ viewport: { width: 1400, height: 1000 } });
  page = await context.newPage();
  await page.goto(site.server.address);
});

const status = () => page.locator("#status");
const note = () => page.locator("#specialisation-note");
const output = () => page.locator("#output .cm-content");
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
const row = (name: string) =>
  page.locator(".specialisation-row").filter({ has: page.getByText(name, { exact: true }) });
const typeOf = (name: string) => page.getByLabel(`Type of ${name}`, { exact: true });
const valueOf = (name: string) => page.getByLabel(`Value of ${name}`, { exact: true });
const kernel = () => page.getByLabel("Kernel", { exact: true });

/** The report of the last compile, read as a person does: from its tab, whole. */
async function report(): Promise<{
  metadata: Record<string, unknown>;
  specialisation: { signature: Record<string, string>; origin: string };
}> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await tab("Report").click();
      await page.locator("#tools").getByRole("button", { name: "Download" }).click();
    })(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  return (JSON.parse(text) as { compilation: Awaited<ReturnType<typeof report>> }).compilation;
}

describe("a tutorial that is pasted", () => {
  it("fills the panel from its launch before any compile", async () => {
    await status().filter({ hasText: "Ready" }).waitFor({ timeout: 120_000 });
    await expect.poll(() => typeOf("x_ptr").inputValue()).toBe("*fp32:16");
    await pasteSource(page, matmul);
    await expect.poll(() => typeOf("a_ptr").inputValue()).toBe("*fp16:16");
    expect(await typeOf("M").inputValue()).toBe("i32:16");
    expect(await typeOf("stride_bn").inputValue()).toBe("i32:1");
    expect(await row("a_ptr").textContent()).toMatch(/launch, line \d+/);
    expect(await valueOf("BM").inputValue()).toBe("128");
    expect(await row("BM").textContent()).toContain("autotune");
    expect(await row("num_stages").textContent()).toContain("autotune");
    expect(await row("maxnreg").textContent()).toContain("default");
    const launch = page.getByLabel("Launch", { exact: true }).locator("option:checked");
    expect(await launch.textContent()).toMatch(/^line \d+, grid \(8,\)/);
    // Nothing was compiled: no result, no problem, no history, no status.
    expect(await status().textContent()).toContain("Ready");
    expect(await tab("TTIR").isEnabled()).toBe(false);
    expect(await page.locator("#history-list li").count()).toBe(0);
    expect(await page.getByRole("region", { name: "Problems" }).isVisible()).toBe(false);
  });

  it("compiles, and otherwise with num_stages changed in the panel", async () => {
    expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
    expect(await tab("PTX").getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => output().textContent()).toContain(".target sm_80");
    const first = await report();
    expect(first.metadata.num_stages).toBe(3);
    await page.getByLabel("num_stages", { exact: true }).first().fill("2");
    expect(await row("num_stages").textContent()).toContain("yours");
    await page.locator("#stale").waitFor({ state: "visible" });
    expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
    const second = await report();
    expect(second.metadata.num_stages).toBe(2);
    expect(second.metadata.shared).not.toBe(first.metadata.shared);
    await page.getByRole("button", { name: "Reset num_stages" }).click();
    expect(await page.getByLabel("num_stages", { exact: true }).first().inputValue()).toBe("3");
    await tab("PTX").click();
  });

  it("lets another launch and another configuration be chosen", async () => {
    await page.getByLabel("Launch", { exact: true }).selectOption({ index: 1 });
    await page.getByLabel("Autotune", { exact: true }).selectOption({ index: 4 });
    await expect.poll(() => typeOf("a_ptr").inputValue()).toBe("*fp8e5:16");
    await expect.poll(() => valueOf("BM").inputValue()).toBe("64");
    expect(await valueOf("ACTIVATION").inputValue()).toBe("'leaky_relu'");
    expect(await compile(page)).toMatch(/^Compiled/);
    expect((await report()).metadata.num_stages).toBe(5);
  });

  it("keeps what was typed over a reload and in a link", async () => {
    await typeOf("K").fill("i64");
    await page.reload();
    await expect.poll(() => typeOf("K").inputValue(), { timeout: 60_000 }).toBe("i64");
    await expect.poll(() => typeOf("a_ptr").inputValue(), { timeout: 60_000 }).toBe("*fp8e5:16");
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.locator("#share-link").waitFor({ state: "visible" });
    const link = await page.locator("#share-link").inputValue();
    const other = await (await site.browser.newContext()).newPage();
    await other.goto(link);
    const typed = other.getByLabel("Type of K", { exact: true });
    await expect.poll(() => typed.inputValue(), { timeout: 60_000 }).toBe("i64");
    await other.context().close();
    await page.getByRole("button", { name: "Reset K" }).click();
    expect(await typeOf("K").inputValue()).toBe("i32:16");
  });
});

const HEADER = "import triton\nimport triton.language as tl\n\n\n";

const GUESSED = `${HEADER}@triton.jit
def scale(x_ptr, n, factor, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    tl.store(x_ptr + index, tl.load(x_ptr + index, mask=inside) * factor, mask=inside)
`;

describe("a kernel that nothing launches", () => {
  it("has guesses, marked as such, and compiles with them", async () => {
    await pasteSource(page, GUESSED);
    await expect.poll(() => typeOf("x_ptr").inputValue()).toBe("*fp32:16");
    expect(await typeOf("n").inputValue()).toBe("i32:16");
    expect(await typeOf("factor").inputValue()).toBe("fp32");
    expect(await valueOf("BLOCK").inputValue()).toBe("1024");
    for (const name of ["x_ptr", "n", "factor", "BLOCK"]) {
      expect(await row(name).textContent()).toContain("guess");
    }
    expect(await compile(page)).toMatch(/^Compiled/);
    expect(await page.locator("#diagnostics").textContent()).toContain("x_ptr = *fp32:16");
  });

  it("takes a type over a guess, and gives it back", async () => {
    await typeOf("x_ptr").fill("*bf16:16");
    expect(await row("x_ptr").textContent()).toContain("yours");
    expect(await compile(page)).toMatch(/^Compiled/);
    const { specialisation } = await report();
    expect(specialisation.signature.x_ptr).toBe("*bf16:16");
    expect(specialisation.signature.n).toBe("i32:16");
    await page.getByRole("button", { name: "Reset x_ptr" }).click();
    expect(await typeOf("x_ptr").inputValue()).toBe("*fp32:16");
    expect(await row("x_ptr").textContent()).toContain("guess");
  });

  it("strikes out what was typed for a parameter that is renamed", async () => {
    await typeOf("n").fill("i64");
    await pasteSource(page, GUESSED.replaceAll(/\bn\b/g, "count"));
    const gone = page.locator("#gone-texts");
    // Without a pause: the compile itself has to find out.
    expect(await compile(page)).toMatch(/^Compiled/);
    expect(await gone.locator("s").textContent()).toBe("n = i64");
    expect(await typeOf("count").inputValue()).toBe("i32:16");
    await page.getByRole("button", { name: "Remove n = i64" }).click();
    await gone.waitFor({ state: "hidden" });
  });

  it("says in words what is wrong with a type", async () => {
    await typeOf("x_ptr").fill("*fp33");
    expect(await compile(page)).toMatch(/^Did not compile: error in stage specialise/);
    expect(await page.locator("#diagnostics").textContent()).toContain("fp33");
    await page.getByRole("button", { name: "Reset x_ptr" }).click();
  });
});

const THREE = `${HEADER}@triton.jit
def twice(x):
    return x * 2


@triton.jit
def first(p, q):
    tl.store(p, twice(tl.load(q)))


@triton.jit
def second(r):
    tl.store(r, twice(tl.load(r)))
`;

describe("a source with three kernels", () => {
  it("takes one, says which, and sets helpers apart", async () => {
    await pasteSource(page, THREE);
    await expect.poll(() => note().textContent()).toContain("Of 2 kernels, first is taken");
    const helpers = kernel().locator("optgroup[label^=Helpers] option");
    expect(await helpers.allTextContents()).toEqual(["twice, called by first, second"]);
    expect(await compile(page)).toMatch(/^Compiled/);
    await expect.poll(() => output().textContent()).toContain("first");
  });

  it("compiles another when it is chosen", async () => {
    await kernel().selectOption("second");
    await expect.poll(() => typeOf("r").inputValue()).toBe("*fp32:16");
    expect(await compile(page)).toMatch(/^Compiled/);
    await tab("TTIR").click();
    await expect.poll(() => output().textContent()).toContain("@second");
    await tab("PTX").click();
    await kernel().selectOption("");
  });
});

describe("a script that does not end well", () => {
  it("keeps the launches before the line at which it fails", async () => {
    const launch = "\nfrom triton_playground import fake_tensor\n";
    const calls = `scale[(4,)](fake_tensor(4096, "bf16"), 4096, 2.0, BLOCK=256)\nundefined_name\n`;
    await pasteSource(page, GUESSED + launch + calls);
    await expect.poll(() => typeOf("x_ptr").inputValue()).toBe("*bf16:16");
    expect(await row("x_ptr").textContent()).toContain("launch, line");
    expect(await compile(page)).toMatch(/^Compiled/);
    expect(await page.locator("#diagnostics").textContent()).toContain("undefined_name");
  });

  it("keeps the rows when it fails before, and says where", async () => {
    await pasteSource(page, `${GUESSED}undefined_name\n`);
    await expect.poll(() => note().textContent()).toMatch(/line 10.*undefined_name/);
    expect(await typeOf("x_ptr").inputValue()).toBe("*bf16:16");
    expect(await status().textContent()).toMatch(/^Compiled/);
  });

  it("leaves the page usable when it never ends", async () => {
    await pasteSource(page, `${GUESSED}while True:\n    pass\n`);
    await expect.poll(() => note().textContent(), { timeout: 20_000 }).toContain("runs too long");
    expect(await typeOf("x_ptr").inputValue()).toBe("*bf16:16");
    expect(await status().textContent()).toMatch(/^Compiled/);
    await pasteSource(page, GUESSED);
    expect(await compile(page)).toMatch(/^Compiled/);
    await expect.poll(() => typeOf("x_ptr").inputValue()).toBe("*fp32:16");
    await pasteSource(page, GUESSED.replace("* factor", "* factor * 2"));
    await expect.poll(() => note().textContent()).toBe("");
  });
});

describe("the options", () => {
  it("are those of the target's backend, with the fitting controls", async () => {
    await page.getByLabel("Target").selectOption("hip:gfx942");
    const hint = page.getByLabel("schedule_hint", { exact: true }).first();
    await expect.poll(() => hint.inputValue()).toBe("none");
    await hint.selectOption("attention");
    const names = await page.locator("#option-rows .row-name").allTextContents();
    expect(names.slice(0, 3)).toEqual(["num_warps", "num_stages", "num_ctas"]);
    expect(names).toEqual(
      expect.arrayContaining(["waves_per_eu", "matrix_instr_nonkdim", "kpack"]),
    );
    await page.getByLabel("enable_fp_fusion", { exact: true }).first().uncheck();
    expect(await compile(page)).toMatch(/^Compiled for hip:gfx942/);
    const { metadata } = await report();
    expect([metadata.schedule_hint, metadata.enable_fp_fusion]).toEqual(["attention", false]);
  });

  it("that another target lacks are struck out", async () => {
    await page.getByLabel("Target").selectOption("cuda:80");
    await expect
      .poll(() => page.locator("#gone-texts s").allTextContents())
      .toEqual(["schedule_hint = attention"]);
    expect(await page.getByLabel("enable_fp_fusion", { exact: true }).first().isChecked()).toBe(
      false,
    );
    expect(await compile(page)).toMatch(/^Compiled for cuda:80/);
  });
});
