"""The keyboard of the pages in a real browser.

Judge: manual, chapter on the keyboard (modifiers, at most 7 keys); WbRobot.cpp and Qt's table of keys for the
codes of keys without a character.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import run
from tests.windows.visit import Visit, generic, until

pytestmark = pytest.mark.browser
TYPIST = """
from controller import Robot
robot = Robot()
keyboard = robot.getKeyboard()
keyboard.enable(16)
while robot.step(16) != -1:
    keys = []
    while (key := keyboard.getKey()) != -1:
        keys.append(str(key))
    robot.setCustomData(' '.join(keys))
"""
SHIFT, CONTROL, ALT = 0x10000, 0x20000, 0x40000
KEYS = {
    "Enter": 4, "NumpadEnter": 5, "Tab": 1, "Shift+Tab": 2 | SHIFT, "Backspace": 3, "Escape": 27, "Insert": 6,
    "Delete": 7, "F1": 48, "F5": 52, "F12": 59, "Home": 313, "PageDown": 367, "ArrowUp": 315,
    "Numpad7": 375, "Numpad4": 376, "Numpad8": 377, "Numpad6": 378, "Numpad2": 379, "Numpad1": 382,
    " ": 32,
    "Control+r": CONTROL | 82, "Control+w": CONTROL | 87, "Control+Shift+f": CONTROL | SHIFT | 70,
    "Control+t": CONTROL | 84, "Control+Enter": CONTROL | 4, "Alt+a": ALT | 65, "Shift+A": SHIFT | 65,
}  # fmt: skip


def shows(page: Any, codes: str) -> None:
    until(page, f"window.page.now.customData === '{codes}'")


def test_all_kinds_of_keys_reach_the_controller(visit: Visit, tmp_path: Path):
    world = Project(tmp_path / "project").write(robot("a", "typist"), typist=TYPIST)
    with run(world, "--mode", "realtime") as on:
        page = generic(visit, on, "a")
        page.check("#keys")
        for keys, code in KEYS.items():
            names = keys.split("+")
            for one in names:
                page.keyboard.down(one)
            shows(page, str(code))
            for one in reversed(names):
                page.keyboard.up(one)
            shows(page, "")
        for one in "qweasdyx":
            page.keyboard.down(one)
        shows(page, " ".join(str(ord(one)) for one in "QWEASDY"))
        page.evaluate("window.dispatchEvent(new Event('blur'))")
        shows(page, "")
        page.keyboard.press("Shift+Escape")
        until(page, "!document.querySelector('#keys').checked")
        assert page.evaluate("document.activeElement.id") == "keys", "the way out without a mouse"
