import { type Chain, known, type LineChains, NO_CHAINS } from "./chain.ts";
import { MlirLocations } from "./mlir_location.ts";

const DEFINITION = /^(#loc\d*) = loc\((.*)\)$/;

/** The chains of each line of an MLIR text. The lines of its table of locations have none. */
export function mlirLineChains(text: string): LineChains {
  const lines = text.split("\n");
  const table = new Map<string, string>();
  for (const line of lines) {
    const definition = line.startsWith("#loc") ? DEFINITION.exec(line) : null;
    if (definition) table.set(definition[1] ?? "", definition[2] ?? "");
  }
  const locations = new MlirLocations(table);
  const chains: (readonly Chain[])[] = [];
  const openers: number[] = [];
  lines.forEach((line, at) => {
    const own = line.startsWith("#") ? NO_CHAINS : chainsOf(line, locations);
    chains.push(own);
    const trimmed = line.trimStart();
    if (trimmed.startsWith("}")) {
      const opener = openers.pop();
      // An operation with a region has its location behind the region, and is read where it begins.
      if (opener !== undefined) chains[opener] = merge(chains[opener] ?? NO_CHAINS, own);
      // `} else {`: the location comes behind the last region, and is the first line's too.
      if (opener !== undefined && line.endsWith("{")) openers.push(opener);
    } else if (line.endsWith("{")) {
      openers.push(at);
    }
  });
  return chains;
}

function chainsOf(line: string, locations: MlirLocations): readonly Chain[] {
  let chains: readonly Chain[] = NO_CHAINS;
  for (let at = line.indexOf("loc("); at >= 0; at = line.indexOf("loc(", at + 1)) {
    if (at > 0 && !" (".includes(line.charAt(at - 1))) continue;
    const read = locations.read(line, at + 4);
    chains = merge(chains, read.chains);
    at = Math.max(at, read.end - 1);
  }
  return chains;
}

/** Both, without those that are the very same: an alias is resolved to one list. */
function merge(some: readonly Chain[], more: readonly Chain[]): readonly Chain[] {
  if (some.length === 0 || some === more) return more;
  if (more.length === 0) return some;
  return known([...some, ...more.filter((chain) => !some.includes(chain))]);
}
