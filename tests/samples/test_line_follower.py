"""The line follower completes laps, on our course and on that of another project."""

from __future__ import annotations

import math
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation

STRAIGHT, RADIUS = 0.3, 0.44
"""Of the course: half a straight side (m), and the half circles at its ends."""


class Watch:
    """Follows a robot around the course.

    Args:
        along: the axis (0: x, 1: y) of the straight sides.
    """

    def __init__(self, along: int = 0) -> None:
        self.along = along
        self.turned = 0.0
        self.farthest = 0.0
        self._last: float | None = None

    def __call__(self, simulation: Simulation) -> None:
        place = simulation.node("E_PUCK").translation
        a, b = float(place[self.along]), float(place[1 - self.along])
        beside = math.hypot(max(0.0, abs(a) - STRAIGHT), b) - RADIUS
        self.farthest = max(self.farthest, abs(beside))
        angle = math.atan2(b, a)
        if self._last is not None:
            self.turned += (angle - self._last + math.pi) % (2 * math.pi) - math.pi
        self._last = angle

    @property
    def laps(self) -> float:
        """How often it has been around."""
        return abs(self.turned) / (2 * math.pi)


def test_it_completes_laps_and_stays_on_the_line():
    watch = Watch()
    done = run("line_following", 90, watch)
    assert done.outcome.reason == "reached the requested time"
    assert watch.laps > 2
    assert watch.farthest < 0.005


def test_it_finds_the_line_again_beside_which_it_starts(tmp_path: Path):
    text = (CHECKOUT / "worlds" / "line_following.wbt").read_text(encoding="utf-8")
    (tmp_path / "worlds").mkdir()
    for name in ("controllers", "protos", "worlds/textures"):
        (tmp_path / name).symlink_to(CHECKOUT / name)
    path = tmp_path / "worlds" / "beside.wbt"
    path.write_text(text.replace("translation 0 0.44 0", "translation 0 0.425 0"), encoding="utf-8")
    watch = Watch()
    run(path, 45, watch)
    assert watch.laps > 0.9
