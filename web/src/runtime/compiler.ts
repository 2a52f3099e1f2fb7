import type { PyodideAPI } from "pyodide";
import type { Completions, Target, Versions } from "../protocol.ts";
import type { Report, Request, StageName } from "../report.ts";
import { MemoryCeiling, type MemoryUse, type WatchedFileSystem } from "./memory_ceiling.ts";
import { type ImageOptions, type ImageStore, startPython } from "./python_image.ts";
import { OutputTail } from "./output_tail.ts";
import { withoutOwnFrames } from "./stack_dump.ts";

/** Puts Python packages into a fresh Pyodide's site-packages. */
export type Install = (pyodide: PyodideAPI, sitePackages: string) => Promise<void>;

export interface LoadOptions {
  /** Pyodide's own entry point, from wherever the host found it. */
  readonly loadPyodide: (
    options: {
      env: Record<string, string>;
      stdout: (line: string) => void;
      stderr: (line: string) => void;
      indexURL?: string;
    } & ImageOptions,
  ) => Promise<PyodideAPI>;
  /** Where a started Python is kept; each load starts one when left out. */
  readonly images?: ImageStore;
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
    /** The MLIR or LLVM pass that was running; empty when none was or it is not known. */
    readonly pass: string,
  ) {
    super(message);
  }
}

interface Installation {
  is_intact(): boolean;
}

interface PlaygroundModule {
  compile_json(request: string, onStage: (stage: string) => void): string;
}

/** The part of Emscripten's module that outlives a crash: memory, seen as bytes. */
interface EmscriptenModule {
  readonly HEAPU8: Uint8Array;
}

/** The part of Emscripten's FS that is read after a crash. */
interface FileSystem {
  readFile(path: string, options: { encoding: "utf8" }): string;
}

const DESCRIBE = `
import json
from triton._C import libtriton
from triton_playground.capture import ERRORS_PATH
from triton_playground.completions import completions
from triton_playground.targets import TARGETS
from triton_playground.version import versions
address = getattr(libtriton.playground, "running_pass_address", None)
json.dumps({
    "passAddress": address() if address else 0,
    "errorsPath": str(ERRORS_PATH),
    "completions": completions(),
    "versions": versions(),
    "targets": [{"name": t.name, "displayName": t.display_name} for t in TARGETS],
})
`;

const INSTALLATION = `
from triton_playground.installation import Installation
Installation()
`;

/** Triton in one Pyodide instance: loaded once, then compiles one request at a time. */
export class Compiler {
  private constructor(
    private readonly playground: PlaygroundModule,
    private readonly output: OutputTail,
    private readonly capturedErrors: () => string,
    private readonly module: EmscriptenModule,
    private readonly ceiling: MemoryCeiling,
    private readonly installation: Installation,
    /** Where the module keeps the name of the running pass; 0 when it does not. */
    private readonly passAddress: number,
    /** The targets the compiler knows. */
    readonly targets: readonly Target[],
    readonly versions: Versions,
    /** The names that Triton's modules offer. */
    readonly completions: Completions,
  ) {}

  /**
   * Starts Pyodide, installs the packages and imports Triton.
   *
   * @throws whatever Pyodide throws when a file is missing or damaged
   */
  static async load(options: LoadOptions): Promise<Compiler> {
    const output = new OutputTail();
    const ceiling = new MemoryCeiling();
    options.onPhase?.("python");
    const start = (image: ImageOptions) =>
      options.loadPyodide({
        env: { HOME: "/home/pyodide" },
        // Without these, Pyodide writes to file descriptors that a worker thread does not have.
        stdout: output.add,
        stderr: output.add,
        ...(options.indexURL === undefined ? {} : { indexURL: options.indexURL }),
        ...image,
      });
    const pyodide = await (options.images ? startPython(start, options.images) : start({}));
    options.onPhase?.("unpack");
    await options.install(pyodide, sitePackages(pyodide));
    options.onPhase?.("import");
    const described = JSON.parse(pyodide.runPython(DESCRIBE) as string) as {
      passAddress: number;
      errorsPath: string;
      versions: Versions;
      completions: Completions;
      targets: Target[];
    };
    const playground = pyodide.pyimport("triton_playground") as PlaygroundModule;
    // Taken now: after a crash Pyodide answers nothing, but its file system lives in JavaScript.
    const files = pyodide.FS as FileSystem;
    ceiling.watchFiles(pyodide.FS as WatchedFileSystem);
    const capturedErrors = () => {
      try {
        return files.readFile(described.errorsPath, { encoding: "utf8" });
      } catch {
        // Nothing has been compiled yet, so there is no such file.
        return "";
      }
    };
    return new Compiler(
      playground,
      output,
      capturedErrors,
      emscriptenModule(pyodide),
      ceiling,
      pyodide.runPython(INSTALLATION) as Installation,
      described.passAddress,
      described.targets,
      described.versions,
      described.completions,
    );
  }

  /**
   * Compiles one request.
   *
   * @param memoryLimit bytes of WebAssembly memory it may have; undefined for no limit of ours
   * @param onStage called with a stage's name before that stage starts
   * @returns the report; a kernel that does not compile is a report with diagnostics
   * @throws CompilerCrash when the instance died; it must not be used again
   */
  compile(
    request: Request,
    memoryLimit: number | undefined,
    onStage: (stage: StageName) => void,
  ): Report {
    this.output.clear();
    this.ceiling.begin(memoryLimit);
    try {
      const report = this.playground.compile_json(JSON.stringify(request), (stage) => {
        onStage(stage as StageName);
      });
      return JSON.parse(report) as Report;
    } catch (error) {
      const written = withoutOwnFrames(`${this.output.text()}\n${this.capturedErrors()}`);
      throw new CompilerCrash(describeError(error), written, this.#runningPass());
    }
  }

  /** What the instance holds now, and whether the last compile was refused more. */
  get memory(): MemoryUse {
    return { bytes: this.module.HEAPU8.byteLength, refused: this.ceiling.refused };
  }

  /** Whether a compile changed the files that the next one needs. */
  get damaged(): boolean {
    return !this.installation.is_intact();
  }

  #runningPass(): string {
    if (this.passAddress === 0) return "";
    const name = this.module.HEAPU8.slice(this.passAddress, this.passAddress + PASS_NAME_BYTES);
    const end = name.indexOf(0);
    return new TextDecoder().decode(end < 0 ? name : name.subarray(0, end));
  }
}

/** Room that the module has for the name of the running pass, its NUL included. */
const PASS_NAME_BYTES = 256;

/** Pyodide calls its Emscripten module private; nothing else tells how much memory it holds. */
function emscriptenModule(pyodide: PyodideAPI): EmscriptenModule {
  return (pyodide as unknown as { _module: EmscriptenModule })._module;
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
