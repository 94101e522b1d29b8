"""The supervisor: a robot that sees and changes the whole scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.controller.by_hand.old import alias, deprecated
from hal.controller.by_hand.wrapping import wrap
from hal.controller.robot import Robot

if TYPE_CHECKING:
    from hal.controller.node import Node

__all__ = ["SupervisorBase"]


class SupervisorBase(Robot):
    """What a supervisor does in its own way."""

    def getRoot(self) -> Node | None:
        """The root: its field `children` holds the nodes of the world."""
        return wrap(self._robot.scene.get_root())

    def getSelf(self) -> Node | None:
        """The supervisor's own node."""
        return wrap(self._robot.scene.get_self())

    def getFromDef(self, d: str) -> Node | None:
        """The node with a DEF name, which may be a path such as "ROBOT.ARM"; None when there is none."""
        return wrap(self._robot.scene.get_from_def(d))

    def getFromId(self, id: int) -> Node | None:
        """The node with a number; None when there is none."""
        return wrap(self._robot.scene.get_from_id(id))

    def getFromDevice(self, tag: object) -> Node | None:
        """The node of a device of this robot (the device, or its tag); None when there is none."""
        number = tag if isinstance(tag, int) else getattr(tag, "tag", 0)
        return wrap(self._robot.scene.get_from_device(number))

    def getSelected(self) -> Node | None:
        """The node that is selected in the scene tree; None when none is."""
        return wrap(self._robot.scene.get_selected())

    def movieGetStatus(self) -> int:
        """Old: how far the movie is."""
        deprecated("Supervisor.movieGetStatus", "Supervisor.movieIsReady and movieFailed")
        return self._robot.scene.run.movie_get_status()

    simulationRevert = alias("Supervisor.simulationRevert", "worldReload")
    simulationPhysicsReset = alias("Supervisor.simulationPhysicsReset", "simulationResetPhysics")
    loadWorld = alias("Supervisor.loadWorld", "worldLoad")
    saveWorld = alias("Supervisor.saveWorld", "worldSave")
