"""An LED: it is switched on and off."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 0
BLINKS, BLINK = 3, 0.3
"""How often it blinks, and for how many seconds."""


def run(test: DeviceTest) -> str:
    """Ask whether the LED blinks and whether it is on when it should be."""
    colors = test.device.constants.get("color") or []
    on = 0xFFFFFF if test.device.constants.get("gradual") and len(colors) != 1 else 1
    on = 255 if test.device.constants.get("gradual") and len(colors) == 1 else on
    test.dialog.say(f"It blinks {BLINKS} times.")
    for k in range(2 * BLINKS):
        test.robot.set(test.device, "value", on if k % 2 == 0 else 0)
        test.robot.run(BLINK)
    test.robot.set(test.device, "value", on)
    test.robot.run(BLINK)
    is_on = test.yes("Is it on now?")
    test.robot.set(test.device, "value", 0)
    test.robot.run(BLINK)
    is_off = not test.yes("And now, is it on?")
    if is_on and is_off:
        return test.done()
    if is_on or is_off:
        return test.failed("it does not change: check its pins, its resistor, and which way round it is")
    test.change("inverted", not test.value("inverted"))
    return test.done()
