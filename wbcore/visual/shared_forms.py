"""What scenes make of geometries, shared by the shapes that use a geometry several times."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from wbridge.wbcore.physics.meshes import MeshError
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.shapes import PlacedShape
from wbridge.wbcore.visual.warnings import warn

Form = TypeVar("Form")


class SharedForms(Generic[Form]):
    """Forms by geometry and scale, valid as long as the geometry does not change."""

    def __init__(self, world: World, make: Callable[[Node, Vec3], Form | None]) -> None:
        """
        Args:
            world: the world of the geometries.
            make: returns the form of a geometry in a frame with a scale; raises MeshError or ValueError.
        """
        self._world, self._make = world, make
        self._forms: dict[Node, dict[Vec3, Form | None]] = {}

    def find(self, shape: PlacedShape) -> Form | None:
        """Return the form of a shape; None without one."""
        geometry = node_in(shape.node, "geometry")
        if geometry is None:
            return None
        forms = self._forms.setdefault(geometry, {})
        scale = shape.place.scale
        if scale not in forms:
            try:
                forms[scale] = self._make(geometry, scale)
            except (MeshError, ValueError) as problem:
                warn(self._world, geometry, f"it is not shown: {problem}", is_once=True)
                forms[scale] = None
        return forms[scale]

    def any_of(self, shape: Node) -> Form | None:
        """Return a form of a Shape node that was found before; None without one."""
        geometry = node_in(shape, "geometry")
        forms = {} if geometry is None else self._forms.get(geometry, {})
        return next((form for form in forms.values() if form is not None), None)

    def forget(self, geometries: Collection[Node] | None = None) -> None:
        """Drop the forms of geometries; None: of all."""
        if geometries is None:
            self._forms.clear()
            return
        for geometry in geometries:
            self._forms.pop(geometry, None)
