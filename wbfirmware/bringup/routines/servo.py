"""A servo: it moves slowly to both sides."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 2
SHARE, SECONDS = 0.3, 2.0
"""Part of the range to each side of the middle; time for a motion, in s."""
WAYS = {"p": "to positive positions", "o": "the opposite way", "n": "not at all", "r": "repeat"}


def run(test: DeviceTest) -> str:
    """Ask which way the servo moves."""
    low, high = test.value("low"), test.value("high")
    middle, reach = (low + high) / 2, SHARE * (high - low)
    answer = "r"
    while answer == "r":
        test.dialog.say(f"It moves from {middle - reach:.3g} to {middle + reach:.3g} {test.unit}.")
        test.robot.set(test.device, "velocity", 2 * reach / SECONDS)
        for place in (middle - reach, middle + reach):
            test.robot.set(test.device, "position", place)
            test.robot.run(SECONDS + 0.5)
        answer = test.dialog.ask("Which way did the second motion go?", WAYS)
    if answer == "n":
        return test.failed(f"it does not move: check {test.value('pin')} and its supply")
    if answer == "o":
        test.swap("low_pulse", "high_pulse")
    return test.done()
