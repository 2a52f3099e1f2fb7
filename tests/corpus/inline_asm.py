"""Inline assembly: PTX with packed operands and two results, and one AMD instruction; each for its vendor only."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "ptx_packed",
        "kernel": "average_bytes",
        "signature": "*u8:16, *u8:16, *u8:16",
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "ptx_two_results",
        "kernel": "sine_and_cosine",
        "signature": "*fp32:16, *fp32:16, *fp32:16",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "amd",
        "kernel": "reverse_bits",
        "signature": "*i32:16, *i32:16",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def average_bytes(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    """Rounded-down averages of bytes, four in a register at a time."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    average = tl.inline_asm_elementwise(
        asm="""{
            .reg .b32 differing, half;
            xor.b32 differing, $1, $2;
            and.b32 differing, differing, 0xfefefefe;
            shr.u32 half, differing, 1;
            and.b32 $0, $1, $2;
            add.u32 $0, $0, half;
        }""",
        constraints="=r,r,r",
        args=[tl.load(x_ptr + offsets), tl.load(y_ptr + offsets)],
        dtype=tl.uint8,
        is_pure=True,
        pack=4,
    )
    tl.store(out_ptr + offsets, average)


@triton.jit
def sine_and_cosine(x_ptr, sine_ptr, cosine_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sine, cosine = tl.inline_asm_elementwise(
        asm="sin.approx.f32 $0, $2; cos.approx.f32 $1, $2;",
        # The operand is read after the first result is written, so that must lie elsewhere.
        constraints="=&f,=f,f",
        args=[tl.load(x_ptr + offsets)],
        dtype=(tl.float32, tl.float32),
        is_pure=True,
        pack=1,
    )
    tl.store(sine_ptr + offsets, sine)
    tl.store(cosine_ptr + offsets, cosine)


@triton.jit
def reverse_bits(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    reversed_bits = tl.inline_asm_elementwise(
        asm="v_bfrev_b32 $0, $1",
        constraints="=v,v",
        args=[tl.load(x_ptr + offsets)],
        dtype=tl.int32,
        is_pure=True,
        pack=1,
    )
    tl.store(out_ptr + offsets, reversed_bits)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = (fake_tensor((4096,), "uint8") for _ in range(3))
average_bytes[(8,)](x, y, out, BLOCK=512)
angle, sine, cosine = (fake_tensor((1024,)) for _ in range(3))
sine_and_cosine[(8,)](angle, sine, cosine, BLOCK=128)
reverse_bits[(4,)](fake_tensor((1024,), "int32"), fake_tensor((1024,), "int32"), BLOCK=256)
