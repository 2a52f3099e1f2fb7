import type { StageName } from "./report.ts";

const BEFORE_TRITON = ["request", "source", "specialise"] as const satisfies StageName[];
const CUDA = ["ttir", "ttgir", "llir", "ptx"] as const satisfies StageName[];
const HIP = ["ttir", "ttgir", "llir", "amdgcn"] as const satisfies StageName[];

/** The stages whose text a compile can return, whatever the target. */
export const TEXT_STAGES: readonly StageName[] = ["ttir", "ttgir", "llir", "ptx", "amdgcn"];

/** The stages that a target goes through and that return a text, in order. */
export function stagesOf(target: string): readonly StageName[] {
  return target.startsWith("hip:") ? HIP : CUDA;
}

/** The last stage of a target: PTX or AMDGCN. */
export function lastStageOf(target: string): StageName {
  return target.startsWith("hip:") ? "amdgcn" : "ptx";
}

/** The text stage that comes just before `stage`, or null when no text comes before it. */
export function stageBefore(target: string, stage: StageName): StageName | null {
  if (BEFORE_TRITON.some((early) => early === stage)) return null;
  const stages = stagesOf(target);
  const at = stages.indexOf(stage);
  return at > 0 ? (stages[at - 1] ?? null) : null;
}

/** A stage's name as the page and the command line write it. */
export function stageTitle(stage: StageName): string {
  return (TEXT_STAGES as readonly string[]).includes(stage) ? stage.toUpperCase() : stage;
}
