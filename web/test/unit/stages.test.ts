import { describe, expect, it } from "vitest";
import { lastStageOf, stageBefore, stagesOf } from "../../src/stages.ts";

describe("stages", () => {
  it("end at PTX for NVIDIA and at AMDGCN for AMD", () => {
    expect(stagesOf("cuda:80").at(-1)).toBe("ptx");
    expect(stagesOf("hip:gfx942").at(-1)).toBe("amdgcn");
    expect(lastStageOf("hip:gfx1100")).toBe("amdgcn");
  });

  it("have the text before them, but for the first and those before Triton's", () => {
    expect(stageBefore("hip:gfx942", "amdgcn")).toBe("llir");
    expect(stageBefore("cuda:80", "ttgir")).toBe("ttir");
    expect(stageBefore("cuda:80", "ttir")).toBeNull();
    expect(stageBefore("cuda:80", "source")).toBeNull();
    expect(stageBefore("cuda:80", "runtime")).toBeNull();
  });
});
