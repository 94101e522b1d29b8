"""A stepper motor: it makes a full turn."""

from __future__ import annotations

import math

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 2
SECONDS = 8.0
"""Time for a turn, in s."""
WAYS = {"f": "forward", "b": "backward", "n": "not at all", "r": "repeat"}
TOLERANCE = 0.02
"""Error of a turn that is not corrected: eyes see no better."""
LINEAR = 0.05
"""The motion of a linear motor, in m."""


def run(test: DeviceTest) -> str:
    """Ask which way the motor turns, and how far."""
    motion = LINEAR if test.unit == "m" else 2 * math.pi
    answer, place = "r", 0.0
    while answer == "r":
        place += motion
        test.dialog.say(f"It moves by {motion:.4g} {test.unit} within {SECONDS:g} s.")
        test.robot.set(test.device, "velocity", motion / SECONDS)
        test.robot.set(test.device, "position", place)
        test.robot.run(SECONDS + 0.5)
        answer = test.dialog.ask("Which way did it move?", WAYS)
    if answer == "n":
        return test.failed("it does not move: check its supply, its pins, and their order")
    if answer == "b":
        test.change("inverted", not test.value("inverted"))
    unit = "m" if test.unit == "m" else "turns"
    wanted = LINEAR if test.unit == "m" else 1.0
    distance = test.dialog.number(f"How far did it move, in {unit} (Enter: {wanted:g})?")
    if distance and abs(distance / wanted - 1) > TOLERANCE:
        test.change("steps", float(f"{test.value('steps') * wanted / distance:.5g}"))
    return test.done()
