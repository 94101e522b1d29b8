"""Skins: models of binary FBX files, poses of bones, and vertices that follow them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fuzz.fbx_files import arm, fbx
from wbridge.wbcore.physics.meshes import MeshError
from wbridge.wbcore.visual.skeletons import Skeleton, turn_of
from wbridge.wbcore.visual.skin_models import SkinModel, read_skin


def model(folder: Path, data: bytes = b"", name: str = "arm.fbx") -> SkinModel:
    (folder / name).write_bytes(data or arm())
    return read_skin(folder / name)


@pytest.mark.parametrize("version", [7400, 7500])
def test_a_model(tmp_path: Path, version: int):
    made = model(tmp_path, arm(version))
    assert [(one.name, one.parent) for one in made.bones] == [("upper", -1), ("lower", 0)]
    assert made.bones[1].bind[:3, 3].tolist() == [1, 0, 0]
    assert len(made.mesh.triangles) == 4
    assert [one.name for one in made.mesh.palette] == ["cloth"]
    shares = np.zeros((6, 2))
    np.add.at(shares, (np.arange(6)[:, None], made.bones_of), made.weights)
    assert shares.tolist() == [[1, 0], [0.5, 0.5], [0, 1]] * 2


def test_bones_move_what_is_below(tmp_path: Path):
    skeleton = Skeleton(model(tmp_path).bones)
    quarter = {(0, False): (0.0, 0.0, 1.0, np.pi / 2)}
    poses = skeleton.poses(quarter, {})
    assert poses[1][:3, 3] == pytest.approx((0, 1, 0))
    assert turn_of(poses[1]) == pytest.approx((0, 0, 1, np.pi / 2))
    moved = skeleton.poses({}, {(0, False): (0.0, 0.0, 3.0)})
    assert moved[1][:3, 3] == pytest.approx((1, 0, 3))
    for half in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        turned = skeleton.poses({(0, False): (*half, np.pi)}, {})[0]
        assert turn_of(turned) == pytest.approx((*half, np.pi))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.dae", b"x", "binary .fbx"),
        ("a.fbx", b"; FBX 7.4.0 project file", "export the model as binary FBX"),
        ("a.fbx", arm()[:400], "FBX"),
        ("a.fbx", arm().replace(b"Cluster", b"Clusters"[:7]).replace(b"Indexes", b"Indexez"), ""),
        ("a.fbx", fbx([("Objects", [], [("Geometry", [np.zeros(2)], [])])]), "no mesh with bones"),
        ("a.fbx", fbx([("Connections", [], [("C", [np.zeros(2), b"OO", 1], [])])]), "no mesh with bones"),
        ("a.fbx", arm().replace(b"Vertices", b"Verticez"), "no mesh with bones"),
    ],
)
def test_bad_models(tmp_path: Path, name: str, data: bytes, said: str):
    if said:
        with pytest.raises(MeshError, match=said):
            model(tmp_path, data, name)
    else:
        assert not model(tmp_path, data, name).weights.any()
