import type { ClientEvents, CompilerClient } from "../src/compiler_client.ts";
import { parseExactJson, RoundedNumberError } from "../src/exact_json.ts";
import type { Request } from "../src/report.ts";
import type { BatchCommand } from "./arguments.ts";
import { InputError, readText } from "./files.ts";
import { ReportFile } from "./report_file.ts";

/** Exit statuses by convention: 128 and the signal's number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Compiles a JSON array of requests in one process, in order, and writes one report for each,
 * whether it compiled or not, as it comes.
 *
 * @returns the exit status: 0 when every report is ok
 */
export async function runBatch(
  command: BatchCommand,
  startClient: (events: ClientEvents) => CompilerClient,
): Promise<number> {
  const requests = parseRequests(await readText(command.file), command.file);
  const loadSeconds: number[] = [];
  const memoryBytes: (number | null)[] = [];
  const workers: number[] = [];
  let memory: number | null = null;
  let compiled = 0;
  const file = new ReportFile(command.output);
  const client = startClient({
    onReady: ({ seconds }) => {
      loadSeconds.push(seconds);
    },
    onMemory: ({ bytes }) => {
      memory = bytes;
    },
  });
  const finish = () => {
    client.close();
    file.close({ memoryBytes, workers, loadSeconds });
    process.stderr.write(`${compiled} of ${requests.length} requests compiled\n`);
  };
  for (const [signal, status] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      finish();
      process.exit(status);
    });
  }
  try {
    for (const request of requests) {
      memory = null;
      const report = await client.compile(request, command.limits);
      if (report.ok) compiled += 1;
      memoryBytes.push(memory);
      workers.push(loadSeconds.length);
      file.add(report, { memoryBytes, workers, loadSeconds });
    }
  } finally {
    finish();
  }
  return compiled === requests.length ? 0 : 1;
}

function parseRequests(text: string, file: string): Request[] {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    if (error instanceof RoundedNumberError) throw new InputError(`${file}: ${error.message}`);
    throw new InputError(`${file} is not valid JSON: ${String(error)}`);
  }
  if (!Array.isArray(value)) throw new InputError(`${file} must hold a JSON array of requests`);
  return value as Request[];
}
