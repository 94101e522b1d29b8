"""A robot of a simulation: its pose, and its devices, which the script drives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wbridge.api.joints import Joints
from wbridge.api.motors import Motor, Motors
from wbridge.api.names import UnknownNameError, unknown
from wbridge.api.nodes import Node
from wbridge.api.pictures import Camera, Lidar, PictureSensor, RangeFinder
from wbridge.api.readings import Readings
from wbridge.api.sensors import Sensor, Sensors, period_of
from wbridge.api.steps import Steps
from wbridge.wbcore.devices.camera import Camera as CameraDevice
from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.devices.lidar import Lidar as LidarDevice
from wbridge.wbcore.devices.motor import Motor as MotorDevice
from wbridge.wbcore.devices.range_device import RangeDevice
from wbridge.wbcore.devices.sensor import Sensor as SensorDevice
from wbridge.wbcore.robots.robot import Robot as CoreRobot
from wbridge.wbcore.robots.sample_names import sample_names
from wbridge.wbcore.simulation import Simulation

__all__ = ["Robot"]

AnyPicture = TypeVar("AnyPicture", bound=PictureSensor)


class Robot(Node):
    """A robot. The first request for one of its devices makes the script its driver, in place of its own
    controller; pose and velocity can be read without that."""

    def __init__(self, core: Simulation, robot: CoreRobot, steps: Steps) -> None:
        """
        Args:
            core: the simulation.
            robot: its robot.
            steps: makes the steps of the simulation.
        """
        super().__init__(core, robot.node, steps.changed)
        self.core = robot
        """The simulated robot."""
        self.joints = Joints(core, self, steps.changed)
        """Its joints: positions, kinematics and dynamics."""
        self._steps = steps
        self._readings: Readings | None = None
        self._motors: Motors | None = None
        self._first: dict[str, Device] = {}
        self._pictures: dict[str, PictureSensor] = {}

    def __repr__(self) -> str:
        return f'<Robot "{self.name}">'

    @property
    def is_driven(self) -> bool:
        """True if the script drives it."""
        return self._readings is not None

    def drive(self) -> None:
        """Drive the robot from the script, in place of its controller; requests for devices do it, too.

        Raises:
            RuntimeError: its controller runs already.
        """
        self._driven()

    def _driven(self) -> Readings:
        if self._readings is not None:
            return self._readings
        if self._steps.runs(self.core):
            raise RuntimeError(
                f'robot "{self.name}" is driven by its controller "{self.core.controller}" since the first '
                'step; request its devices before that, or load the world with controllers="none"'
            )
        self._readings = readings = Readings(self.core)
        readings.collect()
        self._steps.readings.append(readings)
        self._steps.changed()
        motors: dict[str, Motor] = {}
        for device in self.core.devices:
            self._first.setdefault(device.name, device)
            if isinstance(device, MotorDevice) and device.name not in motors:
                motors[device.name] = Motor(device)
        self._motors = Motors(motors)
        self._steps.motors.append(self._motors)
        return readings

    def move_numbers(self, numbers: NDArray[np.float64]) -> None:
        """Keep the numbers of all sensors in another array from now on, for example in a row of a matrix."""
        self._driven().move_to(numbers)
        self._steps.forget()

    # Devices.

    @property
    def motors(self) -> Motors:
        """All motors by name; their targets are arrays, too: `robot.motors.velocity = [1, 2]`."""
        self._driven()
        assert self._motors is not None, "the robot is driven"
        return self._motors

    def motor(self, name: str) -> Motor:
        """Return a motor.

        Raises:
            UnknownNameError: the robot has no such motor.
        """
        motor: Motor = self._chosen(self.motors, name, "motor")
        return motor

    @property
    def sensors(self) -> Sensors:
        """All sensors whose samples are numbers, by name; `robot.sensors.numbers` has the newest numbers."""
        return self._driven().sensors

    def sensor(self, name: str, period: int | None = None) -> Sensor:
        """Return a sensor, and enable it if it is off.

        Args:
            name: of any device whose samples are numbers, such as a GPS or a DistanceSensor.
            period: sampling period (ms); None: the present one, or the basic time step.

        Raises:
            UnknownNameError: the robot has no such sensor.
        """
        sensor: Sensor = self._chosen(self.sensors, name, "sensor")
        self._enable(sensor, period)
        return sensor

    def camera(self, name: str, period: int | None = None) -> Camera:
        """Return a camera, and enable it if it is off; the arguments are those of `sensor`.

        Raises:
            UnknownNameError: the robot has no such camera.
        """
        return self._picture(name, period, "camera", CameraDevice, Camera)

    def range_finder(self, name: str, period: int | None = None) -> RangeFinder:
        """Return a range finder, and enable it if it is off; the arguments are those of `sensor`.

        Raises:
            UnknownNameError: the robot has no such range finder.
        """
        return self._picture(name, period, "range finder", RangeDevice, RangeFinder)

    def lidar(self, name: str, period: int | None = None) -> Lidar:
        """Return a lidar, and enable it if it is off; the arguments are those of `sensor`.

        Raises:
            UnknownNameError: the robot has no such lidar.
        """
        return self._picture(name, period, "lidar", LidarDevice, Lidar)

    def set_led(self, name: str, value: int) -> None:
        """Set an LED: the number of one of its colors, from 1; 0: off (manual, chapter LED).

        Raises:
            UnknownNameError: the robot has no such LED.
        """
        self._driven()
        leds = {device.name: device for device in self.core.devices if device.entry.type == "LED"}
        self._steps.changed()
        device: Any = self._chosen(leds, name, "LED")
        device.on_set(int(value))

    def command(self, name: str, command: str, *values: object) -> None:
        """Give any device a command of a controller: `robot.command("gripper", "turn_on")`.

        Args:
            name: of the device.
            command: in the controllers' protocol: a function of the device without its prefix, such as
                "lock", "send" or "set_damping_constant".
            values: its arguments: numbers, texts and bytes.

        Raises:
            UnknownNameError: the robot has no such device, or the device no such command.
            ValueError: a value is not possible.
        """
        self._driven()
        device = self._chosen(self._first, name, "device")
        known = [] if device.codec is None else [entry.name for entry in device.codec.commands.values()]
        handler = getattr(device, f"on_{command}", None)
        if command not in known or handler is None:
            raise unknown(
                f'{device.entry.type} "{name}" has no command "{command}"', command, known, "commands"
            )
        self._steps.changed()
        try:
            handler(*values)
        except TypeError as problem:
            raise ValueError(f'"{name}": {command}: {problem}') from None
        self._driven().collect()

    def messages(self, name: str, period: int | None = None) -> list[tuple[object, ...]]:
        """Return what a device has told since the step before, and enable it if it is off: for devices whose
        samples are no fixed number of numbers, such as Receiver (packets) and Radar (targets).

        Args:
            name: of the device.
            period: as for `sensor`.

        Raises:
            UnknownNameError: the robot has no such device.
        """
        readings = self._driven()
        device = self._chosen(self._first, name, "device")
        if isinstance(device, SensorDevice) and (period is not None or not device.sampling.period):
            self._steps.changed()
            device.on_enable(self._basic_period() if period is None else period_of(period, f'"{name}"'))
            readings.collect()
        return list(readings.messages.get(device.tag, ()))

    def _basic_period(self) -> int:
        return max(1, round(self.core.simulation.step_s * 1000))

    def _picture(
        self, name: str, period: int | None, what: str, kind: type, make: Callable[[Any], AnyPicture]
    ) -> AnyPicture:
        self._driven()
        known: Any = self._pictures.get(name)
        if not isinstance(known, PictureSensor) or not isinstance(known.device, kind):
            devices = {
                device.name: device for device in reversed(self.core.devices) if isinstance(device, kind)
            }
            known = self._pictures[name] = make(self._chosen(devices, name, what))
        self._enable(known, period)
        picture: AnyPicture = known
        return picture

    def _enable(self, sensor: Sensor | PictureSensor, period: int | None) -> None:
        if period is None and sensor.period:
            return
        self._steps.changed()
        sensor.period = self._basic_period() if period is None else period
        self._driven().collect()

    def _chosen(self, devices: Any, name: str, what: str) -> Any:
        if name in devices:
            return devices[name]
        other = self._first.get(name)
        if other is None:
            raise unknown(f'robot "{self.name}" has no {what} "{name}"', name, devices, f"{what}s")
        call = _request(other)
        use = f"; use robot.{call}"
        kind = f'"{name}" is no {what} but of type {other.entry.type}'
        raise UnknownNameError(f'robot "{self.name}": {kind}{use}')


def _request(device: Device) -> str:
    """Return the call that gives access to a device."""
    calls = [(MotorDevice, "motor"), (CameraDevice, "camera"), (LidarDevice, "lidar")]
    calls += [(RangeDevice, "range_finder")]
    call = next((name for kind, name in calls if isinstance(device, kind)), "")
    if device.entry.type == "LED":
        return f'set_led("{device.name}", 1)'
    if isinstance(device, SensorDevice) and not call:
        call = "sensor" if sample_names(device) else "messages"
    return f'{call}("{device.name}")' if call else f'command("{device.name}", ...)'
