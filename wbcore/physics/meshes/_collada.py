"""COLLADA documents: elements by id, numbers, frames of nodes, and the axes and unit of the file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers.expat import ExpatError, ParserCreate

import numpy as np

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.exact_sums import dots, product
from wbridge.wbcore.physics.meshes._errors import MeshError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
Made = TypeVar("Made")
Number = TypeVar("Number", np.float64, np.int64)
MOST_ELEMENTS = 1_000_000
MOST_NUMBERS = 20_000_000
"""In an element."""
PIECE = 1 << 20
"""Characters of a list of numbers that are read at once; the word at its end is read, too."""
_SPACE = re.compile(r"\s")
Z_FROM_Y = np.array([(1.0, 0, 0), (0, 0, -1), (0, 1, 0)])
FROM_AXES = {
    "X_UP": Z_FROM_Y @ np.array([(0.0, -1, 0), (1, 0, 0), (0, 0, 1)]),
    "Y_UP": Z_FROM_Y,
    "Z_UP": np.eye(3),
}


class Document:
    """The elements of a file, with names without namespaces."""

    def __init__(self, root: Element) -> None:
        self.root = root
        for element in root.iter():
            element.tag = str(element.tag).rpartition("}")[2]
        self.by_id = {element.get("id", ""): element for element in root.iter() if element.get("id")}

    def target(self, url: str) -> Element:
        """Return the element of a reference "#id".

        Raises:
            KeyError: it does not exist.
        """
        return self.by_id[url.lstrip("#")]


def parsed(data: bytes, make: Callable[[Document], Made]) -> Made:
    """Return what is made of a document.

    Raises:
        MeshError: the file is not valid COLLADA. Document types are refused, because entities in them can
            expand without bounds or name other files.
    """
    # No encoding that hides these words is possible without zero bytes.
    if b"\0" in data or b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise MeshError("COLLADA files must be UTF-8 text without a document type declaration")
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused where they matter
            return make(Document(_tree_of(data)))
    except MeshError:
        raise
    except (ExpatError, LookupError, OverflowError, StopIteration, ValueError) as problem:
        raise MeshError(f"not a valid COLLADA file: {problem}") from problem


def _tree_of(data: bytes) -> Element:
    """Return the root of a document.

    Raises:
        MeshError: it has too many elements.
        ExpatError: it is no XML.
    """
    builder, count = ElementTree.TreeBuilder(), 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS:
            raise MeshError(f"more than {MOST_ELEMENTS:,} elements")
        builder.start(tag, attributes)

    parser = ParserCreate(namespace_separator="}")
    # Otherwise each line of a text is an object of its own.
    parser.buffer_text, parser.buffer_size = True, PIECE
    parser.StartElementHandler, parser.EndElementHandler = start, builder.end
    parser.CharacterDataHandler = builder.data
    parser.Parse(data, True)
    return builder.close()


def floats(element: Element | None) -> Array:
    """Return the numbers in an element; NaN for those that are not finite.

    Raises:
        MeshError: there are too many.
    """
    numbers = _numbers_of(element, np.float64)
    numbers[~np.isfinite(numbers)] = np.nan
    return numbers


def integers(element: Element | None) -> NDArray[np.int64]:
    """Return the whole numbers in an element.

    Raises:
        MeshError: there are too many.
    """
    return _numbers_of(element, np.int64)


def _numbers_of(element: Element | None, kind: type[Number]) -> NDArray[Number]:
    """Return the numbers in an element, read piece by piece: all words at once would take much memory."""
    text = (element.text if element is not None else None) or ""
    pieces, count, at = [np.empty(0, kind)], 0, 0
    while at < len(text):
        space = _SPACE.search(text, at + PIECE)
        end = space.start() if space is not None else len(text)
        pieces.append(np.array(text[at:end].split(), kind))
        count, at = count + len(pieces[-1]), end
        if count > MOST_NUMBERS:
            raise MeshError(f"more than {MOST_NUMBERS:,} numbers in an element")
    return np.concatenate(pieces)


def axes_of(root: Element) -> Array | None:
    """Return the matrix (4, 4) to z up and m; None if nothing changes.

    Source: COLLADA 1.4.1, asset; without a statement y is up.
    """
    unit, up = root.find("asset/unit"), (root.findtext("asset/up_axis") or "").strip()
    meters = float(unit.get("meter", "1")) if unit is not None else 1.0
    if not 0 < meters < 1e9:
        raise MeshError(f"a unit of {meters:g} m is not possible")
    made = np.eye(4)
    made[:3, :3] = meters * FROM_AXES.get(up, FROM_AXES["Y_UP"])
    return None if (made == np.eye(4)).all() else made


def frame_of(node: Element) -> Array:
    """Return the matrix (4, 4) of a node's transformations."""
    frame = np.eye(4)
    for part in node:
        if part.tag in _STEPS:
            frame = product(frame, _STEPS[part.tag](floats(part)))
    return frame


def _matrix(values: Array) -> Array:
    return values.reshape(4, 4)


def _translate(values: Array) -> Array:
    made = np.eye(4)
    made[:3, 3] = values
    return made


def _scale(values: Array) -> Array:
    return np.diag([*values, 1.0])


def _rotate(values: Array) -> Array:
    """Return the rotation matrix by Rodrigues' formula; the angle is in degrees."""
    length = math.sqrt(float(dots(values, values)))
    made = np.eye(4)
    if not length > 0:
        return made
    x, y, z = values[:3] / length
    angle = np.radians(values[3])
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    made[:3, :3] += mathematics.sin(angle) * k + (1 - mathematics.cos(angle)) * product(k, k)
    return made


_STEPS = {"matrix": _matrix, "translate": _translate, "scale": _scale, "rotate": _rotate}
