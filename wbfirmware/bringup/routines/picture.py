"""Displays: the firmware for the test shows a frame along the edges, and a square at the upper left."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest

ORDER = 1
PLACES = {"u": "upper left", "l": "lower right", "o": "elsewhere"}


def run(test: DeviceTest) -> str:
    """Ask whether the display shows the picture, and which way up."""
    test.robot.run(1.0)
    if not test.yes("Does the display show a frame along all of its edges?"):
        other = 0x3C + 0x3D - test.value("address")
        return test.failed(
            "no frame: check its supply, the wires SDA and SCL, its number of rows, and whether its address "
            f"is {other:#x} instead of {test.value('address'):#x}"
        )
    place = test.dialog.ask("In which corner is the filled square?", PLACES)
    if place == "l":
        test.change("upside_down", not test.value("upside_down"))
    elif place == "o":
        return test.failed("the picture is mirrored: this is no module with an SSD1306")
    return test.done()
