import { fileURLToPath } from "node:url";
import { CompilerClient, LoadError } from "../src/compiler_client.ts";
import { parseCommand } from "./arguments.ts";
import { runBatch } from "./batch_command.ts";
import { runCompile } from "./compile_command.ts";
import { InputError } from "./files.ts";
import { findPackageFiles, MissingFilesError } from "./package_files.ts";
import { runTargets } from "./targets_command.ts";
import { USAGE, UsageError } from "./usage.ts";
import { startWorkerThread } from "./worker_thread_port.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const WORKER = new URL("./node_worker.js", import.meta.url);

async function main(words: readonly string[]): Promise<number> {
  const command = parseCommand(words);
  if (command.command === "help") {
    process.stdout.write(USAGE);
    return 0;
  }
  const files = findPackageFiles(REPOSITORY, command.wheel, process.env);
  const start = () => startWorkerThread(WORKER, files);
  switch (command.command) {
    case "compile":
      return runCompile(command, (events) => new CompilerClient(start, events));
    case "batch":
      return runBatch(command, (events) => new CompilerClient(start, events));
    case "targets":
      return runTargets((events) => new CompilerClient(start, events));
  }
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as `head` has seen enough.
  if (error.code === "EPIPE") process.exit();
  throw error;
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`error: ${error.message}\nAll options: --help\n`);
  } else if (
    error instanceof InputError ||
    error instanceof MissingFilesError ||
    error instanceof LoadError
  ) {
    process.stderr.write(`${error.message}\n`);
  } else {
    throw error;
  }
  process.exitCode = 2;
}
