import type { Request } from "../report.ts";

/** Loads, stores, a mask, a loop, a reduction and a little mathematics: what nearly every kernel has. */
const KERNEL = `
import triton
import triton.language as tl


@triton.jit
def warm_up(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + index, mask=index < n, other=0.0)
        total += tl.sum(tl.exp(x))
    tl.store(y_ptr + tl.program_id(0), total)
`;

/**
 * A compile that nobody asked for. Browsers translate WebAssembly when it is first called, so the
 * first compile takes several times as long as the next.
 *
 * @param target the target that is likely to be asked for
 */
export function warmUpRequest(target: string): Request {
  return { source: KERNEL, target, signature: "*fp32:16, *fp32:16, i32:16, 256" };
}
