"""The supervisor: a robot that can read and change the whole scene."""

from __future__ import annotations

from wbridge.hal.controller.by_hand.old import alias, deprecated
from wbridge.hal.controller.by_hand.wrapping import wrap
from wbridge.hal.controller.robot import Robot

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.controller.node import Node


class SupervisorBase(Robot):
    """Hand-written methods of Supervisor."""

    def getRoot(self) -> Node | None:
        """The root node, whose field `children` contains the nodes of the world."""
        return wrap(self._wb_robot.scene.get_root())

    def getSelf(self) -> Node | None:
        """The supervisor's own node."""
        return wrap(self._wb_robot.scene.get_self())

    def getFromDef(self, d: str) -> Node | None:
        """The node with a DEF name or path such as "ROBOT.ARM", or None."""
        return wrap(self._wb_robot.scene.get_from_def(d))

    def getFromId(self, id: int) -> Node | None:
        """The node with an identifier, or None."""
        return wrap(self._wb_robot.scene.get_from_id(id))

    def getFromDevice(self, tag: object) -> Node | None:
        """The node of a device of this robot, given the device or its tag, or None."""
        number: Any = tag if isinstance(tag, int) else getattr(tag, "tag", None)
        return wrap(self._wb_robot.scene.get_from_device(number))

    def getSelected(self) -> Node | None:
        """The node that is selected in the scene tree, or None."""
        return wrap(self._wb_robot.scene.get_selected())

    def movieGetStatus(self) -> int:
        """Old: the status of the movie."""
        deprecated("Supervisor.movieGetStatus", "Supervisor.movieIsReady and movieFailed")
        return self._wb_robot.scene.run.movie_get_status()

    simulationRevert = alias("Supervisor.simulationRevert", "worldReload")
    simulationPhysicsReset = alias("Supervisor.simulationPhysicsReset", "simulationResetPhysics")
    loadWorld = alias("Supervisor.loadWorld", "worldLoad")
    saveWorld = alias("Supervisor.saveWorld", "worldSave")
