"""The additional commands of a supervisor."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.configure import SelfNode
from wbridge.wbcore.robots.parts import SupervisorPart
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.supervisor.command_group import SupervisedSimulation
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.view import Label, View


class Supervisor(SupervisorPart):
    """Forwards commands and simulation phases to the command groups of wbridge.wbcore.supervisor."""

    def __init__(self, robot: Robot, simulation: SupervisedSimulation) -> None:
        super().__init__(robot)
        self._simulation = simulation
        self.dispatcher = Dispatcher(robot, simulation)
        self._moments = {
            name: self.dispatcher.each(name)
            for name in ("connect", "sample", "begin_step", "before_step", "after_step", "reset", "leave")
        }
        simulation.edits.observers.append(self.dispatcher)

    @property
    def labels(self) -> dict[int, Label]:
        """The labels that this supervisor shows, by number."""
        view = self.dispatcher.groups["view"]
        assert isinstance(view, View)
        return view.labels

    def own_node(self) -> SelfNode:
        """The description of the robot's own node for the controller."""
        return self._simulation.nodes.own(self.robot.node)

    def handlers(self, codec: Codec) -> dict[int, Callable[..., None]]:
        """See `Part.handlers`."""
        return self.dispatcher.handlers(codec)

    def save(self) -> dict[str, object]:
        """Return the state of the command groups by name."""
        return {name: group.save() for name, group in self.dispatcher.groups.items()}

    def load(self, state: dict[str, object]) -> None:
        """See `save`."""
        for name, group in self.dispatcher.groups.items():
            group.load(state[name])

    def connect(self) -> None:
        """Prepare for a new controller."""
        self.dispatcher.is_used = True
        for hear in self._moments["connect"]:
            hear()

    def sample(self, now: float) -> None:
        """Send what is tracked."""
        for hear in self._moments["sample"]:
            hear(now)

    def begin_step(self) -> None:
        """Execute queued sets."""
        for hear in self._moments["begin_step"]:
            hear()

    def before_step(self) -> None:
        """Act before a physics step."""
        for hear in self._moments["before_step"]:
            hear()

    def after_step(self) -> None:
        """Act after a physics step."""
        for hear in self._moments["after_step"]:
            hear()

    def reset(self) -> None:
        """The simulation was reset."""
        for hear in self._moments["reset"]:
            hear()

    def leave(self) -> None:
        """React to the removal of the robot's node."""
        self._simulation.edits.observers.remove(self.dispatcher)
        for hear in self._moments["leave"]:
            hear()
