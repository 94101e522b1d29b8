"""Fields of the scene tree by place: `sim["BOX.translation"]` reads, `sim["BOX.translation"] = 0, 0, 1` sets.

A place is what `--set` of the command line takes (docs/sweeps.md). It is looked up once; afterwards, an
access takes constant time, until nodes are added or removed.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from wbridge.api.names import UnknownNameError
from wbridge.wbcore.physics.sync import write_place
from wbridge.wbcore.scene import contact_law
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.overrides import FieldPlace, OverrideError, field_place, find_node
from wbridge.wbcore.scene.values import WIDTHS, VecArray, copied
from wbridge.wbcore.simulation import Simulation

__all__ = ["FieldError", "Fields", "Value", "set_all"]

Value: TypeAlias = Any
"""A value of a field: a number, text or boolean, a sequence of them, or an array."""

SINGLE_WIDTHS = {f"SF{name}": width for name, width in WIDTHS.items()}


class FieldError(ValueError):
    """A value does not fit a field. The message says what is allowed."""


class Fields:
    """Reads and sets fields of a simulation by place."""

    def __init__(self, core: Simulation) -> None:
        self._core = core
        self._places: dict[str, FieldPlace] = {}
        self._nodes: dict[str, Node] = {}
        core.edits.observers.append(self)

    def place(self, text: str) -> FieldPlace:
        """Return a place.

        Raises:
            UnknownNameError: there is no such node, field or component.
        """
        known = self._places.get(text)
        if known is None:
            _expect_text(text, "WorldInfo.gravity")
            try:
                known = self._places[text] = field_place(self._core.world, text)
            except OverrideError as problem:
                raise UnknownNameError(str(problem)) from None
        return known

    def get(self, text: str) -> Value:
        """Return the current value: numbers, texts, booleans as in Python; vectors and lists of numbers as
        arrays; nodes as `Node` of the scene tree.

        Raises:
            UnknownNameError: there is no such place.
        """
        place = self.place(text)
        write_place(self._core.physics, place.node)
        try:
            return _shown(place.value)
        except (IndexError, TypeError):  # the list has become shorter
            self._places.pop(text)
            return _shown(self.place(text).value)

    def set(self, text: str, value: Value) -> None:
        """Set a field or one component of it, at once.

        Raises:
            UnknownNameError: there is no such place.
            FieldError: the value does not fit the field.
        """
        place = self.place(text)
        write_place(self._core.physics, place.node)
        self._core.set_field(place.node, place.field, _checked(place, text, value))
        if place.field == "name":
            self._forget()

    def node(self, names: str) -> Node:
        """Return the node that a chain of names leads to.

        Raises:
            UnknownNameError: there is no such node.
        """
        known = self._nodes.get(names)
        if known is None:
            _expect_text(names, "WorldInfo")
            try:
                known = self._nodes[names] = find_node(self._core.world, names)
            except OverrideError as problem:
                raise UnknownNameError(str(problem)) from None
        return known

    def _forget(self) -> None:
        self._places.clear()
        self._nodes.clear()

    # Changes of the tree (wbridge.wbcore.world.edits.Observer): what a place leads to may be another node
    # now.

    def node_added(self, node: Node) -> None:
        """Look places up again."""
        self._forget()

    def node_removed(self, node: Node) -> None:
        """Look places up again."""
        self._forget()

    def node_gone(self, node: Node, number: int) -> None:
        """`node_removed` is called, too."""

    def list_changed(self, field: Field) -> None:
        """Reading notices it."""

    def regenerated(self) -> None:
        """Look places up again."""
        self._forget()

    def renamed(self, node: Node) -> None:
        """Look places up again."""
        self._forget()


def _expect_text(place: object, example: str) -> None:
    if not isinstance(place, str):
        raise UnknownNameError(f'expected a place such as "{example}", not {place!r}')


def set_all(world: World, values: Mapping[str, Value]) -> None:
    """Set fields of a loaded world that is not simulated yet, in the given order.

    Args:
        world: without errors.
        values: by place; "contacts" is the law of contact.

    Raises:
        UnknownNameError: there is no such place.
        FieldError: a value does not fit its field.
    """
    for text, value in values.items():
        if text == contact_law.PLACE:
            contact_law.choose_law(world, value)
            continue
        try:
            place = field_place(world, text)
        except OverrideError as problem:
            raise UnknownNameError(str(problem)) from None
        world.set(place.node, place.field, _checked(place, text, value))


def _checked(place: FieldPlace, text: str, value: Value) -> Value:
    """Return the new value of the whole field of a place.

    Raises:
        FieldError: the value does not fit.
    """
    spec = place.node.spec.fields[place.field]
    try:
        whole = _whole(place, spec.type, value)
    except (TypeError, ValueError) as problem:
        raise FieldError(f"{text}: {problem}") from None
    if spec.range is not None and not spec.range.contains(whole, place.node.get):
        raise FieldError(f"{text}: {_shown(whole)} is not allowed; allowed: {spec.range}")
    return whole


def _shown(value: Value) -> Value:
    if isinstance(value, VecArray):
        return np.array(value.data, np.float64).reshape(-1, value.width)
    if isinstance(value, tuple | array):
        return np.array(value)
    return list(value) if isinstance(value, list) else value


def _whole(place: FieldPlace, kind: str, value: Value) -> Value:
    """Return the new value of the whole field."""
    if place.component is None:
        return _fitted(kind, value)
    old = place.value  # checks that it exists
    whole = place.node.get(place.field)
    changed = list(whole) if isinstance(whole, tuple) else copied(whole)
    if place.part is not None:
        row = list(changed[place.component])
        row[place.part] = _number(value)
        changed[place.component] = tuple(row)
    elif isinstance(whole, VecArray):
        changed[place.component] = _vector(value, whole.width)
    elif isinstance(old, str | bool | int) and not isinstance(whole, tuple):
        changed[place.component] = _fitted("SF" + kind[2:], value)
    else:
        changed[place.component] = _number(value)
    return tuple(changed) if isinstance(whole, tuple) else changed


def _fitted(kind: str, value: Value) -> Value:
    """Return a value in the form of the tree for a type of fields."""
    if kind in SINGLE_WIDTHS:
        return _vector(value, SINGLE_WIDTHS[kind])
    if kind[2:] in WIDTHS:
        return VecArray(WIDTHS[kind[2:]], [_vector(row, WIDTHS[kind[2:]]) for row in value])
    if kind.endswith("Node"):
        raise ValueError("the field contains nodes, which are not set by value")
    maker = _MAKERS[kind[2:]]
    if kind.startswith("SF"):
        return maker(value)
    if isinstance(value, str):
        raise ValueError(f"expected a list, not the text {value!r}")
    elements = [maker(element) for element in value]
    return array("q" if kind == "MFInt32" else "d", elements) if kind in ("MFInt32", "MFFloat") else elements


def _number(value: Value) -> float:
    if isinstance(value, str):
        raise ValueError(f"expected a number, not the text {value!r}")
    try:
        number = float(value)
    except TypeError:
        raise ValueError(f"expected a number, not {value!r}") from None
    if math.isnan(number):
        raise ValueError("expected a number, not NaN")
    return number


def _integer(value: Value) -> int:
    if isinstance(value, bool) or int(value) != value:
        raise ValueError(f"expected a whole number, not {value!r}")
    return int(value)


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    return value


def _truth(value: Value) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"expected True or False, not {value!r}")
    return bool(value)


_MAKERS = {"Float": _number, "Int32": _integer, "String": _text, "Bool": _truth}


def _vector(value: Value, width: int) -> tuple[float, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"expected {width} numbers, not {value!r}")
    numbers = tuple(_number(component) for component in value)
    if len(numbers) != width:
        raise ValueError(f"expected {width} numbers, not {len(numbers)}")
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"expected finite numbers, not {numbers}")
    return numbers
