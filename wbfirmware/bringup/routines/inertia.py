"""An accelerometer or gyro: known poses or turns tell how the chip is mounted."""

from __future__ import annotations

import time

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 3
AXES = "xyz"
POSES = {
    "z": "Put the robot on level ground",
    "x": "Hold the robot with its front straight up",
    "y": "Hold the robot with its left side straight up",
}
"""What makes an accelerometer read a positive value on an axis: forward is x, left is y, up is z."""
TURNS = {
    "z": "Turn the robot to the left, about a quarter turn",
    "x": "Tilt the robot to its right, about a quarter turn",
    "y": "Tip the front of the robot down, about a quarter turn",
}
"""The same for a gyro."""
CLEAR = 0.7
"""Part of a reading that must be on one axis."""
TURN_S, LEAST_TURN = 4.0, 0.3
"""Time for a turn, in s; smallest turn, in rad."""


def run(test: DeviceTest) -> str:
    """Find the axes from three poses or turns."""
    is_gyro = "Gyro" in test.device.type
    test.robot.enable(test.device)
    test.robot.run(0.5)
    if test.reading("values") is None:
        return test.failed("it does not answer: check its pins, its supply and its address")
    test.dialog.say("Its x axis is taken as forward, y as left and z as up, as it is usual in worlds.")
    axes: dict[str, str] = {}
    for axis, text in (TURNS if is_gyro else POSES).items():
        read = _turn(test, text) if is_gyro else _pose(test, text)
        place = max(range(3), key=lambda k: abs(read[k]))
        if abs(read[place]) < CLEAR * sum(number * number for number in read) ** 0.5 or (
            is_gyro and abs(read[place]) < LEAST_TURN
        ):
            return test.failed(f"its reading {_shown(read)} is not along one axis; try again")
        axes[axis] = ("-" if read[place] < 0 else "") + AXES[place]
    if sorted(axis[-1] for axis in axes.values()) != list(AXES):
        return test.failed("two motions read on the same axis; try again")
    return _correct(test, axes)


def _correct(test: DeviceTest, found: dict[str, str]) -> str:
    """Write the axes, if they differ from those of the map."""
    present: list[str] = test.value("axes")
    axes = [_composed(present, found[axis]) for axis in AXES]
    if axes == present:
        return test.done()
    if not test.yes(f"Write axes = {axes}?"):
        return test.failed(f"its axes are {axes}")
    test.change("axes", axes)
    return test.done()


def _composed(present: list[str], axis: str) -> str:
    """Return the chip's axis that the map's axes show as `axis`."""
    chip = present[AXES.index(axis[-1])]
    is_negative = chip.startswith("-") != axis.startswith("-")
    return ("-" if is_negative else "") + chip[-1]


def _pose(test: DeviceTest, text: str) -> list[float]:
    test.dialog.ask(
        f"{text}, hold it still and press Enter.", {"": "Enter"}, lambda: _shown(test.reading("values"))
    )
    return [float(number) for number in test.reading("values")]


def _turn(test: DeviceTest, text: str) -> list[float]:
    """Return the turn about each axis, in rad."""
    test.dialog.ask(f"{text}. You have {TURN_S:g} s after you press Enter.", {"": "Enter"})
    total, end, last = [0.0, 0.0, 0.0], time.monotonic() + TURN_S, test.robot.time_ms
    while time.monotonic() < end:
        test.robot.step()
        span, last = (test.robot.time_ms - last) / 1000, test.robot.time_ms
        total = [angle + span * rate for angle, rate in zip(total, test.reading("values"), strict=True)]
    return total


def _shown(values: list[float]) -> str:
    return " ".join(f"{value:+.2f}" for value in values)
