import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const nodeModules = fileURLToPath(new URL("node_modules/", import.meta.url));

/** Real compiles: one at a time, since each takes a core and some hundred megabytes. */
const serial = { fileParallelism: false, testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { test: { name: "cli", include: ["test/cli/**/*.test.ts"], ...serial } },
      {
        root: fileURLToPath(new URL("../tests/browser", import.meta.url)),
        // The tests lie outside web/, where the packages are.
        resolve: {
          alias: {
            "playwright-core": `${nodeModules}playwright-core/index.mjs`,
            "puppeteer-core": `${nodeModules}puppeteer-core/lib/esm/puppeteer/puppeteer-core.js`,
            vitest: `${nodeModules}vitest/dist/index.js`,
          },
        },
        test: {
          name: "browser",
          include: ["**/*.test.ts"],
          expect: { poll: { timeout: 30_000 } },
          ...serial,
        },
      },
    ],
  },
});
