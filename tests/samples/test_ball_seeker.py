"""The ball seeker finds the red ball, and only that one."""

from __future__ import annotations

import math

import pytest

from tests.samples.runs import run

pytest.importorskip("cv2", reason="OpenCV is not installed")

RED = (-0.45, 0.35)


def test_the_robot_stops_before_the_red_ball():
    """Judge: the positions in the world file; the ball's radius is 4 cm, the robot's 3.7 cm."""
    done = run("ball_seeker", 40)
    assert done.outcome.reason == "all controllers have ended"
    robot = done.simulation.world.find("SEEKER")
    assert robot is not None
    x, y, _ = done.simulation.physics.pose(robot).position
    assert 0.07 < math.hypot(x - RED[0], y - RED[1]) < 0.3
    assert any(line.startswith("found the red ball") for line in done.lines)
