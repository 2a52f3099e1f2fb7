import { defineConfig } from "vite";

const SERVICE_WORKER = "service_worker";

export default defineConfig({
  // Relative addresses let the site live in any folder of any host.
  base: "./",
  worker: { format: "es" },
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", [SERVICE_WORKER]: "src/service_worker/service_worker.ts" },
      output: {
        // A service worker must keep its address, and lie above all that it answers for.
        entryFileNames: ({ name }) =>
          name === SERVICE_WORKER ? "[name].js" : "assets/[name]-[hash].js",
      },
    },
  },
});
