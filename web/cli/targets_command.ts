import { type ClientEvents, type CompilerClient, LoadError } from "../src/compiler_client.ts";
import type { Target } from "../src/protocol.ts";
import { print } from "./files.ts";

/** Prints the targets that the compiler knows, one a line; returns the exit status. */
export async function runTargets(
  startClient: (events: ClientEvents) => CompilerClient,
): Promise<number> {
  let client: CompilerClient | undefined;
  try {
    const targets = await new Promise<readonly Target[]>((resolve, reject) => {
      client = startClient({
        onReady: (ready) => {
          resolve(ready.targets);
        },
        onLoadFailed: (message) => {
          reject(new LoadError(message));
        },
      });
    });
    await print(targets.map(({ name, displayName }) => `${name}\t${displayName}\n`).join(""));
    return 0;
  } finally {
    client?.close();
  }
}
