"""The lights of a world as the engine measures them: a copy, kept up to date with the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.changes import PLACES
from wbridge.wbcore.visual.lights import Light, lights_of


class LightEdits(Protocol):
    """The interface of tree changes that this module uses."""

    look_watchers: list[Callable[[Node | None, str], object]]
    """Called with changes of node and field; None: other nodes are there."""


class MeasuredLights:
    """All lights of a world. Call `refresh` before measuring.

    Fields of lights, and the places of what contains them, must be set by `Edits.set`, or between
    `Edits.before` and `Edits.after`: other changes are not seen.
    """

    def __init__(self, physics: PhysicsWorld, edits: LightEdits) -> None:
        self._physics = physics
        self._native = _engine.Lights()
        self._lights: list[Light] = []
        self._key: tuple[object, ...] = ()
        edits.look_watchers.append(self._note)

    def _note(self, node: Node | None, name: str) -> None:
        """Note a change of the tree.

        The fields of a light are copied at once, because LEDs switch lights often. All lights become stale if
        nodes were added, removed or replaced, or if something that contains a light has moved.
        """
        if self._native.stale:
            return
        if node is None or node.body is not None:
            self._native.stale = True
        elif name in PLACES:
            self._native.stale = any(light.is_in(node) for light in self._lights)
        elif node.is_a("Light"):
            for number, light in enumerate(self._lights):
                if light.node is node.root:
                    light.read()
                    self._native.replace(number, light.native())

    def refresh(self) -> _engine.Lights:
        """Return the engine's lights after applying changes of the tree."""
        key = (self._physics.builder, self._physics.structure)
        if self._native.stale or key != self._key:
            self._key = key
            self._lights = lights_of(self._physics)
            self._native.replace_all([light.native() for light in self._lights])
        return self._native
