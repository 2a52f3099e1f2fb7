/** What the command line is asked wrongly; the message says how to ask. */
export class UsageError extends Error {
  override name = "UsageError";
}

export const USAGE = `Compiles a Triton kernel with the real Triton in WebAssembly; no GPU, no driver.

  node web/dist-cli/main.js compile FILE --target TARGET [options]
  node web/dist-cli/main.js batch REQUESTS --output REPORTS [options]
  node web/dist-cli/main.js targets

compile
  --target TARGET       cuda:CC or hip:gfxNNN, for example cuda:80; several with --emit report
  --emit STAGE          ttir, ttgir, llir, ptx, amdgcn, or report (JSON); default: the last stage
  --kernel NAME         which kernel, when the file has several
  --signature TYPES     '*fp32:16, i32:16, 1024' in parameter order, or a JSON object by name;
                        an object may leave parameters out, which are taken as without it
  --constexpr NAME=V    value of a constexpr parameter (JSON, else text); may be repeated
  --option NAME=V       backend option such as num_warps=8 (JSON, else text); may be repeated
  --launch N            which recorded launch of the kernel, from 0
  --config N            which autotune configuration, from 0
  --guess               guess the kernel, types and constants that nothing tells, and say so
  --passes              record the IR after each pass in the report
  --report FILE         also write the JSON report there

batch                   compiles a JSON array of requests in one process, one after another
  --output FILE         where {"reports", "memoryBytes", "workers", "loadSeconds"} is written as the
                        reports come, valid JSON at any time; default: standard output

Both
  --time-limit SECONDS  stop a compile that runs longer; default 60, 0 for none
  --memory-limit MIB    stop a compile that needs more WebAssembly memory; default 2048, 0 for none
  --wheel FILE          Triton's wheel; default: $TRITON_PLAYGROUND_WHEEL, then wasm/prebuilt/

Exit status: 0 compiled, 1 did not compile, 2 wrong usage or missing files,
130 or 143 interrupted (batch keeps the reports it has).
`;
