"""The 3D view of a running simulation in a real browser."""

from __future__ import annotations

import numpy as np
import pytest

from tests.windows.browser import ROOT, run
from tests.windows.visit import Visit, until

pytestmark = pytest.mark.browser
READY = "document.documentElement.dataset.ready"


def test_the_view_follows_the_run(visit: Visit):
    with run(ROOT / "worlds" / "epuck_arena.wbt", "--mode", "realtime") as on:
        page = visit.open(on.url)
        until(page, READY)
        before = page.evaluate("Array.from(window.page.world.between.next.poses)")
        until(page, f"window.page.source.run.time > {page.evaluate('window.page.source.run.time')} + 1")
        after = page.evaluate("Array.from(window.page.world.between.next.poses)")
        assert np.abs(np.subtract(after, before)).max() > 0.01
        page.locator(".menu > summary", has_text="View").click()
        page.locator("#follow").select_option("+e-puck")
        until(page, "window.page.world.view.chosen && window.page.world.view.following.body != null")
