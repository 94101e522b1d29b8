"""The commands that a supervisor has beyond those of any robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hal.protocol.codec import Codec
from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot
from wbcore.supervisor.desk import Desk
from wbcore.supervisor.view import Label
from wbcore.supervisor.view import Topic as View


class Supervisor(Part):
    """Passes commands and moments on to the subjects of wbcore.supervisor."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self.desk = Desk(robot)
        self._moments = {
            name: self.desk.each(name)
            for name in ("connect", "sample", "begin_step", "before_step", "after_step", "reset", "leave")
        }
        robot.simulation.edits.observers.append(self.desk)

    @property
    def labels(self) -> dict[int, Label]:
        """The labels that this supervisor shows, by number."""
        view = self.desk.subjects["view"]
        assert isinstance(view, View)
        return view.labels

    def handlers(self, codec: Codec) -> dict[int, Callable[..., None]]:
        """See `Part.handlers`."""
        return self.desk.handlers(codec)

    def save(self) -> Any:
        """What the subjects remember, by their names."""
        return {name: one.save() for name, one in self.desk.subjects.items()}

    def load(self, state: Any) -> None:
        """See `save`."""
        for name, one in self.desk.subjects.items():
            one.load(state[name])

    def connect(self) -> None:
        """A controller has connected."""
        self.desk.is_used = True
        for hear in self._moments["connect"]:
            hear()

    def sample(self, now: float) -> None:
        """Tell what is tracked."""
        for hear in self._moments["sample"]:
            hear(now)

    def begin_step(self) -> None:
        """Carry out queued sets."""
        for hear in self._moments["begin_step"]:
            hear()

    def before_step(self) -> None:
        """The physics is about to make a step."""
        for hear in self._moments["before_step"]:
            hear()

    def after_step(self) -> None:
        """The physics has made a step."""
        for hear in self._moments["after_step"]:
            hear()

    def reset(self) -> None:
        """The simulation went back to its start."""
        for hear in self._moments["reset"]:
            hear()

    def leave(self) -> None:
        """The robot's node has left the world."""
        self.robot.simulation.edits.observers.remove(self.desk)
        for hear in self._moments["leave"]:
            hear()


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return Supervisor(robot)
