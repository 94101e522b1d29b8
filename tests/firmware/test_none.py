"""None for a text, packet or polygon on a board with Python is an exception or a message, never silence.

The judge is the text that the board prints. A text and a packet name the function; the others are told by
the traceback of the exception.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.firmware.onboard import text_of
from tests.firmware.test_null import DEVICES
from tests.firmware.wired import mapped, table_of
from wbridge.wbfirmware.building.build import build

MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "host-python"
flavor = "standalone"
controller = "code.py"
[link]
table = false
[devices.display]
driver = "ssd1306"
sda = "GP4"
scl = "GP5"
[devices.emitter]
driver = "serial_emitter"
tx = "GP0"
"""
CALLS = {
    "robot.getDevice(None)": 'wbridge: device "None" not found',
    "emitter.send(None)": "TypeError: send() called with None",
    "display.drawText(None, 1, 1)": "TypeError: draw_text() called with None",
    "display.drawPolygon(None, [1])": "TypeError: ",
    "display.fillPolygon([1], None)": "TypeError: ",
    "display.setColor(None)": "TypeError: ",
    "display.drawLine(None, 1, 1, 1)": "TypeError: ",
}
"""The calls, with what they say first."""
CODE = """from controller import Robot
robot = Robot()
robot.step(16)
display, emitter = robot.getDevice("display"), robot.getDevice("emitter")
for call in CALLS:
    print("@" + call)
    try:
        eval(call)
    except Exception as problem:
        print(type(problem).__name__ + ": " + str(problem))
robot.step(16)
print("@end")
"""


def test_none_is_told(tmp_path: Path):
    (tmp_path / "code.py").write_text(CODE.replace("CALLS", repr(list(CALLS))))
    text = text_of(build(mapped(tmp_path, MAP, table_of(DEVICES)), tmp_path / "firmware"), 100)
    said = dict(re.findall(r"^@(.+)\n(?!@)(.*)$", text, re.M))
    assert "@end\n" in text
    assert set(said) >= set(CALLS)
    assert {call for call, start in CALLS.items() if not said[call].startswith(start)} == set()
