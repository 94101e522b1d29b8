"""The robot: initialization and cleanup, devices, steps."""

from __future__ import annotations

import sys

from wbridge.hal.client import session
from wbridge.hal.controller.by_hand.classes import class_named
from wbridge.hal.controller.by_hand.device_objects import object_of
from wbridge.hal.controller.by_hand.old import alias, deprecated
from wbridge.hal.controller.by_hand.picture_windows import without_display
from wbridge.hal.project_release import is_older

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.controller.joystick import Joystick
    from wbridge.hal.controller.keyboard import Keyboard
    from wbridge.hal.controller.mouse import Mouse
    from wbridge.hal.controller.servo import Servo


class RobotBase:
    """Hand-written methods of Robot.

    Names outside of the API begin with `_wb_`, because controllers derive classes from Robot that have names
    of their own.
    """

    created: RobotBase | None = None

    def __init__(self) -> None:
        """Connect to the simulator that the environment variables name.

        Raises:
            SystemExit: no simulator was found.
        """
        self._wb_robot = session.init()
        self._wb_inputs: dict[str, Any] = {}
        self._wb_devices: Any = None
        without_display(self._wb_robot.wwi_send)
        type(self).created = self
        if type(self).step is RobotBase.step:
            self.step = self._wb_robot.step_for  # type: ignore[method-assign,assignment] # the most frequent call

    @property
    def devices(self) -> dict[str, Any]:
        """The devices by name; the last one if several have the same name. A controller may replace it."""
        if self._wb_devices is not None:
            return self._wb_devices  # type: ignore[no-any-return]
        return {name: object_of(self._wb_robot, tag) for name, tag in self._wb_tags().items()}

    @devices.setter
    def devices(self, value: Any) -> None:
        """Let a controller keep something of its own under this name."""
        self._wb_devices = value

    def getDevice(self, name: str) -> Any:
        """The device with a name, for example a Motor; None, with an error message, if there is none.

        The last one if several have the same name, as in Webots' Python package since R2022b; in C and C++ it
        is the first.
        """
        exists = self._wb_robot.get_device(name)
        return object_of(self._wb_robot, self._wb_tags()[name]) if exists else None

    def _wb_tags(self) -> dict[str, int]:
        """The tags of the devices by name; the last one if several have the same name."""
        return {one.name: one.tag for one in self._wb_robot.devices if one is not None}

    def getDeviceByIndex(self, index: int) -> Any:
        """The device at an index (from 0); None, with an error message, if the index is invalid."""
        tag = self._wb_robot.get_device_by_index(index)
        return object_of(self._wb_robot, tag) if tag else None

    def _wb_input(self, name: str) -> Any:
        if name not in self._wb_inputs:
            self._wb_inputs[name] = class_named(name)(0)
        return self._wb_inputs[name]

    def getKeyboard(self) -> Keyboard:
        """The keyboard; enable it before reading keys."""
        return self._wb_input("Keyboard")  # type: ignore[no-any-return]

    def getMouse(self) -> Mouse:
        """The mouse; enable it before reading its state."""
        return self._wb_input("Mouse")  # type: ignore[no-any-return]

    def getJoystick(self) -> Joystick:
        """The joystick; enable it before reading its state."""
        return self._wb_input("Joystick")  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name in ("keyboard", "mouse", "joystick"):
            return self._wb_input(name.title())
        if name == "__del__":  # controllers call it to disconnect; deleting the object does not
            return session.cleanup
        text = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(text + self._wb_hint(name), name=name, obj=self)

    def _wb_hint(self, name: str) -> str:
        if hasattr(class_named("Supervisor"), name) and not name.startswith("_"):
            return "; supervisors have it: create Supervisor() in the place of Robot()"
        return ""

    def _wb_duration(self, time_step: float | None) -> int:
        return int(self._wb_robot.get_basic_time_step() if time_step is None else time_step)

    def step(self, time_step: int | None = None) -> int:
        """Simulate for some time: send commands, wait, and update the sensor values.

        Args:
            time_step: simulated time in ms, a multiple of the basic time step, which is the default.

        Returns:
            0 for a synchronous robot, else by how many ms the simulation was ahead; -1 when it ends: the
            controller has then a second to clean up.
        """
        robot = self._wb_robot
        return robot.step(time_step) if type(time_step) is int else robot.step_for(time_step)

    def stepBegin(self, time_step: int | None = None) -> int:
        """Begin a step; the simulation advances while the controller computes, until `stepEnd`."""
        return self._wb_robot.step_begin(self._wb_duration(time_step))

    def stepEnd(self) -> int:
        """Wait for the end of the step that `stepBegin` began; the result is as for `step`."""
        return self._wb_robot.step_end()

    def getServo(self, name: str) -> Servo | None:
        """Old: the Servo with a name, which is now a Motor and a PositionSensor."""
        deprecated("Robot.getServo", "Robot.getDevice")
        tag = self._wb_robot.get_device(name)
        return class_named("Servo")(tag) if tag else None

    def wwiReceiveText(self) -> str | None:
        """Remove and return the oldest message from the robot window as a string.

        Without a message: None, or "" in worlds from before R2023a, whose controllers expect that.
        """
        text = self._wb_robot.wwi_receive_text()
        if text is None and is_older(self._wb_robot.get_world_path(), "R2023a"):
            return ""
        return text

    def getControllerName(self) -> str:
        """Old: the field `controller`."""
        deprecated("Robot.getControllerName", "the name of the controller's folder")
        return self._wb_robot.get_controller_name()

    def getControllerArguments(self) -> str:
        """Old: the controller's arguments, separated by spaces."""
        deprecated("Robot.getControllerArguments", "sys.argv")
        return " ".join(sys.argv[1:])

    getVacuumGripper = alias("Robot.getVacuumGripper", "getDevice")
