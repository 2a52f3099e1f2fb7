from __future__ import annotations

import pytest
from triton_playground import fake_tensor
from triton_playground.signature import SCALAR_TYPES
from triton_playground.tensors import parse_dtype


def test_shape_strides_and_size() -> None:
    tensor = fake_tensor((3, 4, 5), "fp16")
    assert (tensor.shape, tensor.stride(), tensor.stride(0), tensor.size(2)) == (
        (3, 4, 5),
        (20, 5, 1),
        20,
        5,
    )
    assert (tensor.numel(), tensor.element_size(), tensor.dim(), tensor.ndim, len(tensor)) == (
        60,
        2,
        3,
        3,
        3,
    )
    assert tensor.is_contiguous()
    assert tensor.ptr_range() == 120
    assert str(tensor.dtype) == "float16"


def test_given_strides() -> None:
    tensor = fake_tensor((4, 4), strides=(1, 8))
    assert not tensor.is_contiguous()
    assert tensor.ptr_range() == (3 + 24 + 1) * 4


@pytest.mark.parametrize("align", [1, 2, 4, 8, 16, 32, 4096])
def test_the_address_has_exactly_the_alignment_asked_for(align: int) -> None:
    address = fake_tensor(8, align=align).data_ptr()
    assert address % align == 0
    assert address % (2 * align) != 0


def test_every_type_has_a_size() -> None:
    assert {
        name: parse_dtype(name).itemsize for name in ("u1", "fp8e5", "bf16", "fp64", "i8", "u64")
    } == {
        "u1": 1,
        "fp8e5": 1,
        "bf16": 2,
        "fp64": 8,
        "i8": 1,
        "u64": 8,
    }
    for name in SCALAR_TYPES:
        assert parse_dtype(parse_dtype(name)) == parse_dtype(name)


@pytest.mark.parametrize(
    "arguments",
    [
        {"shape": -1},
        {"shape": (2, "3")},
        {"shape": 4, "dtype": "fp33"},
        {"shape": 4, "align": 12},
        {"shape": 4, "strides": (1, 1)},
    ],
)
def test_nonsense_is_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"fake_tensor|fp33"):
        fake_tensor(**arguments)  # type: ignore[arg-type]
