"""The programs in docs/python-api.md run."""

from __future__ import annotations

import re

import pytest

from hal.modes import session
from hal.protocol.loopback import Loopback, Peer
from tests.project.files import CHECKOUT

PROGRAMS = re.findall(r"```python\n(.*?)```", (CHECKOUT / "docs" / "python-api.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["objects", "functions", "loopback"])
def test_the_programs_run(program: str, capsys: pytest.CaptureFixture[str]):
    world = Loopback([Peer("DistanceSensor", "ds"), Peer("RotationalMotor", "left motor")])
    world.quit_at = 0.1
    session.attach(world)
    exec(compile(program, "docs/python-api.md", "exec"), {})
    session.activate(None)
    assert "Error" not in capsys.readouterr().err
