import type { ClientEvents, CompilerClient } from "../src/compiler_client.ts";
import { parseExactJson, RoundedNumberError } from "../src/exact_json.ts";
import type { Report, Request } from "../src/report.ts";
import type { BatchCommand } from "./arguments.ts";
import { InputError, jsonText, print, readText, writeJson } from "./files.ts";

/**
 * Compiles a JSON array of requests in one process, in order, and writes
 * `{loadSeconds, reports}`: one report for each request, whether it compiled or not.
 *
 * @returns the exit status: 0 when every report is ok
 */
export async function runBatch(
  command: BatchCommand,
  startClient: (events: ClientEvents) => CompilerClient,
): Promise<number> {
  const requests = parseRequests(await readText(command.file), command.file);
  const loadSeconds: number[] = [];
  const client = startClient({
    onReady: ({ seconds }) => {
      loadSeconds.push(seconds);
    },
  });
  const options = command.timeLimit === undefined ? {} : { timeLimit: command.timeLimit };
  const reports: Report[] = [];
  try {
    for (const request of requests) reports.push(await client.compile(request, options));
  } finally {
    client.close();
  }
  const result = { loadSeconds, reports };
  if (command.output === undefined) await print(jsonText(result));
  else await writeJson(command.output, result);
  const failed = reports.filter((report) => !report.ok).length;
  process.stderr.write(`${reports.length - failed} of ${reports.length} requests compiled\n`);
  return failed === 0 ? 0 : 1;
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
