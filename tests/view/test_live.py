"""The live state of a scene: files in a folder, the newest messages, poses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np

from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.live import MOST_PICTURES, LiveScene
from wbridge.wbcore.visual.live_textures import LiveTexture

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 }
DEF BALL Robot {
  translation 1 2 3
  children [
    Shape { appearance DEF LOOK PBRAppearance { baseColor 1 0 0 metalness 0 } geometry Sphere { radius 0.1 } }
  ]
  name "ball"
  boundingObject Sphere { radius 0.1 }
  physics Physics { }
  controller "<none>"
}
"""


def test_poses_follow_the_simulation(tmp_path: Path) -> None:
    simulation = Simulation(load_text(WORLD))
    live = LiveScene(simulation, tmp_path)
    simulation.step(10)
    state = live.state()
    description = json.loads((tmp_path / state["file"]).read_text())
    poses = np.frombuffer(state["poses"], "<f4").reshape(-1, 7)
    at = description["moving"].index(description["robots"]["ball"])
    assert np.allclose(poses[at, :3], simulation.node("BALL").translation, atol=1e-6)
    assert np.allclose(poses[at, 3:], (1, 0, 0, 0))
    meshes = {shape["mesh"] for shape in description["shapes"]}
    assert all((tmp_path / name).is_file() for name in meshes)
    live.close()


def test_changes_are_messages_and_other_objects_another_scene(tmp_path: Path) -> None:
    simulation = Simulation(load_text(WORLD))
    live = LiveScene(simulation, tmp_path)
    first = live.state()
    assert first["messages"] == {}
    look = simulation.world.find("LOOK")
    assert look is not None
    simulation.set_field(look, "baseColor", (0.0, 1.0, 0.0))
    changed = live.state()
    assert list(changed["messages"]) == ["surface 0"] and changed["number"] == first["number"]
    ball = simulation.world.find("BALL")
    assert ball is not None
    simulation.edits.remove(ball)
    after = live.state()
    assert after["number"] > first["number"] and after["poses"] == b""
    assert json.loads((tmp_path / after["file"]).read_text())["shapes"] == []
    live.close()


SCREENS = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 }
Shape { appearance Appearance { texture DEF A ImageTexture { } } geometry Box { } }
Shape { appearance Appearance { texture DEF B ImageTexture { } } geometry Box { } }
"""


def test_pictures_of_the_description_and_of_the_newest_messages_stay(tmp_path: Path) -> None:
    """A page may open at any time; it loads the description first, then what has changed."""
    simulation = Simulation(load_text(SCREENS))
    first, second = (LiveTexture(np.zeros((4, 4, 4), np.uint8)) for _ in range(2))
    for name, texture in (("A", first), ("B", second)):
        node = simulation.world.find(name)
        assert node is not None
        simulation.live_textures.put(node, texture)
    live = LiveScene(simulation, tmp_path)
    second.pixels[:] = 7  # once, and never again
    second.version += 1
    for i in range(3 * MOST_PICTURES):
        first.pixels[:] = i
        first.version += 1
        state = live.state()
    description = (tmp_path / state["file"]).read_text()
    names = re.findall(r'"file": ?"([0-9a-f]+)"', description + json.dumps(state["messages"]))
    assert len(set(names)) >= 3, "the first picture of both, the newest of each"
    assert [name for name in names if not (tmp_path / name).is_file()] == []
    assert len(list(tmp_path.iterdir())) < 2 * MOST_PICTURES, "the others are gone"
    live.close()
