import { describe, expect, it } from "vitest";
import { parseCommand } from "../../cli/arguments.ts";
import { UsageError } from "../../cli/usage.ts";

describe("compile", () => {
  it("makes a request of the options", () => {
    const command = parseCommand([
      ...["compile", "k.py", "--target", "cuda:80", "--emit", "llir", "--kernel", "add"],
      ...["--signature", "*fp32:16, i32", "--constexpr", "BLOCK=1024", "--constexpr", "T=fp16"],
      ...["--option", "num_warps=8", "--option", "enable_fp_fusion=False", "--launch", "1"],
    ]);
    expect(command).toMatchObject({
      command: "compile",
      file: "k.py",
      targets: ["cuda:80"],
      emit: "llir",
      timeLimit: 60,
      request: {
        kernel: "add",
        signature: "*fp32:16, i32",
        constexprs: { BLOCK: 1024, T: "fp16" },
        options: { num_warps: 8, enable_fp_fusion: false },
        launch: 1,
        stop: "llir",
      },
    });
  });

  it("takes a signature by name as JSON", () => {
    const words = ["compile", "k.py", "--target", "cuda:80", "--signature", '{"x": "*fp32"}'];
    expect(parseCommand(words)).toMatchObject({ request: { signature: { x: "*fp32" } } });
  });

  it("leaves the last stage open without --emit and with --emit report", () => {
    const words = ["compile", "k.py", "--target", "hip:gfx942"];
    expect(parseCommand(words)).toMatchObject({ emit: undefined, request: {} });
    const command = parseCommand([...words, "--emit", "report", "--target", "cuda:80"]);
    expect(command).toMatchObject({ targets: ["hip:gfx942", "cuda:80"], request: {} });
  });

  it("takes a time limit of 0 as none", () => {
    const words = ["compile", "k.py", "--target", "cuda:80", "--time-limit"];
    expect(parseCommand([...words, "0"])).toMatchObject({ timeLimit: undefined });
    expect(parseCommand([...words, "2.5"])).toMatchObject({ timeLimit: 2.5 });
  });
});

describe("wrong usage", () => {
  it.each([
    [[], "say what to do"],
    [["link"], "unknown command 'link'"],
    [["compile"], "compile needs a file"],
    [["compile", "k.py"], "name a target"],
    [["compile", "k.py", "l.py", "--target", "cuda:80"], "one file at a time"],
    [["compile", "k.py", "--target", "cuda:80", "--emit", "cubin"], "unknown --emit 'cubin'"],
    [["compile", "k.py", "--target", "cuda:80", "--target", "cuda:90"], "need --emit report"],
    [["compile", "k.py", "--target", "cuda:80", "--constexpr", "BLOCK"], "takes NAME=VALUE"],
    [["compile", "k.py", "--target", "cuda:80", "--launch", "first"], "takes a number from 0"],
    [["compile", "k.py", "--target", "cuda:80", "--time-limit", "soon"], "takes seconds"],
    [["compile", "k.py", "--target", "cuda:80", "--signature", "{x"], "not valid JSON"],
    [["compile", "k.py", "--target", "cuda:80", "--warps", "4"], "Unknown option '--warps'"],
  ])("%j", (words, message) => {
    expect(() => parseCommand(words)).toThrow(UsageError);
    expect(() => parseCommand(words)).toThrow(message);
  });
});
