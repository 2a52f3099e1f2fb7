"""Names of Triton's language that tell what their arguments are."""

from __future__ import annotations

import re

from ..signature import SignatureError, canonical_scalar

# Names that people give to pointers.
POINTER_NAME = re.compile(r"(^|_)(ptrs?|pointers?)(_|$)|Ptr|ptr$|^[A-Z][A-Za-z0-9]?$")

FLOAT_FUNCTIONS = frozenset(
    (
        *("exp", "exp2", "log", "log2", "sqrt", "sqrt_rn", "rsqrt", "sin", "cos", "erf", "sigmoid"),
        *("softmax", "tanh", "fma", "div_rn", "floor", "ceil", "pow", "expm1", "log1p", "asin"),
        *("acos", "atan", "atan2", "sinh", "cosh", "tan", "erfc", "erfinv", "cbrt", "rint"),
    )
)
FLOAT_RANDOM = frozenset(("rand", "randn", "rand4x", "randn4x", "uint_to_uniform_float"))
INTEGER_RANDOM = frozenset(("randint", "randint4x", "philox", "philox_impl"))
INTEGER_FUNCTIONS = frozenset(
    (
        *("program_id", "num_programs", "cdiv", "argmax", "argmin", "swizzle2d", "umulhi"),
        *("clz", "popc", "ffs", "next_power_of_2"),
    )
)
# Functions whose result has the elements of their first argument.
SAME_FUNCTIONS = frozenset(
    (
        *("multiple_of", "max_contiguous", "max_constancy", "trans", "permute", "ravel", "flip"),
        *("sort", "topk", "cumsum", "cumprod", "sum", "expand_dims", "broadcast", "abs"),
        *("softmax", "clamp", "item"),
    )
)
# Hints about an address, which they return as it is.
ADDRESS_HINTS = ("multiple_of", "max_contiguous", "max_constancy")
SHAPE_ARGUMENTS = frozenset(("block_shape", "num_bins"))
BOOLEAN_ARGUMENTS = frozenset(
    (
        *("reverse", "descending", "keep_dims", "allow_tf32", "fast_math", "return_indices"),
        *("warp_specialize", "flatten", "disallow_acc_multi_buffer", "ieee_rounding"),
    )
)


def element_of_name(name: str) -> str:
    """Return Triton's canonical name of a scalar type as the language writes it; empty if it is none."""
    try:
        return canonical_scalar(name)
    except SignatureError:
        return ""
