"""The checklist of e-puck and e-puck2, by their own protocol (see `wbridge.remote_controls.epuck`)."""

from __future__ import annotations

import math
import time

from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.hal.manual_robot import ManualStep
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable
from wbridge.wbfirmware.bringup.checklist import DIFFERS, Finding, Step, confirmed
from wbridge.wbfirmware.bringup.device_test import FAILED, PASSED, Dialog

PLUGIN = "epuck"
PERIOD_MS = 32
STEPS = 150
SPEED = 2.0
"""Of the wheels, in rad/s."""
SECONDS = 2.0
TOLERANCE, SLACK = 0.1, 0.3
"""Relative, for angles of wheels, and the angle (rad) of the steps in which they start and stop."""
GRAVITY, GRAVITY_TOLERANCE = 9.81, 1.5
"""In m/s^2."""
NEAR = 150.0
"""By how much a hand raises a proximity sensor's reading."""
HAND_S = 15.0

_WHEELS = ("left wheel motor", "right wheel motor")
_SENSORS = {
    "left wheel sensor": ("PositionSensor", "position", "wb_position_sensor_enable"),
    "right wheel sensor": ("PositionSensor", "position", "wb_position_sensor_enable"),
    "ps0": ("DistanceSensor", "value", "wb_distance_sensor_enable"),
    "accelerometer": ("Accelerometer", "acceleration", "wb_accelerometer_enable"),
}


def epuck_table() -> DeviceTable:
    """Return the devices that the checklist uses, with the names of Webots' model."""
    devices: list[DeviceEntry] = []
    for name in _WHEELS:
        channels = tuple(Channel(channel, "act", "f64", (), "") for channel in ("position", "velocity"))
        devices.append(DeviceEntry(len(devices) + 1, name, "RotationalMotor", "", {}, channels))
    for name, (kind, channel, function) in _SENSORS.items():
        entry = Channel(channel, "sense", "vec3" if kind == "Accelerometer" else "f64", (), function)
        devices.append(DeviceEntry(len(devices) + 1, name, kind, "", {}, (entry,)))
    devices.append(
        DeviceEntry(len(devices) + 1, "led0", "LED", "", {}, (Channel("value", "act", "i32", (), ""),))
    )
    robot = DeviceEntry(0, "e-puck", "Robot", "", {"basicTimeStep": float(PERIOD_MS)}, ())
    return DeviceTable(robot, tuple(devices))


