import { describe, expect, it } from "vitest";
import { parseCommand } from "../../cli/arguments.ts";
import { UsageError } from "../../cli/usage.ts";

describe("compile", () => {
  it("makes a request of the options", () => {
    const command = parseCommand([
      ...["compile", "k.py", "--target", "cuda:80", "--emit", "llir", "--kernel", "add"],
      ...["--signature", "*fp32:16, i32", "--constexpr", "BLOCK=1024", "--constexpr", "T=fp16"],
      ...["--option", "num_warps=8", "--option", "enable_fp_fusion=False", "--launch", "1"],
      "--guess",
    ]);
    expect(command).toMatchObject({
      command: "compile",
      file: "k.py",
      targets: ["cuda:80"],
      emit: "llir",
      limits: { timeLimit: 60, memoryLimit: 2 ** 31 },
      request: {
        kernel: "add",
        signature: "*fp32:16, i32",
        constexprs: { BLOCK: 1024, T: "fp16" },
        options: { num_warps: 8, enable_fp_fusion: false },
        launch: 1,
        guess: true,
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

  it("takes limits in seconds and MiB, and 0 as none", () => {
    const words = ["batch", "requests.json"];
    const none = parseCommand([...words, "--time-limit", "0", "--memory-limit", "0"]);
    expect(none).toMatchObject({ limits: { timeLimit: undefined, memoryLimit: undefined } });
    const some = parseCommand([...words, "--time-limit", "2.5", "--memory-limit", "512"]);
    expect(some).toMatchObject({ limits: { timeLimit: 2.5, memoryLimit: 2 ** 29 } });
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
    [["batch", "r.json", "--time-limit=-1"], "takes seconds"],
    [["batch", "r.json", "--memory-limit", "2 GB"], "takes MiB, not '2 GB'"],
    [["compile", "k.py", "--target", "cuda:80", "--signature", "{x"], "not valid JSON"],
    [["compile", "k.py", "--target", "cuda:80", "--warps", "4"], "Unknown option '--warps'"],
  ])("%j", (words, message) => {
    expect(() => parseCommand(words)).toThrow(UsageError);
    expect(() => parseCommand(words)).toThrow(message);
  });
});
