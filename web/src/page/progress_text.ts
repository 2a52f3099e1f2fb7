import type { ProgressMessage } from "../protocol.ts";

const MEGABYTE = 1e6;

/** What the status line says while the compiler loads; null to leave it as it is. */
export function progressText({ phase, loaded, total }: ProgressMessage): string | null {
  switch (phase) {
    case "download":
      return `Downloading the compiler: ${megabytes(loaded)} of ${megabytes(total)} MB`;
    case "python":
      // Python starts while the wheel is still coming in; the download is what takes long.
      return null;
    case "unpack":
      return "Unpacking the compiler";
    case "import":
      return "Starting Triton";
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
