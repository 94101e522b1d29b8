"""A distance sensor: the user holds an object at known distances."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest
from wbridge.wbfirmware.map.curves import backward, lookup

ORDER = 3
TOLERANCE, LEAST = 0.05, 0.01
"""Relative error and error in m that are not corrected."""
MOST_POINTS = 20


def run(test: DeviceTest) -> str:
    """Compare distances, and write the curve of the sensor."""
    test.robot.enable(test.device)
    test.robot.run(0.5)
    if test.reading("value") is None:
        return test.failed("it has no value: is it connected and supplied?")
    table = lookup(test.device.constants)

    def live() -> str:
        return f"{backward(table, float(test.reading('value'))):.3f} m (value {test.reading('value'):.4g})"

    points: list[tuple[float, float]] = []
    test.dialog.say("Hold a flat object in front of it and enter the distance in m, from near to far.")
    while len(points) < MOST_POINTS:
        true = test.dialog.number("True distance in m (Enter: no more)", live)
        if true is None:
            break
        read = test.mean("value")
        if read is not None:
            points.append((backward(table, read), true))
            test.dialog.say(f"  {true:g} m reads {points[-1][0]:.3f} m")
    if not points:
        return test.failed("no distance was compared")
    if all(abs(read - true) <= max(LEAST, TOLERANCE * true) for read, true in points):
        return test.done()
    return _correct(test, points)


def _correct(test: DeviceTest, points: list[tuple[float, float]]) -> str:
    """Write the volts of the readings with the true distances as the curve."""
    if "curve" not in test.wiring.values:
        return test.failed("it measures wrong distances, and its driver has nothing to calibrate")
    curve = test.value("curve")
    ends = {row[1] for row in (curve[0], curve[-1])}
    if any(min(abs(read - end) for end in ends) < 1e-6 for read, _ in points):
        test.dialog.say(
            "Readings at an end of the present curve say nothing about the volts; they are left out."
        )
    rows = sorted(
        [round(backward(curve, read), 3), true]
        for read, true in points
        if min(abs(read - end) for end in ends) >= 1e-6
    )
    if len(rows) < 2 or any(row[0] >= other[0] for row, other in zip(rows, rows[1:], strict=False)):
        return test.failed("its readings do not follow the distance; check its pin, and try more distances")
    text = ", ".join(f"{volts:g} V: {meters:g} m" for volts, meters in rows)
    if not test.yes(f"Write the curve {text}?"):
        return test.failed("it measures wrong distances")
    test.change("curve", rows)
    return test.done()
