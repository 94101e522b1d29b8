"""The poses of moving bodies as columns of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.plan import BodyPlan, SolidPlan
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.recordings.equal_names import EqualNames
from wbridge.wbcore.scene.places import instance_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARTS = ("x", "y", "z", "qw", "qx", "qy", "qz")


class PoseColumns:
    """The poses of bodies with mass and of the frames of joints, each in columns "NAME.x" to "NAME.qz".

    The name is a path such as "robot/left wheel"; equal ones are numbered "NAME (2)", "NAME (3)" ... Bodies
    that are added later come last, unless they have the name of a removed body, whose columns they continue.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        self.names: list[str] = []
        """The names of all bodies so far."""
        self.columns: list[str] = []
        self._physics = physics
        self._numbers = EqualNames()
        self._places: list[int] = []
        """The places in `names` of the bodies that exist."""
        self._rows: list[int] = []
        """Their numbers in the engine."""
        self._structure: object = None
        self._renew()

    def take(self) -> NDArray[np.float64]:
        """Return the current poses (names, 7; m, unit quaternion, world); NaN for bodies that are gone."""
        self._renew()
        engine = self._physics.engine
        poses = np.full((len(self.names), len(PARTS)), np.nan)
        poses[self._places, :3] = engine.positions[self._rows]
        poses[self._places, 3:] = engine.quaternions[self._rows]
        return poses

    @property
    def values(self) -> list[float]:
        """Current values, in the order of the columns."""
        values: list[float] = self.take().ravel().tolist()
        return values

    def _renew(self) -> None:
        """Find the bodies again after parts were built or removed."""
        physics = self._physics
        structure = physics.builder, physics.structure
        if structure == self._structure:
            return
        self._structure = structure
        made = physics.handles.bodies
        bodies = {body.root.node: body for part in physics.plan.parts for body in part.bodies if _moves(body)}
        bodies = {node: body for node, body in bodies.items() if body in made}
        self._numbers.renew({node: _label(body.root) for node, body in bodies.items()})
        self._rows = [made[body].id for body in bodies.values()]
        names = [_numbered(*self._numbers[node]) for node in bodies]
        self._add([name for name in names if name not in set(self.names)])
        places = {name: place for place, name in enumerate(self.names)}
        self._places = [places[name] for name in names]

    def _add(self, names: list[str]) -> None:
        self.names += names
        self.columns += [f"{name}.{part}" for name in names for part in PARTS]


def _label(solid: SolidPlan | None) -> str:
    """Return the names of the solids from the top down to this one; DEF or type replaces a default name."""
    parts: list[str] = []
    while solid is not None:
        node = instance_of(solid.node)
        name = str(solid.node.get("name"))
        parts.append(name if name not in ("", "solid") else node.def_name or node.type)
        solid = solid.parent
    return "/".join(reversed(parts))


def _moves(body: BodyPlan) -> bool:
    return body.is_dynamic or body.root.joint is not None or any(body.linear_velocity + body.angular_velocity)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ({number})"
