import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses let the site live in any folder of any host.
  base: "./",
  publicDir: false,
  worker: { format: "es" },
  build: { target: "es2023", modulePreload: { polyfill: false } },
});
