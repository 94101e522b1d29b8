"""The samples of a robot that a script drives, in one array with a place for each number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbridge.api.sensors import Sensor, Sensors, flat
from wbridge.wbcore.devices.sensor import Sensor as Device
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.sample_names import sample_names
from wbridge.wbcore.robots.sample_pass import SamplePass

NOT_SENSORS = ("RotationalMotor", "LinearMotor")
"""Devices whose samples are read otherwise: the feedback of motors, by `Motor.actual_effort`."""


class Readings:
    """Takes the samples of a robot's sensors."""

    def __init__(self, robot: Robot) -> None:
        """Take the place of the robot's controller: its devices are off."""
        self.robot = robot
        robot.connect(robot.dialect)
        devices = [
            device
            for device in robot.devices
            if isinstance(device, Device) and device.entry.type not in NOT_SENSORS
        ]
        names = {device: sample_names(device) for device in devices}
        counted = [device for device in devices if names[device]]
        counts = [len(names[device]) for device in counted]
        self.numbers = np.full(sum(counts), np.nan)
        """The newest numbers of all sensors; NaN for those that are off, and before the first sample."""
        ends = np.cumsum(counts, dtype=int).tolist()
        self._places = {
            device.tag: end - count for device, end, count in zip(counted, ends, counts, strict=True)
        }
        self.by_tag = {
            device.tag: Sensor(device, self.numbers[end - count : end])
            for device, end, count in zip(counted, ends, counts, strict=True)
        }
        self.messages: dict[int, list[tuple[Any, ...]]] = {}
        """What devices have sent since the last step that is no fixed number of numbers, by tag."""
        sensors: dict[str, Sensor] = {}
        for device in counted:
            sensors.setdefault(device.name, self.by_tag[device.tag])
        all_names = tuple(name for device in counted for name in names[device])
        self.sensors = Sensors(sensors, self.numbers, all_names)
        self._native: SamplePass | None = None

    def move_to(self, numbers: NDArray[np.float64]) -> None:
        """Keep the numbers in another array of the same length from now on."""
        numbers[:] = self.numbers
        self.numbers = numbers
        for tag, sensor in self.by_tag.items():
            first = self._places[tag]
            sensor.move_to(numbers[first : first + len(sensor.numbers)])
        self.sensors.numbers = numbers
        self._native = None

    @property
    def is_plain(self) -> bool:
        """True if the engine takes all samples of the next step, unless a sensor changes."""
        robot = self.robot
        if not robot.is_plain:
            return False
        samples = robot.samples
        if samples.is_empty:
            self._native = None
            return True
        if self._native is None or not samples.has_only(self._native):
            self._native = samples.single_pass
        return self._native is not None and samples.has_only(self._native)

    @property
    def native(self) -> SamplePass | None:
        """The pass of the engine over all sensors that are on; None if none is. Valid if `is_plain`."""
        return self._native

    def join(self, stepper: _engine.ScriptStepper) -> None:
        """Let native steps take the samples."""
        if self._native is not None:
            places = [self._places[sensor.tag] for sensor in self._native.sensors]
            stepper.add(self._native.native, self.numbers, places)

    def sample(self) -> None:
        """Take the samples that are due, and everything else that the devices tell."""
        self.robot.sample()
        self.collect()

    def collect(self) -> None:
        """Move what waits for a controller to the array and the messages."""
        robot = self.robot
        robot.samples.spread()
        self.messages = {}
        for tag in sorted(robot.answer.tags):
            device = robot.devices[tag - 1]
            sensor = self.by_tag.get(tag)
            outbox, device.outbox = device.outbox, []
            for code, values in outbox:
                if sensor is not None and code == sensor.device.message_code:
                    sensor.numbers[:] = flat(values)
                else:
                    self.messages.setdefault(tag, []).append(values)
        robot.answer.tags.clear()
        robot.answer.own, robot.pictures.waiting = [], []
        robot.answer.new_devices.clear()

    def restart(self) -> None:
        """Begin again after a reset: sensors keep their periods."""
        self.numbers[:] = np.nan
        for device in self.robot.devices:
            if isinstance(device, Device) and device.sampling.period:
                device.on_enable(device.sampling.period)
        self.collect()

    def keep(self) -> None:
        """Before the state is saved: the newest samples are a part of it."""
        on = {tag: sensor for tag, sensor in self.by_tag.items() if not np.isnan(sensor.numbers).all()}
        self.robot.samples.restore({tag: _message(sensor) for tag, sensor in on.items()})

    def take_back(self) -> None:
        """After the state was saved."""
        self.robot.samples.restore({})

    def loaded(self) -> None:
        """After a state was restored: show its samples."""
        self.numbers[:] = np.nan
        self.collect()


def _message(sensor: Sensor) -> tuple[object, ...]:
    """Return the newest sample as the message that carries it."""
    codec = sensor.device.codec
    assert codec is not None, "sensors with numbers have a codec"
    layout = codec.messages[sensor.device.message_code].layout
    values: list[object] = []
    numbers = sensor.numbers.tolist()
    for kind in layout.types or ():
        element, _, count = kind.partition("*")
        part = [numbers.pop(0) for _ in range(int(count or 1))]
        part = part if element in ("f32", "f64") else [int(number) for number in part]
        values.append(tuple(part) if count else part[0])
    return tuple(values)
