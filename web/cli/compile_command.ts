import { basename } from "node:path";
import type { ClientEvents, CompilerClient } from "../src/compiler_client.ts";
import type { Report } from "../src/report.ts";
import { lastStageOf } from "../src/stages.ts";
import type { CompileCommand } from "./arguments.ts";
import { diagnosticText } from "./diagnostic_text.ts";
import { jsonText, print, readText, writeJson } from "./files.ts";

/**
 * Compiles one file: the text of the stage asked for goes to standard output, diagnostics go to
 * standard error.
 *
 * @returns the exit status
 */
export async function runCompile(
  command: CompileCommand,
  startClient: (events: ClientEvents) => CompilerClient,
): Promise<number> {
  const source = await readText(command.file);
  const wantsReport = command.emit === "report" || command.report !== undefined;
  const client = startClient({});
  const reports: Report[] = [];
  try {
    for (const target of command.targets) {
      const request = { source, ...filenameOf(command.file), target, ...command.request };
      const options = { ...command.limits, recover: wantsReport };
      reports.push(await client.compile(request, options));
    }
  } finally {
    client.close();
  }
  for (const report of reports) {
    for (const diagnostic of report.diagnostics) {
      process.stderr.write(`${diagnosticText(diagnostic, command.file)}\n`);
    }
  }
  const json = reports.length === 1 ? reports[0] : reports;
  if (command.report !== undefined) await writeJson(command.report, json);
  if (command.emit === "report") {
    await print(jsonText(json));
    return reports.every((report) => report.ok) ? 0 : 1;
  }
  const [report] = reports;
  return report ? printStage(report, command) : 1;
}

/** The name for locations; Python takes plain names only and has a default for others. */
function filenameOf(file: string): { filename?: string } {
  const filename = basename(file);
  return /^\w[\w.+ -]*\.py$/.test(filename) ? { filename } : {};
}

async function printStage(report: Report, command: CompileCommand): Promise<number> {
  if (!report.ok) return 1;
  const name = command.emit ?? lastStageOf(report.request.target);
  const stages = report.compilation?.stages ?? [];
  const stage = stages.find((candidate) => candidate.name === name);
  if (!stage) {
    const known = stages.map((candidate) => candidate.name).join(", ");
    process.stderr.write(
      `${command.file}: error: request: target ${report.request.target} has no stage ${name}; it has ${known}\n`,
    );
    return 1;
  }
  await print(stage.text);
  return 0;
}
