"""Ten minutes of twenty robots on the time line: its memory, and the bits of all moments and of a branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import STEP_MS, Project
from tests.windows.test_time_line import Run
from wbridge.wbcore.scene.webots_models import declared_url
from wbridge.wbcore.windows.allowed import NOTHING
from wbridge.wbcore.windows.checkpoints import Checkpoints

pytestmark = pytest.mark.slow
HEADER = "#VRML_SIM R2025a utf8\n" + "".join(
    f'EXTERNPROTO "{declared_url(name)}"\n' for name in ("E-puck", "RectangleArena")
)
ROBOTS, MINUTES = 20, 10
STEPS = MINUTES * 60_000 // STEP_MS
SECOND = 1000 // STEP_MS + 1
"""Steps until a checkpoint is due again."""
MOST_MB = 200
AVOID = """
from controller import Robot
robot = Robot()
left, right = robot.getDevice("left wheel motor"), robot.getDevice("right wheel motor")
for motor in (left, right):
    motor.setPosition(float("inf"))
front = [robot.getDevice(name) for name in ("ps0", "ps1", "ps6", "ps7")]
for sensor in front:
    sensor.enable(16)
while robot.step(16) != -1:
    left.setVelocity(4.0)
    right.setVelocity(4.0 if max(sensor.getValue() for sensor in front) < 100 else -3.0)
"""


def swarm() -> str:
    return "RectangleArena { floorSize 3 3 }\n" + "".join(
        f"E-puck {{ translation {-1 + 0.5 * (k % 5)} {-0.9 + 0.6 * (k // 5)} 0 "
        f'rotation 0 0 1 {k} name "e{k}" controller "avoid" }}\n'
        for k in range(ROBOTS)
    )


def test_ten_minutes_of_twenty_robots(project: Project, tmp_path: Path):
    """Judge: hashes that the run itself had at these moments, before anybody went back."""
    project.write(swarm(), header=HEADER, avoid=AVOID)
    (tmp_path / "scene").mkdir()
    page = Run(project.runner(None, inline=True), tmp_path / "scene", NOTHING)
    scene = page.handler.scene_handler
    assert scene is not None
    scene.time_line.checkpoints = Checkpoints(lambda: 0.0)  # none is too expensive
    page.message("timeLine")  # somebody looks
    page.go(1)
    hashes = {page.runner.simulation.time: page.hash}
    for _ in range(STEPS // SECOND):
        page.go(SECOND)
        hashes[page.runner.simulation.time] = page.hash
    line = scene.time_line
    assert line.checkpoints.size + line.logs.size < MOST_MB * 1_000_000
    for wanted in sorted(hashes)[:: len(hashes) // 20]:
        assert page.answer("look", moment=wanted) == ""
        assert page.message("timeLine")["looking"] == wanted
        assert page.hash == hashes[wanted]
    for share in (0.99, 0.5):
        moment = sorted(hashes)[int(len(hashes) * share)]
        before = page.runner.steps
        page.branch(round(moment * 1000 / STEP_MS))
        assert page.hash == hashes[moment]
        assert page.message("timeLine")["note"] == "" and page.runner.steps - before <= SECOND
    page.runner.close()
