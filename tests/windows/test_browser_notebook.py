"""A simulation in a cell of a notebook, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import ROOT
from tests.windows.visit import Visit, until
from wbridge.wbcore.simulation import Simulation

pytestmark = pytest.mark.browser
BALL = ROOT / "worlds" / "ball_on_a_ramp.wbt"


def test_a_browser_shows_it(visit: Visit, tmp_path: Path):
    file = tmp_path / "cell.html"
    view: Any = Simulation(BALL).view(1.0)
    file.write_text(f"<!doctype html><title>cell</title>{view._repr_html_()}")
    page = visit.open(file.as_uri())
    frame = page.frames[1]
    until(frame, "document.documentElement.dataset.ready")
    frame.get_by_role("button", name="Play").click()
    until(frame, "window.recording.player.time > 0.5")
    assert frame.locator(".stage canvas").bounding_box()["height"] > 200
