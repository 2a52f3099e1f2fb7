import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: "dist-cli",
    emptyOutDir: true,
    target: "node20",
    rolldownOptions: {
      input: { main: "cli/main.ts", node_worker: "cli/node_worker.ts" },
      external: ["pyodide"],
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
