"""Changes of the world by a supervisor, as the 3D view shows them in a real browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.windows.browser import run
from tests.windows.test_browser_worlds import SIZE, seen, start_paused
from tests.windows.visit import Visit, until

pytestmark = pytest.mark.browser
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Viewpoint { position -3 0 1 orientation 0 1 0 0.3 }
Background { skyColor [ 0.4 0.6 0.9 ] }
DirectionalLight { direction 1 1 -2 }
Robot { name "boss" supervisor TRUE controller "boss" synchronization TRUE children [
  LED { children [ Shape { appearance PBRAppearance { } geometry Sphere { radius 0.2 } } ]
    color [ 1 0 0 ] } ] }
"""
BOSS = """
from controller import Supervisor
boss = Supervisor()
children = boss.getRoot().getField('children')
while boss.step(32) != -1:
    if abs(boss.getTime() - 1.6) < 0.01:
        box = 'Solid { translation 0 0.6 0 children [ Shape { geometry Box { size 0.3 0.3 0.3 } } ] }'
        children.importMFNodeFromString(-1, box)
        boss.setLabel(1, 'hello', 0.1, 0.1, 0.1, 0x00FF00, 0.0, 'Arial')
        boss.getDevice('led').set(1)
"""


def test_leds_added_nodes_labels_and_reset(visit: Visit, tmp_path: Path):
    world = tmp_path / "worlds" / "boss.wbt"
    world.parent.mkdir()
    world.write_text(WORLD)
    (tmp_path / "controllers" / "boss").mkdir(parents=True)
    (tmp_path / "controllers" / "boss" / "boss.py").write_text(BOSS)
    with run(world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        page.set_viewport_size(SIZE)
        until(page, "document.documentElement.dataset.ready")
        start_paused(page)
        until(page, "window.page.world.view.world.meshes.length === 1")
        before = seen(page)
        page.evaluate("window.page.source.bar.play.click()")
        until(page, "window.page.world.view.world.meshes.length === 2")
        until(page, "document.querySelector('.labels').textContent === 'hello'")
        page.wait_for_timeout(500)
        after = seen(page)
        lamp = (before[..., 2] > 60) & (np.abs(after - before).max(axis=2) > 60)
        assert lamp.sum() > 100, "a box and a red lamp"
        page.evaluate("window.page.source.bar.reset.click()")
        until(page, "window.page.world.view.world.meshes.length === 1")
        until(page, "document.querySelector('.labels').textContent === ''")
