import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where the Python side of the compiler lies on disk. */
export interface PackageFiles {
  /** Triton's wheel. */
  readonly wheel: string;
  /** Folder of the triton_playground package. */
  readonly playground: string;
}

/** The compiler's files are missing; the message says what to do. */
export class MissingFilesError extends Error {
  override name = "MissingFilesError";
}

/**
 * Finds the wheel and the triton_playground package.
 *
 * @param repository the checkout's root
 * @param wheel the wheel asked for on the command line, if any
 * @param environment where TRITON_PLAYGROUND_WHEEL may be set
 * @throws MissingFilesError
 */
export function findPackageFiles(
  repository: string,
  wheel: string | undefined,
  environment: NodeJS.ProcessEnv,
): PackageFiles {
  const playground = join(repository, "py", "triton_playground");
  if (!isFile(join(playground, "__init__.py"))) {
    throw new MissingFilesError(`no triton_playground package in ${playground}`);
  }
  return {
    wheel: findWheel(repository, wheel ?? environment.TRITON_PLAYGROUND_WHEEL),
    playground,
  };
}

function findWheel(repository: string, asked: string | undefined): string {
  if (asked !== undefined && asked !== "") {
    const file = resolve(asked);
    if (!isFile(file)) throw new MissingFilesError(`no wheel at ${file}`);
    return file;
  }
  const folder = join(repository, "wasm", "prebuilt");
  const wheels = listFolder(folder).filter((name) => /^triton-.*\.whl$/.test(name));
  const [name, ...others] = wheels;
  if (name === undefined) {
    throw new MissingFilesError(
      `no triton-*.whl in ${folder}; build one with: make wheel, or name one with --wheel`,
    );
  }
  if (others.length > 0) {
    throw new MissingFilesError(
      `several wheels in ${folder}: ${wheels.join(", ")}; name one with --wheel`,
    );
  }
  return join(folder, name);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
