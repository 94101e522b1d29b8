"""An encoder: the user turns the axis by hand."""

from __future__ import annotations

import math

from wbridge.wbfirmware.bringup.device_test import SETTLING, DeviceTest

ORDER = 1
LEAST = 0.05
"""Smallest part of a turn (or m) that counts as a motion."""
TOLERANCE = 0.02
"""Relative error of counts that is not corrected: a hand turns no better."""


def run(test: DeviceTest) -> str:
    """Compare a turn by hand with the reading: its sign and its size."""
    is_linear = test.unit == "m"
    test.robot.enable(test.device)
    test.robot.run(0.3)
    start = test.reading("position")
    if start is None:
        return test.failed("it has no value: is it connected and supplied?")
    motion = "move it forward by 0.1 m" if is_linear else "turn the axis forward by one full turn"

    def live() -> str:
        return f"{test.reading('position') - start:+.3f} {test.unit}"

    test.dialog.ask(
        f"By hand, {motion}, the way that it moves at a positive velocity, then press Enter.",
        {"": "Enter"},
        live,
    )
    test.robot.run(SETTLING)
    read, wanted = float(test.reading("position")) - start, 0.1 if is_linear else 2 * math.pi
    if abs(read) < LEAST * wanted:
        return test.failed(f"it does not count: check {test.value('a')}, {test.value('b')} and its supply")
    if read < 0:
        test.dialog.say("It counts backward: its tracks are exchanged.")
        test.swap("a", "b")
    counts = float(round(test.value("counts") * abs(read) / wanted, 0 if not is_linear else 1))
    ratio = abs(read) / wanted
    if abs(ratio - 1) > TOLERANCE and test.yes(
        f"It read {abs(read):.3f} {test.unit} in place of {wanted:.3f}: write counts = {counts:g}?"
    ):
        test.change("counts", counts)
    test.factors[test.device.name] = math.copysign(1 / ratio if "counts" in _names(test) else 1.0, read)
    return test.done()


def _names(test: DeviceTest) -> set[str]:
    return {keys[-1] for keys in test.changes}
