import type { PyodideAPI } from "pyodide";
import type { Target, Versions } from "../protocol.ts";
import type { Report, Request, StageName } from "../report.ts";
import { OutputTail } from "./output_tail.ts";

/** Puts Python packages into a fresh Pyodide's site-packages. */
export type Install = (pyodide: PyodideAPI, sitePackages: string) => Promise<void>;

export interface LoadOptions {
  /** Pyodide's own entry point, from wherever the host found it. */
  readonly loadPyodide: (options: {
    env: Record<string, string>;
    stdout: (line: string) => void;
    stderr: (line: string) => void;
    indexURL?: string;
  }) => Promise<PyodideAPI>;
  /** Folder or URL that holds Pyodide's files; Pyodide's own guess when left out. */
  readonly indexURL?: string;
  /** Triton's wheel, then triton_playground. */
  readonly install: Install;
  readonly onPhase?: (phase: "python" | "unpack" | "import") => void;
}

/** The WebAssembly instance died while it compiled. */
export class CompilerCrash extends Error {
  override name = "CompilerCrash";
  constructor(
    message: string,
    /** The last lines the compiler wrote. */
    readonly detail: string,
  ) {
    super(message);
  }
}

interface PlaygroundModule {
  compile_json(request: string, onStage: (stage: string) => void): string;
}

/** The part of Emscripten's FS that is read after a crash. */
interface FileSystem {
  readFile(path: string, options: { encoding: "utf8" }): string;
}

const DESCRIBE = `
import json
import triton._C.libtriton
from triton_playground.capture import ERRORS_PATH
from triton_playground.targets import TARGETS
from triton_playground.version import versions
json.dumps({
    "errorsPath": str(ERRORS_PATH),
    "versions": versions(),
    "targets": [{"name": t.name, "displayName": t.display_name} for t in TARGETS],
})
`;

/** Triton in one Pyodide instance: loaded once, then compiles one request at a time. */
export class Compiler {
  private constructor(
    private readonly playground: PlaygroundModule,
    private readonly output: OutputTail,
    private readonly capturedErrors: () => string,
    /** The targets the compiler knows. */
    readonly targets: readonly Target[],
    readonly versions: Versions,
  ) {}

  /**
   * Starts Pyodide, installs the packages and imports Triton.
   *
   * @throws whatever Pyodide throws when a file is missing or damaged
   */
  static async load(options: LoadOptions): Promise<Compiler> {
    const output = new OutputTail();
    options.onPhase?.("python");
    const pyodide = await options.loadPyodide({
      env: { HOME: "/home/pyodide" },
      // Without these, Pyodide writes to file descriptors that a worker thread does not have.
      stdout: output.add,
      stderr: output.add,
      ...(options.indexURL === undefined ? {} : { indexURL: options.indexURL }),
    });
    options.onPhase?.("unpack");
    await options.install(pyodide, sitePackages(pyodide));
    options.onPhase?.("import");
    const described = JSON.parse(pyodide.runPython(DESCRIBE) as string) as {
      errorsPath: string;
      versions: Versions;
      targets: Target[];
    };
    const playground = pyodide.pyimport("triton_playground") as PlaygroundModule;
    // Taken now: after a crash Pyodide answers nothing, but its file system lives in JavaScript.
    const files = pyodide.FS as FileSystem;
    const capturedErrors = () => {
      try {
        return files.readFile(described.errorsPath, { encoding: "utf8" });
      } catch {
        // Nothing has been compiled yet, so there is no such file.
        return "";
      }
    };
    return new Compiler(playground, output, capturedErrors, described.targets, described.versions);
  }

  /**
   * Compiles one request.
   *
   * @param onStage called with a stage's name before that stage starts
   * @returns the report; a kernel that does not compile is a report with diagnostics
   * @throws CompilerCrash when the instance died; it must not be used again
   */
  compile(request: Request, onStage: (stage: StageName) => void): Report {
    this.output.clear();
    try {
      const report = this.playground.compile_json(JSON.stringify(request), (stage) => {
        onStage(stage as StageName);
      });
      return JSON.parse(report) as Report;
    } catch (error) {
      const written = `${this.output.text()}\n${this.capturedErrors()}`.trim();
      throw new CompilerCrash(describeError(error), written);
    }
  }
}

function sitePackages(pyodide: PyodideAPI): string {
  // Pyodide's prefix is "/", which sysconfig joins to "//lib"; Triton prints this path in locations.
  const path = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')") as string;
  return path.replace(/^\/+/, "/");
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.trim().split("\n").at(-1) ?? error.name;
}
