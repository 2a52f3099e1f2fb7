"""Cross entropy of logits with label smoothing: the loss of each row, and its gradient in place of the logits."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "smoothed",
        "kernel": "cross_entropy",
        "signature": {
            "logits_ptr": "*bf16:16", "targets_ptr": "*i64:16", "losses_ptr": "*fp32:16",
            "classes": "i32:16", "ignored": "i32", "smoothing": "fp32",
        },
        "constexprs": {"SMOOTHING": True, "BLOCK": 4096},
        "options": {"num_warps": 8},
    },
    {
        "name": "plain",
        "kernel": "cross_entropy",
        "signature": {
            "logits_ptr": "*fp32:16", "targets_ptr": "*i64:16", "losses_ptr": "*fp32:16",
            "classes": "i32", "ignored": "i32", "smoothing": "fp32",
        },
        "constexprs": {"SMOOTHING": False, "BLOCK": 1024},
        "options": {"num_warps": 4},
    },
]


@triton.jit
def cross_entropy(
    logits_ptr, targets_ptr, losses_ptr, classes, ignored, smoothing, SMOOTHING: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    logits_row = logits_ptr + row * classes
    target = tl.load(targets_ptr + row)
    lane = tl.arange(0, BLOCK)
    if target == ignored:
        for start in range(0, classes, BLOCK):
            zero = tl.zeros([BLOCK], dtype=logits_ptr.dtype.element_ty)
            tl.store(logits_row + start + lane, zero, mask=start + lane < classes)
        tl.store(losses_ptr + row, 0.0)
        return

    highest = -float("inf")
    total = 0.0
    level = 0.0
    for start in range(0, classes, BLOCK):
        inside = start + lane < classes
        x = tl.load(logits_row + start + lane, mask=inside, other=-float("inf")).to(tl.float32)
        new_highest = tl.maximum(highest, tl.max(x, axis=0))
        total = total * tl.exp(highest - new_highest) + tl.sum(tl.exp(x - new_highest), axis=0)
        highest = new_highest
        if SMOOTHING:
            level += tl.sum(tl.where(inside, x, 0.0), axis=0) / classes
    log_sum = highest + tl.log(total)
    wanted = tl.load(logits_row + target).to(tl.float32)
    loss = log_sum - wanted
    if SMOOTHING:
        loss = (1 - smoothing) * loss + smoothing * (log_sum - level)
    tl.store(losses_ptr + row, loss)

    # Every thread must have read the logits before any of them is replaced.
    tl.debug_barrier()
    for start in range(0, classes, BLOCK):
        column = start + lane
        x = tl.load(logits_row + column, mask=column < classes, other=-float("inf")).to(tl.float32)
        gradient = tl.exp(x - log_sum)
        if SMOOTHING:
            gradient -= smoothing / classes + tl.where(column == target, 1 - smoothing, 0.0)
        else:
            gradient -= tl.where(column == target, 1.0, 0.0)
        tl.store(logits_row + column, gradient.to(logits_ptr.dtype.element_ty), mask=column < classes)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
logits, targets, losses = fake_tensor((256, 32000), "bfloat16"), fake_tensor((256,), "int64"), fake_tensor((256,), "float32")
cross_entropy[(256,)](logits, targets, losses, 32000, -100, 0.1, SMOOTHING=True, BLOCK=4096, num_warps=8)
