"""Names from a world that contain control characters, in messages of controllers in C and in Python.

Judge: ECMA-48 (control sequences), UAX #9 (marks of direction); both languages print the same.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.peers.serving import serve
from wbridge.libcontroller.compiling import compile_controller
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

NAME = "x\x1b]0;owned\x07\x1b[2J\t\u009b1m\u202e\u2066\u200b\ufeffä"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\t\x9b1m\u202e\u2066\u200b\ufeff" + "ä"
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "r" controller "<extern>" children [ DistanceSensor { name "%s" } ] }
"""
IN_C = """
#include <webots/device.h>
#include <webots/motor.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  wb_robot_get_device(wb_device_get_name(wb_robot_get_device_by_index(0)) + 1);
  return 0;
}
"""
IN_PYTHON = """
from wbridge.hal import api
api.wb_robot_init()
api.wb_robot_get_device(api.wb_device_get_name(api.wb_robot_get_device_by_index(0))[1:])
"""


def test_messages_show_control_characters_as_escapes(c_home: Path, tmp_path: Path):
    folder = tmp_path / "short"
    folder.mkdir()
    (folder / "short.c").write_text(IN_C)
    (folder / "short.py").write_text(IN_PYTHON)
    commands = [[str(compile_controller(folder))], [sys.executable, str(folder / "short.py")]]
    printed = []
    for command in commands:
        with serve(Simulation(load_text(WORLD % NAME)), "R2025a") as port:
            environment = {"USER": "default", **os.environ, "PYTHONPATH": str(CHECKOUT)}
            environment["WEBOTS_CONTROLLER_URL"] = f"ipc://{port}/r"
            done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
        printed.append(done.stderr.decode().partition(" (short.py")[0].rstrip("\n"))
    assert SHOWN in printed[0]
    assert printed[0].isprintable()
    assert printed[0] == printed[1]
