"""The values of fields in the tree, and how to write and compare them.

| type | value |
|---|---|
| SFBool, SFInt32, SFFloat, SFString | bool, int, float, str |
| SFVec2f, SFVec3f, SFRotation, SFColor | tuple of 2, 3, 4, 3 floats |
| MFBool, MFString | list |
| MFInt32, MFFloat | array('q'), array('d') |
| MFVec2f, MFVec3f, MFRotation, MFColor | VecArray of width 2, 3, 4, 3 |
| SFNode, MFNode | Node or None, list of Node |
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

WIDTHS = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}
INT_MIN = -(2**63)
INT_MAX = 2**63 - 1
"""The range of SFInt32; files may contain larger integers, which are kept and reported by the checks."""


class VecArray:
    """A sequence of vectors of equal width, stored flat so that meshes stay small.

    `data` is an array of doubles, `width` * number of vectors long; NumPy can view it without a
    copy by `numpy.frombuffer(value.data).reshape(-1, value.width)`.
    """

    __slots__ = ("width", "data")

    def __init__(self, width: int, vectors: Iterable[Iterable[float]] = ()) -> None:
        self.width = width
        self.data: array[float] = array("d")
        for vector in vectors:
            self.append(vector)

    @classmethod
    def flat(cls, width: int, data: array[float]) -> VecArray:
        """Create from a flat array, which is not copied; its length must be a multiple of the width.

        Raises:
            ValueError: the length is not a multiple of the width.
        """
        if len(data) % width:
            raise ValueError(f"{len(data)} numbers are not a multiple of {width}")
        made = cls(width)
        made.data = data
        return made

    def append(self, vector: Iterable[float]) -> None:
        """Add one vector.

        Raises:
            ValueError: the vector has another width.
        """
        self.insert(len(self), vector)

    def insert(self, index: int, vector: Iterable[float]) -> None:
        """Insert a vector before an index."""
        values = self._checked(vector)
        at = index * self.width
        self.data[at:at] = values

    def _checked(self, vector: Iterable[float]) -> array[float]:
        values = array("d", vector)
        if len(values) != self.width:
            raise ValueError(f"a vector of {len(values)} numbers; expected {self.width}")
        return values

    def _offset(self, index: int) -> int:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"vector {index} of {count}")
        return (index % count) * self.width

    def __len__(self) -> int:
        return len(self.data) // self.width

    def __getitem__(self, index: int) -> tuple[float, ...]:
        at = self._offset(index)
        return tuple(self.data[at : at + self.width])

    def __setitem__(self, index: int, vector: Iterable[float]) -> None:
        at = self._offset(index)
        self.data[at : at + self.width] = self._checked(vector)

    def __delitem__(self, index: int) -> None:
        at = self._offset(index)
        del self.data[at : at + self.width]

    def __iter__(self) -> Iterator[tuple[float, ...]]:
        numbers = iter(self.data)
        return zip(*[numbers] * self.width, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VecArray):
            return NotImplemented
        return self.width == other.width and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> VecArray:
        """Return an independent copy."""
        return VecArray.flat(self.width, self.data[:])

    def __repr__(self) -> str:
        return f"VecArray({self.width}, {list(self)!r})"


def empty(field_type: str) -> Any:
    """Return the empty value of an MF type.

    Raises:
        KeyError: not an MF type.
    """
    kind = field_type[2:]
    if field_type[:2] != "MF":
        raise KeyError(field_type)
    if kind in WIDTHS:
        return VecArray(WIDTHS[kind])
    if kind == "Int32":
        return array("q")
    return array("d") if kind == "Float" else []


def copied(value: object) -> Any:
    """Return an independent copy of a value without nodes; immutable values are returned as is."""
    if isinstance(value, VecArray):
        return value.copy()
    if isinstance(value, (list, array)):
        return value[:]
    return value


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number; integers have no point."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})


def string_text(value: str) -> str:
    """Return a string in quotes, as in a file."""
    return '"' + value.translate(_ESCAPES) + '"'


def shown_value(value: Any, limit: int = 60) -> str:
    """Return a field's value as in a file, truncated."""
    if isinstance(value, bool):
        text = "TRUE" if value else "FALSE"
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, int):
        text = str(value)
    elif isinstance(value, float):
        text = f"{value:.10g}"
    elif isinstance(value, tuple):
        text = " ".join(f"{number:.10g}" for number in value)
    else:
        text = "[" + ", ".join(shown_value(element) for _, element in zip(range(8), value, strict=False))
        text += ", ...]" if len(value) > 8 else "]"
    return text if len(text) <= limit else text[: limit - 3] + "..."
