"""Calls of clocks in controllers in Python. Judge: the Python documentation of `time` and `datetime`."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.wbcore.controllers.clock_calls import clock_call


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import time\ntime.sleep(1)", "time.sleep"),
        ("import time as t\nt.monotonic()", "time.monotonic"),
        ("from time import perf_counter as now\nnow()", "time.perf_counter"),
        ("import datetime\ndatetime.datetime.now()", "datetime.datetime.now"),
        ("from datetime import datetime\ndatetime.utcnow()", "datetime.datetime.utcnow"),
    ],
)
def test_a_call_is_found_with_its_place(tmp_path: Path, text: str, name: str):
    (tmp_path / "a.py").write_text(text)
    assert clock_call(tmp_path / "a.py") == f"{name}() in a.py, line 2"


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.strftime('%H')",
        "robot.time.sleep()",
        "def sleep(s): pass\nsleep(1)",
        "from controller import Robot\nRobot().getTime()",
        "this is no Python",
        "import a, b",
    ],
)
def test_others_are_none(tmp_path: Path, text: str):
    (tmp_path / "a.py").write_text(text)
    assert clock_call(tmp_path / "a.py") == ""


def test_modules_beside_the_controller_are_looked_at(tmp_path: Path):
    (tmp_path / "a.py").write_text("import helper")
    (tmp_path / "helper.py").write_text("import a\nfrom time import time\n\nSTART = time()")
    assert clock_call(tmp_path / "a.py") == "time.time() in helper.py, line 4"
