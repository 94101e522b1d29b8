"""The programs in docs/python-api.md run."""

from __future__ import annotations

import re

import pytest

from tests.local_packets import LocalLink
from tests.project.files import CHECKOUT
from wbridge.hal.client import native, session
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import Image

PROGRAMS = re.findall(r"```python\n(.*?)```", (CHECKOUT / "docs" / "python-api.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["objects", "functions", "ranges", "loopback"])
def test_the_programs_run(program: str, capsys: pytest.CaptureFixture[str]):
    lidar = Peer("Lidar", "lidar", {"layers": 2, "horizontal_resolution": 3.0})
    peers = [Peer("DistanceSensor", "ds"), Peer("RotationalMotor", "left motor"), lidar]
    world = Loopback(peers, tcp=True)
    world.quit_at = 0.1
    world.before_answer = lambda loop: loop.images.append(Image(3, 0, bytes(6 * (4 + 20))))
    native.attach(LocalLink(world, tcp=True))
    exec(compile(program, "docs/python-api.md", "exec"), {})
    session.cleanup()
    assert "Error" not in capsys.readouterr().err
