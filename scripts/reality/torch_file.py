"""Reads an array from a file that PyTorch saved, without PyTorch and without running the file's pickles.

A pickle is a program that can call any function. This reader interprets only the few operations that describe
an array, as data: names of functions stay texts, and nothing is imported or called.
"""

from __future__ import annotations

import math
import pickletools
import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = 0x1950A86A20F9469CFC6C
REBUILD = "torch._utils _rebuild_tensor_v2"
TYPES = {"torch DoubleStorage": "<f8", "torch FloatStorage": "<f4"}
MOST_NUMBERS = 1 << 24
_PARTS = 5
"""Magic number, version, properties of the machine, the object, names of the memory blocks."""


class TorchFileError(ValueError):
    """The file is not a saved array; the message says why."""


def read_array(data: bytes) -> NDArray[np.float64]:
    """Return the array in a file of `torch.save` (the format before version 1.6).

    Raises:
        TorchFileError: it is another kind of file, or holds something else than an array of floats.
    """
    stream = BytesIO(data)
    try:
        magic, _, system, array, _ = [_interpreted(stream) for _ in range(_PARTS)]
        if magic != MAGIC or not system["little_endian"]:
            raise TorchFileError("not a file of torch.save with little-endian numbers")
        return _array(array, stream)
    except (ValueError, TypeError, KeyError, IndexError, struct.error) as problem:
        raise TorchFileError(f"not a saved array: {problem}") from None


def _array(described: Any, stream: BytesIO) -> NDArray[np.float64]:
    name, ((_, storage, _, _, count, _), offset, shape, strides, *_) = described
    if name != REBUILD or storage not in TYPES or not 0 <= count <= MOST_NUMBERS:
        raise TorchFileError(f"holds {name} of {storage}")
    (size,) = struct.unpack("<q", stream.read(8))
    kind = np.dtype(TYPES[storage])
    numbers = np.frombuffer(stream.read(), kind)
    if size != count or len(numbers) < count or offset or strides != _contiguous(shape):
        raise TorchFileError("the numbers do not lie one after the other")
    if any(one < 0 for one in shape) or math.prod(shape) > count:
        raise TorchFileError("there are fewer numbers than the shape has")
    array: NDArray[np.float64] = numbers[: math.prod(shape)].reshape(shape).astype(np.float64)
    return array


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[place + 1 :]) for place in range(len(shape)))


def _interpreted(stream: BytesIO) -> Any:
    """Return the data that a pickle describes. A call becomes a pair: the function's name, the arguments."""
    stack: list[Any] = []
    marks: list[int] = []
    for code, argument, _ in pickletools.genops(stream):
        if code.name == "STOP":
            return stack.pop()
        if code.name == "MARK":
            marks.append(len(stack))
        elif code.name in _CLOSERS:
            start = marks.pop()
            items = stack[start:]
            del stack[start:]
            stack.append(_CLOSERS[code.name](stack, items))
        elif code.name in _LITERALS:
            stack.append(argument)
        elif code.name in _BUILDERS:
            _BUILDERS[code.name](stack)
        elif code.name not in _IGNORED:
            raise TorchFileError(f"the operation {code.name} does not belong to an array")
    raise TorchFileError("the file is too short")


def _set_items(stack: list[Any], items: list[Any]) -> Any:
    target = stack.pop()
    target.update(zip(items[::2], items[1::2], strict=True))
    return target


def _tuple_of(count: int) -> Callable[[list[Any]], None]:
    def build(stack: list[Any]) -> None:
        cut = len(stack) - count
        items = tuple(stack[cut:])
        del stack[cut:]
        stack.append(items)

    return build


def _append(stack: list[Any]) -> None:
    item = stack.pop()
    stack[-1].append(item)


def _set_item(stack: list[Any]) -> None:
    value = stack.pop()
    key = stack.pop()
    stack[-1][key] = value


_CLOSERS: dict[str, Callable[[list[Any], list[Any]], Any]] = {
    "TUPLE": lambda stack, items: tuple(items),
    "SETITEMS": _set_items,
}
_LITERALS = frozenset({"LONG1", "BININT", "BININT1", "BININT2", "BINUNICODE", "GLOBAL"})
_BUILDERS: dict[str, Callable[[list[Any]], None]] = {
    "EMPTY_DICT": lambda stack: stack.append({}),
    "EMPTY_LIST": lambda stack: stack.append([]),
    "EMPTY_TUPLE": lambda stack: stack.append(()),
    "NONE": lambda stack: stack.append(None),
    "NEWTRUE": lambda stack: stack.append(True),
    "NEWFALSE": lambda stack: stack.append(False),
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    "REDUCE": _tuple_of(2),
    "APPEND": _append,
    "SETITEM": _set_item,
}
_IGNORED = frozenset({"PROTO", "BINPUT", "LONG_BINPUT", "BINPERSID"})
