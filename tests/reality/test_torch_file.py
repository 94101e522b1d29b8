"""Files of torch.save are read as data: nothing in them runs."""

from __future__ import annotations

import pickle
import struct
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from scripts.reality.torch_file import MAGIC, TorchFileError, read_array


def saved(numbers: np.ndarray, function: str = "torch._utils\n_rebuild_tensor_v2") -> bytes:
    """Return what torch.save of version 1.5 and earlier writes for an array of doubles."""
    head = b"".join(
        pickle.dumps(one, 2)
        for one in (MAGIC, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {"int": 4}})
    )
    strides = tuple(one // 8 for one in numbers.strides)
    words = [b"\x80\x02c" + function.encode() + b"\n((X\x07\x00\x00\x00storagectorch\nDoubleStorage\n"]
    words.append(b"X\x01\x00\x00\x007X\x03\x00\x00\x00cpuJ" + struct.pack("<i", numbers.size) + b"NtQK\x00")
    for sizes in (numbers.shape, strides):
        words.append(b"(" + b"".join(b"J" + struct.pack("<i", one) for one in sizes) + b"t")
    words.append(b"\x89ccollections\nOrderedDict\n)RtR.")
    keys = pickle.dumps(["7"], 2)
    return head + b"".join(words) + keys + struct.pack("<q", numbers.size) + numbers.astype("<f8").tobytes()


def test_an_array_is_read() -> None:
    numbers = np.arange(24.0).reshape(1, 8, 3)
    assert np.array_equal(read_array(saved(numbers)), numbers)


@pytest.mark.parametrize("function", ["os\nsystem", "builtins\neval", "torch\nload"])
def test_another_function_is_refused_without_being_called(function: str) -> None:
    with pytest.raises(TorchFileError, match="holds"):
        read_array(saved(np.zeros((2, 2)), function))


class Harmful:
    """Its pickle calls a function."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("the file was run",))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no pickle",
        pickle.dumps(Harmful(), 2),
        pickle.dumps(OrderedDict(a=1)),
        saved(np.zeros((4, 4)))[:-9],
        saved(np.zeros((4, 4)))[:90],
        saved(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    ],
)
def test_damaged_and_harmful_files_are_refused(data: bytes) -> None:
    with pytest.raises(TorchFileError):
        read_array(data)
