"""The 3D view of a running simulation in a real browser."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from tests.windows.browser import ROOT, run
from tests.windows.visit import Visit, picture, until
from wbcore.simulation import Simulation

pytestmark = pytest.mark.browser
READY = "document.documentElement.dataset.ready"


def shot(page: object) -> np.ndarray:
    data = page.locator(".stage").screenshot()  # type: ignore[attr-defined]
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float)


def test_the_view_shows_what_the_renderer_draws(visit: Visit):
    """Judge: the picture of the same Viewpoint by the renderer of cameras."""
    world = ROOT / "worlds" / "epuck_arena.wbt"
    with run(world, "--mode", "realtime", "--no-controllers") as on:
        page = visit.open(on.url.replace("/?", "/pages/view.html?"))
        until(page, READY)
        page.locator("#play").click()
        until(page, "window.page.run.mode === 0")
        page.wait_for_timeout(300)
        page.evaluate("document.querySelector('.view-tools').hidden = true")
        seen = shot(page)
        picture(page, "view")
    height, width = seen.shape[:2]
    drawn = Simulation(world).main_view.picture((width, height))[..., 2::-1].astype(float)
    assert np.abs(seen - drawn).mean() < 4  # of 255


def test_the_view_follows_the_run(visit: Visit):
    with run(ROOT / "worlds" / "epuck_arena.wbt", "--mode", "realtime") as on:
        page = visit.open(on.url.replace("/?", "/pages/view.html?"))
        until(page, READY)
        before = page.evaluate("Array.from(window.page.world.between.next.poses)")
        until(page, f"window.page.run.time > {page.evaluate('window.page.run.time')} + 1")
        after = page.evaluate("Array.from(window.page.world.between.next.poses)")
        assert np.abs(np.subtract(after, before)).max() > 0.01
        page.locator(".menu > summary", has_text="View").click()
        page.locator("#follow").select_option("+e-puck")
        until(page, "window.page.world.view.chosen && window.page.world.view.following.body != null")
