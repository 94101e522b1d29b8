"""A sensor with a value proportional to its voltage: two known values calibrate it."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 3
TOLERANCE = 0.02
"""Error relative to the sensor's range that is not corrected."""
DIGITS = 4


def run(test: DeviceTest) -> str:
    """Compare two values, and write the ends of the range."""
    (channel,) = (
        channel.name for channel in test.device.channels if channel.name in test.wiring.driver.channels
    )
    test.robot.enable(test.device)
    test.robot.run(0.3)
    if test.reading(channel) is None:
        return test.failed("it has no value")
    points: list[tuple[float, float]] = []
    for which in ("a small", "a large"):
        true = test.dialog.number(
            f"Bring it to {which} value and enter what it should read (Enter: do not calibrate)",
            lambda: f"{test.reading(channel):.5g}",
        )
        if true is None:
            return _seen(test)
        read = test.mean(channel)
        if read is not None:
            points.append((read, true))
    return _correct(test, points)


def _seen(test: DeviceTest) -> str:
    """Return the result without known values."""
    return (
        test.done()
        if test.yes("Do its values change as they should?")
        else test.failed("its values are wrong")
    )


def _correct(test: DeviceTest, points: list[tuple[float, float]]) -> str:
    low, high = test.value("low"), test.value("high")
    shares = [(read - low) / (high - low) for read, _ in points]
    if abs(shares[0] - shares[-1]) < TOLERANCE:
        return test.failed(f"its voltage does not change: check {test.value('pin')} and its supply")
    slope = (points[1][1] - points[0][1]) / (shares[1] - shares[0])
    ends = [points[0][1] - slope * shares[0], points[0][1] + slope * (1 - shares[0])]
    if all(abs(read - true) <= TOLERANCE * abs(high - low) for read, true in points):
        return test.done()
    places = [float(f"{end:.{DIGITS}g}") for end in ends]
    if not test.yes(f"Write low = {places[0]:g} and high = {places[1]:g}?"):
        return test.failed("its values are wrong")
    test.change("low", places[0])
    test.change("high", places[1])
    return test.done()