class EpuckSteps:
    """The steps, and the robot that they use."""

    def __init__(self, robot: GuardedManualRobot) -> None:
        """
        Args:
            robot: a started robot with `epuck_table`.
        """
        self._robot, self._table = robot, robot.table
        self._readings: dict[str, object] = {}
        for name, (_, _, function) in _SENSORS.items():
            robot.enable(self._tag(name), function, PERIOD_MS)

    def steps(self) -> list[Step]:
        """Return the steps, in order."""
        return [
            Step("measure the line", 0.2, self.measure),
            Step("acceleration of a robot at rest", 0.5, self.rest),
            Step("a hand before the front sensor", 1, self.hand),
            Step("an LED", 0.5, self.led),
            Step("wheels and their counters", 1.5, self.wheels),
            Step("wheels stop when the program is killed", 1.5, self.killed),
        ]

    def step(self) -> ManualStep:
        """Make a step and keep its readings."""
        step = self._robot.step(PERIOD_MS)
        if step.has_failed:
            time.sleep(PERIOD_MS / 1000)  # a lost robot answers at once
        names = {device.tag: device.name for device in self._table.devices}
        self._readings |= {names[tag]: value for tag, _, value in step.readings if tag in names}
        return step

    def idle(self) -> None:
        """Make a step while the user thinks."""
        self.step()

    def measure(self, dialog: Dialog) -> Finding:
        """Count the steps with fresh readings; nobody is asked."""
        fresh = sum(bool(self.step().readings) for _ in range(STEPS))
        text = f"{fresh} of {STEPS} steps of {PERIOD_MS} ms with readings"
        return Finding(PASSED if fresh > 0.9 * STEPS else DIFFERS, text)

    def rest(self, dialog: Dialog) -> Finding:
        """Compare the acceleration with gravity; nobody is asked."""
        dialog.say("Let the robot stand on a level table.")
        self._run(1.0)
        value = self._readings.get("accelerometer")
        if not isinstance(value, (tuple, list)):
            return Finding(FAILED, "no reading")
        x, y, z = (float(axis) for axis in value)
        is_right = abs(z - GRAVITY) < GRAVITY_TOLERANCE and math.hypot(x, y) < GRAVITY_TOLERANCE
        return Finding(PASSED if is_right else DIFFERS, f"x {x:.2f}, y {y:.2f}, z {z:.2f} m/s^2")

    def hand(self, dialog: Dialog) -> Finding:
        """Wait for a hand."""
        self._run(0.5)
        before = self._number("ps0")
        dialog.say(
            f"Hold a hand 2 cm before the sensor at the front, right of the middle, within {HAND_S:.0f} s."
        )
        end = time.monotonic() + HAND_S
        while time.monotonic() < end and self._number("ps0") < before + NEAR:
            self.step()
        after = self._number("ps0")
        return Finding(PASSED if after >= before + NEAR else DIFFERS, f"ps0 from {before:.0f} to {after:.0f}")

    def led(self, dialog: Dialog) -> Finding:
        """Switch an LED on and off."""
        self._robot.set(self._tag("led0"), "value", 1)
        self._run(0.2)
        finding = confirmed(dialog, "Is the front LED of the ring on?")
        self._robot.set(self._tag("led0"), "value", 0)
        self._run(0.2)
        return finding

    def wheels(self, dialog: Dialog) -> Finding:
        """Turn the wheels one after the other, and compare their counters."""
        dialog.say("Lift the robot. The left wheel turns forward, then the right one.")
        texts, is_right = [], True
        for wheel, side in zip(_WHEELS, ("left", "right"), strict=True):
            self._run(0.2)
            before = self._number(f"{side} wheel sensor")
            expected = SPEED * self._turn({wheel: SPEED}, SECONDS)
            turned = self._number(f"{side} wheel sensor") - before
            is_right = is_right and abs(turned - expected) < TOLERANCE * expected + SLACK
            texts.append(f"{side} {turned:.2f} rad of {expected:.2f}")
        finding = confirmed(dialog, "Did the left wheel turn forward, then the right one?", ", ".join(texts))
        return finding if is_right else finding._replace(result=DIFFERS)

    def killed(self, dialog: Dialog) -> Finding:
        """Kill the process that drives the robot."""
        dialog.say("Both wheels turn; then the program that drives them is killed.")
        self._turn(dict.fromkeys(_WHEELS, SPEED), SECONDS, stops=False)
        self._robot.kill()
        start = time.monotonic()
        self.step()
        seconds = time.monotonic() - start
        return confirmed(dialog, "Did both wheels stop by themselves?", f"stopped after {seconds:.2f} s")

    def _tag(self, name: str) -> int:
        entry = self._table.find(name)
        assert entry is not None, "the table has it"
        return entry.tag

    def _number(self, name: str) -> float:
        value = self._readings.get(name)
        return float(value) if isinstance(value, (int, float)) else math.nan

    def _run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def _turn(self, speeds: dict[str, float], seconds: float, stops: bool = True) -> float:
        """Turn wheels for about a time; return how long they have turned, in s."""
        start = time.monotonic()
        for name, speed in speeds.items():
            self._robot.set(self._tag(name), "position", math.inf)
            self._robot.set(self._tag(name), "velocity", speed)
        self._run(seconds)
        turned = time.monotonic() - start
        if stops:
            self._robot.stop()
            self._run(0.3)
        return turned
