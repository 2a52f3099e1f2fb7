import { MEBIBYTE } from "./limits.ts";
import type { Versions } from "./protocol.ts";
import type { Diagnostic, Report, Request, StageName } from "./report.ts";

const UNKNOWN: Versions = { playground: "", triton: "", llvm: "", python: "" };

/**
 * A report for a compile that Python could not report on itself, because its WebAssembly instance
 * died or was stopped.
 *
 * @param request the request that was running
 * @param diagnostic what happened, naming the stage that was running
 * @param seconds wall time since the request was sent
 * @param versions the compiler's versions, when it had told them
 */
export function failureReport(
  request: Request,
  diagnostic: Diagnostic,
  seconds: number,
  versions: Versions | null,
): Report {
  return {
    schema: 1,
    ok: false,
    versions: { ...(versions ?? UNKNOWN) },
    request,
    kernels: [],
    launches: [],
    compilation: null,
    diagnostics: [diagnostic],
    output: "",
    seconds,
  };
}

/** How LLVM, MLIR and C's assert begin the line that says why they abort. */
const LAST_WORDS = /^.*(?:LLVM ERROR|Assertion|UNREACHABLE|fatal error).*$/im;

/**
 * The diagnostic for an instance that died in `stage`.
 *
 * @param pass the MLIR or LLVM pass that was running; empty when it is not known
 */
export function crashDiagnostic(
  stage: StageName,
  message: string,
  detail: string,
  pass = "",
): Diagnostic {
  const overflow = /call stack|stack overflow/i.test(message);
  const memory = /out of memory|memory access|allocation failed/i.test(message + detail);
  const cause = overflow
    ? "the compiler ran out of stack"
    : memory
      ? "the compiler ran out of memory or used memory it must not"
      : message.includes("terminated with exit")
        ? "the source ended the compiler's process"
        : "the compiler crashed";
  const why = LAST_WORDS.exec(detail)?.[0].trim() ?? message;
  return {
    severity: "error",
    stage,
    message: `${cause} in stage ${stage}: ${why}`,
    hint: [
      ...(pass === "" ? [] : [`In the pass ${pass}.`]),
      overflow
        ? "Split very long or deeply nested expressions; then compile again."
        : stage === "source"
          ? "The script did this while it was imported, before any kernel was compiled."
          : "If a simpler kernel compiles, this is a bug in the compiler.",
    ].join(" "),
    ...(detail === "" ? {} : { detail }),
  };
}

/** The diagnostic for a compile that asked for more memory than its limit, in bytes. */
export function memoryLimitDiagnostic(
  stage: StageName,
  limit: number,
  place: Pick<Diagnostic, "line" | "column" | "detail"> = {},
): Diagnostic {
  return {
    severity: "error",
    stage,
    message: `out of memory in stage ${stage}: the compile needs more than the memory limit of ${limit / MEBIBYTE} MiB`,
    hint: "Raise the memory limit, or make the kernel smaller (block sizes, static_range, num_stages).",
    ...place,
  };
}

/** What Python, C++ and LLVM say when an allocation fails. */
const ALLOCATION_FAILED = /out of memory|MemoryError|bad_alloc|allocation failed|No space left/i;

/**
 * The report of a compile that was refused memory, its complaints about that replaced by one
 * that names the limit.
 *
 * @param limit bytes
 */
export function withMemoryLimit(report: Report, limit: number): Report {
  if (report.ok) return report;
  const isComplaint = ({ severity, message, detail }: Diagnostic) =>
    severity === "error" && ALLOCATION_FAILED.test(`${message}\n${detail ?? ""}`);
  const complaints = report.diagnostics.filter(isComplaint);
  const last = complaints.at(-1);
  // Without a complaint something else went wrong as well, or because of it: both are told.
  const stage = (last ?? report.diagnostics.at(-1))?.stage ?? "runtime";
  const place = last
    ? {
        ...(last.line === undefined ? {} : { line: last.line }),
        ...(last.column === undefined ? {} : { column: last.column }),
        detail: [last.message, last.detail].filter(Boolean).join("\n"),
      }
    : {};
  const others = report.diagnostics.filter((diagnostic) => !complaints.includes(diagnostic));
  return { ...report, diagnostics: [...others, memoryLimitDiagnostic(stage, limit, place)] };
}

/** The diagnostic for a compile that was stopped after its time limit. */
export function timeLimitDiagnostic(stage: StageName, limit: number): Diagnostic {
  if (stage === "source") {
    return {
      severity: "error",
      stage,
      message: `stopped after the time limit of ${limit} s: the script itself was still running`,
      hint: "No kernel was compiled yet. Look for a loop that does not end at the top level of the script, or raise the time limit.",
    };
  }
  return {
    severity: "error",
    stage,
    message: `stopped after the time limit of ${limit} s while stage ${stage} was running`,
    hint: "Raise the time limit, or make the kernel smaller (block sizes, static_range, num_stages).",
  };
}

/**
 * The report of a crashed compile, with the earlier stages that a second, shorter compile gave.
 *
 * @param failure the crashed compile's report
 * @param earlier the report of the same request, stopped before the stage that crashed
 */
export function withEarlierStages(failure: Report, earlier: Report): Report {
  return {
    ...earlier,
    ok: false,
    request: failure.request,
    diagnostics: [...earlier.diagnostics, ...failure.diagnostics],
    seconds: failure.seconds,
  };
}
