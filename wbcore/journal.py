"""What was changed in a running simulation's tree, so that a reset can take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbcore.scene.node import Field, Node
from wbcore.scene.values import copied
from wbcore.supervisor.places import inside_of

if TYPE_CHECKING:
    from wbcore.simulation import Simulation

__all__ = ["Journal"]

MESSAGES = frozenset(["customData", "controllerArgs", "controller"])
"""What one run tells the next one stays: these fields of robots have no meaning but to controllers."""


class _Value(NamedTuple):
    node: Node
    name: str
    value: Any


class Journal:
    """First values of changed fields, and nodes that were added.

    Where solids are is kept elsewhere (wbcore.physics.initial). Removed nodes do not come back.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._values: dict[Field, _Value] = {}
        self.added: list[Node] = []
        self._undoing = False

    def keep(self, node: Node, name: str, field: Field) -> None:
        """Keep a field's value, before it is changed for the first time."""
        if field in self._values or self._undoing or name in MESSAGES or field.spec.is_node:
            return
        if not self._simulation.initial.holds(field):
            self._values[field] = _Value(node, name, copied(field.value))

    def forget(self, node: Node) -> None:
        """A node has left the tree."""
        self.added = [one for one in self.added if not inside_of(one, node)]
        gone = [field for field, kept in self._values.items() if inside_of(kept.node, node)]
        for field in gone:
            del self._values[field]

    def undo(self) -> None:
        """Take added nodes out, and give changed fields their first values."""
        edits = self._simulation.edits
        for node in reversed(list(self.added)):
            if node in self.added:
                edits.remove(node)
        values, self._values = self._values, {}
        self._undoing = True
        try:
            for field, kept in values.items():
                if kept.node.fields.get(kept.name) is field:
                    edits.set(kept.node, kept.name, kept.value)
        finally:
            self._undoing = False
        self.added = []
