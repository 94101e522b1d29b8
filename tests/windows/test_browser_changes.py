"""Changes of the world by a supervisor, as the 3D view shows them in a real browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.windows.browser import run
from tests.windows.test_browser_worlds import LARGEST, SIZE, seen, start_paused
from tests.windows.visit import Visit, until
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.simulation import Simulation

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


PAINTER = """
from controller import Supervisor
boss = Supervisor()
sky, fog, paint = (boss.getFromDef(name) for name in ('SKY', 'FOG', 'PAINT'))
while boss.step(32) != -1:
    if abs(boss.getTime() - 1.6) < 0.01:
        sky.getField('skyColor').setMFColor(0, [1, 0, 0])
        fog.getField('color').setSFColor([0, 0, 0])
        fog.getField('visibilityRange').setSFFloat(2)
        paint.getField('emissiveColor').setSFColor([0, 1, 0])
"""
PAINTED = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Viewpoint { }
DEF SKY Background { skyColor [ 0 0 1 ] }
DEF FOG Fog { visibilityRange 100 }
Pose { translation 3 0.5 0 children [ Shape { appearance Appearance { material DEF PAINT Material { } }
  geometry Box { size 0.5 0.5 0.5 } } ] }
Pose { translation 3 -0.5 0 children [ Shape { appearance Appearance { material USE PAINT }
  geometry Box { size 0.5 0.5 0.5 } } ] }
Robot { name "boss" supervisor TRUE controller "boss" }
"""


def test_sky_fog_and_shared_materials_change_as_in_cameras(visit: Visit, tmp_path: Path):
    """Judge: the renderer, whose changes tests/render/test_changed_looks.py judges."""
    world = tmp_path / "worlds" / "painted.wbt"
    world.parent.mkdir()
    world.write_text(PAINTED)
    (tmp_path / "controllers" / "boss").mkdir(parents=True)
    (tmp_path / "controllers" / "boss" / "boss.py").write_text(PAINTER)
    simulation = Simulation(world)
    for name, field, value in (
        ("SKY", "skyColor", VecArray(3, [(1.0, 0.0, 0.0)])),
        ("FOG", "color", (0.0, 0.0, 0.0)),
        ("FOG", "visibilityRange", 2.0),
        ("PAINT", "emissiveColor", (0.0, 1.0, 0.0)),
    ):
        simulation.set_field(simulation.world.find(name), field, value)
    with run(world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        page.set_viewport_size(SIZE)
        start_paused(page)
        blue = seen(page)
        assert blue[5, 5].tolist() == [0, 0, 255]
        page.evaluate("window.page.source.bar.play.click()")
        until(page, "window.page.world.view.world.air.sky[0] === 1")
        page.evaluate("window.page.source.bar.play.click()")
        until(page, "!window.page.world.isBusy && !window.page.world.isNew")
        shown = seen(page)
    height, width = shown.shape[:2]
    drawn = simulation.main_view.picture((width, height))[..., 2::-1].astype(float)
    assert np.abs(shown - drawn).mean() < LARGEST
    assert np.abs(shown - blue).mean() > 10 * LARGEST
