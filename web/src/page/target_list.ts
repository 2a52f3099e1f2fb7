import type { Target } from "../protocol.ts";
import { create } from "./element.ts";

const VENDORS: readonly (readonly [prefix: string, label: string])[] = [
  ["cuda:", "NVIDIA"],
  ["hip:", "AMD"],
];

/** Fills the list of targets, grouped by vendor, and keeps the chosen one if it is still known. */
export function showTargets(
  select: HTMLSelectElement,
  targets: readonly Target[],
  chosen: string,
): void {
  const groups = VENDORS.map(([prefix, label]) => {
    const group = create("optgroup");
    group.label = label;
    for (const target of targets.filter(({ name }) => name.startsWith(prefix))) {
      const option = create("option", "", target.displayName);
      option.value = target.name;
      group.append(option);
    }
    return group;
  });
  select.replaceChildren(...groups);
  if (targets.some(({ name }) => name === chosen)) select.value = chosen;
}

/** Selects a target; one that the list lacks, until the compiler has told what it knows, is added. */
export function chooseTarget(select: HTMLSelectElement, name: string): void {
  if (![...select.options].some((option) => option.value === name)) {
    select.add(new Option(name, name));
  }
  select.value = name;
}
