"""What the worlds of a process share: texts, meshes and pictures, each while a world uses it.

Judge: a world that is alone in its process, and the content of the files.
"""

from __future__ import annotations

import gc
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.physics import shared_meshes
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.shared_meshes import engine_mesh
from wbridge.wbcore.scene import source
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

HEADER = "#VRML_SIM R2025a utf8\n"
STONE = "".join(f"v {x} {y} {z}\n" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
)
WORLD = """WorldInfo { }
Solid { name "floor" boundingObject Plane { size 100 100 } }
Solid {
  translation 0 0 2
  rotation 1 0.3 0 0.4
  boundingObject Mesh { url [ "stone.obj" ] }
  physics Physics { }
}
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A stone that falls on a floor."""
    (tmp_path / "stone.obj").write_text(STONE)
    path = tmp_path / "stone.wbt"
    path.write_text(HEADER + WORLD)
    return path


def meshes() -> int:
    """The number of meshes in the engine that worlds use."""
    gc.collect()
    return len(shared_meshes._ENGINE_MESHES)


def test_worlds_share_a_mesh_while_one_of_them_uses_it(world: Path, tmp_path: Path) -> None:
    before = meshes()
    first, second = Simulation(world), Simulation(world)
    assert meshes() == before + 1
    shutil.copytree(tmp_path, tmp_path / "copy")
    third = Simulation(tmp_path / "copy" / "stone.wbt")
    assert meshes() == before + 1, "found by its content"
    plans = [*meshes_of(first), *meshes_of(second), *meshes_of(third)]
    assert len(plans) == 3 and plans[0] is plans[1] is plans[2]
    assert not plans[0].vertices.flags.writeable
    del first, second, plans
    third.step(10)
    assert meshes() == before + 1
    del third
    assert meshes() == before


def meshes_of(simulation: Simulation) -> list[Mesh]:
    """The triangles in a simulation's plans."""
    found = [geometry.mesh for _, geometry in simulation.physics.builder.handles.geoms.values()]
    return [one for one in found if one is not None]


def test_a_changed_file_is_another_mesh(world: Path, tmp_path: Path) -> None:
    before = meshes()
    first = Simulation(world)
    (tmp_path / "stone.obj").write_text(STONE.replace("v 1 1 1", "v 1 1 2"))
    second = Simulation(world)
    assert meshes() == before + 2
    assert meshes_of(first)[0].vertices.max() == 1
    assert meshes_of(second)[0].vertices.max() == 2


def test_worlds_in_threads_step_a_shared_mesh_as_one_alone(world: Path) -> None:
    alone = Simulation(world)
    alone.step(200)
    simulations = [Simulation(world) for _ in range(4)]
    threads = [threading.Thread(target=one.step, args=(200,)) for one in simulations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.hash() for one in simulations} == {alone.hash()}


def test_the_order_and_type_of_triangles_count() -> None:
    points = np.eye(3)
    first = engine_mesh(points, np.array([[0, 1, 2]], dtype=np.uint32))
    assert engine_mesh(points.copy(), np.array([[0, 1, 2]], dtype=np.int64)) is first
    assert engine_mesh(points, np.array([[0, 2, 1]], dtype=np.uint32)) is not first


def test_worlds_share_the_texts_of_protos(tmp_path: Path) -> None:
    text = f"{HEADER}PROTO Stone [ ] {{ Solid {{ name {'x' * 1000!r} }} }}\n".replace("'", '"')
    (tmp_path / "Stone.proto").write_text(text)
    path = tmp_path / "stones.wbt"
    path.write_text(f'{HEADER}EXTERNPROTO "Stone.proto"\nWorldInfo {{ }} Stone {{ }}')
    worlds = [load_world(path) for _ in range(2)]
    texts = [one.nodes[-1].proto.source.text for one in worlds if one.nodes[-1].proto]
    assert texts[0] is texts[1] and worlds[0].source.text is worlds[1].source.text
    assert text in source._TEXTS
    del worlds, texts
    gc.collect()
    assert text not in source._TEXTS
