"""A switch: the user presses it."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 3
ENTER = {"": "Enter"}


def run(test: DeviceTest) -> str:
    """Compare the values of the released and the pressed switch."""
    test.robot.enable(test.device)
    test.robot.run(0.3)

    def live() -> str:
        return "closed" if test.reading("value") else "open"

    test.dialog.ask("Release the switch, then press Enter.", ENTER, live)
    released = bool(test.reading("value"))
    test.dialog.ask("Hold the switch pressed, then press Enter.", ENTER, live)
    pressed = bool(test.reading("value"))
    if released == pressed:
        return test.failed(f"it does not change: check {test.value('pin')} and ground or supply")
    if released:
        test.change("inverted", not test.value("inverted"))
    return test.done()
