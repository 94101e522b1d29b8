"""Any other device: its values are shown."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import SKIPPED, DeviceTest

ORDER = 4


def run(test: DeviceTest) -> str:
    """Show the values and ask whether they are right."""
    sensed = [
        channel
        for channel in test.device.channels
        if channel.direction == "sense" and channel.name in test.wiring.driver.channels
    ]
    if not sensed:
        test.dialog.say("This test does not cover it.")
        return SKIPPED
    test.robot.enable(test.device)
    test.robot.run(0.5)

    def live() -> str:
        return ", ".join(_shown(test.reading(channel.name)) for channel in sensed)

    if test.yes("Move it or the robot. Are its values right?", live):
        return test.done()
    return test.failed("its values are wrong")


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(_shown(number) for number in value)
    return f"{value:.4g}" if isinstance(value, (int, float)) else "no value"
