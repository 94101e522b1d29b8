"""Several remote-control plugins for one robot: "wblink+camera" drives wheels and camera.

The first plugin keeps the time of the steps and drives all devices that no companion drives. Each plugin has
an address of its own; they are separated by blanks: "tcp://192.168.1.7:8080 v4l2:///dev/video0".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.companion import Companion
from wbridge.hal.plugins import PluginError
from wbridge.hal.printable import print_problem
from wbridge.hal.remote import RemoteControl, RemoteRobot


def addresses(names: Sequence[str], arg: str) -> list[str]:
    """Return the addresses in the argument of a combination.

    Raises:
        PluginError: there are more or fewer of them than plugins.
    """
    found = arg.split()
    if len(found) != len(names):
        raise PluginError(
            f'the remote control "{"+".join(names)}" needs {len(names)} addresses separated by blanks, the '
            f"first for {names[0]}; found {len(found)}"
        )
    return found


class Combined(RemoteControl):
    """The plugins of one robot as one."""

    def __init__(self, names: Sequence[str], first: RemoteControl, companions: Sequence[Companion]) -> None:
        """
        Args:
            names: names of all plugins, that of the first one first.
            first: keeps the time.
            companions: the others. If several drive a device, the last one does.
        """
        self._names, self._first, self._companions = names, first, companions
        self._all: list[RemoteControl] = [first, *companions]
        self.watchdog_ms = first.watchdog_ms
        self._owners: dict[int, RemoteControl] = {}
        self._devices: range = range(0)

    def init(self, robot: RemoteRobot) -> bool:
        """Initialize all plugins."""
        self._devices = range(1, robot.number_of_devices + 1)
        return all(plugin.init(robot) for plugin in self._all)

    def cleanup(self) -> None:
        """Clean up all plugins."""
        for plugin in self._all:
            plugin.cleanup()

    def start(self, arg: str) -> bool:
        """Connect the companions, then the first plugin: the robot moves only when it is complete."""
        try:
            places = addresses(self._names, arg)
        except PluginError as problem:
            print_problem(str(problem))
            return False
        started: list[RemoteControl] = []
        for plugin, place in [*zip(self._companions, places[1:], strict=True), (self._first, places[0])]:
            if not plugin.start(place):
                for each in started:
                    each.stop()
                return False
            started.append(plugin)
        self._owners = {
            tag: companion for tag in self._devices for companion in self._companions if companion.drives(tag)
        }
        return True

    def plugin_of(self, tag: int) -> RemoteControl:
        """The plugin that drives a device; tag 0 is the robot."""
        return self._owners.get(tag, self._first)

    def stop(self) -> None:
        """Disconnect all plugins, the first one first, because it stops the motors."""
        for plugin in self._all:
            plugin.stop()

    def has_failed(self) -> bool:
        """True if one plugin has lost its part of the robot."""
        return any(plugin.has_failed() for plugin in self._all)

    def is_silent(self) -> bool:
        """True if a part of the robot does not answer."""
        return any(plugin.is_silent() for plugin in self._all)

    def fault(self) -> str:
        """Why a part of the robot keeps its motors off; "" if none does."""
        return "; ".join(filter(None, (plugin.fault() for plugin in self._all)))

    def resume(self) -> None:
        """End a stop by a latch."""
        for plugin in self._all:
            plugin.resume()

    def note_outage(self) -> None:
        """Tell all plugins of an outage before their start."""
        for plugin in self._all:
            plugin.note_outage()

    def stop_actuators(self) -> None:
        """Stop all actuators."""
        for plugin in self._all:
            plugin.stop_actuators()

    def abandon(self) -> None:
        """Stop all actuators for good."""
        for plugin in self._all:
            plugin.abandon()

    def robot_step(self, period: int) -> int:
        """The first plugin makes the step; the companions add their readings at its end."""
        delay = self._first.robot_step(period)
        for companion in self._companions:
            companion.exchange(period)
        return delay

    def duration(self, period: int, delay: int) -> int:
        """The duration of the last step according to the first plugin, in ms."""
        return self._first.duration(period, delay)

    def custom_function(self, arg: object) -> Any:
        """The custom function of the first plugin."""
        return self._first.custom_function(arg)
