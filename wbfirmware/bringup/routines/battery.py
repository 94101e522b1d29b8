"""A battery's voltage at a divider: a multimeter calibrates it."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest
from wbridge.wbfirmware.map.curves import backward

ORDER = 3
TOLERANCE = 0.02
"""Relative error that is not corrected."""


def run(test: DeviceTest) -> str:
    """Compare the voltage with that of a multimeter."""
    test.robot.enable(test.device)
    test.robot.run(0.5)
    curve = test.value("curve")
    if test.reading("battery") is None:
        return test.failed("it has no value: is it connected?")

    def live() -> str:
        return f"{backward(curve, float(test.reading('battery'))):.2f} V"

    true = test.dialog.number("Measure the battery with a multimeter and enter its voltage in V", live)
    read = test.mean("battery")
    if true is None or read is None:
        return test.failed("no voltage was compared")
    volts = backward(curve, read)
    if abs(volts - true) <= TOLERANCE * true:
        return test.done()
    if "ratio" not in test.wiring.values or volts <= 0:
        return test.failed(f"it reads {volts:.2f} V, and its driver has nothing to calibrate")
    if read in (curve[0][1], curve[-1][1]):
        return test.failed("its reading is at an end of its curve; extend the curve, then test again")
    ratio = float(f"{test.value('ratio') * true / volts:.4g}")
    if not test.yes(f"It reads {volts:.2f} V: write ratio = {ratio:g}?"):
        return test.failed(f"it reads {volts:.2f} V")
    test.change("ratio", ratio)
    return test.done()
