"""The samples of urdf2webots become PROTOs with the bodies, joints and limits that it gives them.

`make corpus` fetches the samples.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts.corpus import corpus_folder
from tests.protos.models import pose
from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.scene.load import LoadOptions, load_proto
from wbridge.wbcore.scene.node import Node, walk

SAMPLES = corpus_folder() / "importers" / "urdf2webots" / "tests"
HUMAN = ("gait2392_simbody/urdf/human.urdf", "Human.proto")
KUKA = ("kuka_lbr_iiwa_support/urdf/model.urdf", "KukaLbrIiwa14R820.proto")


def built_in(root: Node, kind: str) -> list[Node]:
    return [one for one in walk(root) if one.proto is None and one.is_a(kind)]


def loaded(path: Path, cache: Path) -> Node:
    return load_proto(path, LoadOptions(allow_missing=True, cache=cache)).nodes[0].root


@pytest.fixture(params=[HUMAN, KUKA], ids=["human", "kuka"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Node, Node]:
    """The robot as converted here, and as urdf2webots converts it."""
    source, expected = request.param
    if not SAMPLES.is_dir():
        pytest.skip("the samples are absent; fetch them with: make corpus")
    done = convert(SAMPLES / "sources" / source, ConvertOptions(output=tmp_path))
    assert done.report.errors == []
    return loaded(done.files[0], tmp_path), loaded(SAMPLES / "expected" / expected, tmp_path)


def masses(root: Node) -> dict[str, Any]:
    """Mass (kg), center and inertia of each Solid; the robot itself has no name of a link."""
    return {
        "" if one is root else str(one.get("name")): (
            physics.root.get("mass"),
            np.ravel([list(row) for row in physics.root.get("centerOfMass")]),
            np.ravel([list(row) for row in physics.root.get("inertiaMatrix")]),
        )
        for one in built_in(root, "Solid")
        if (physics := one.get("physics")) is not None and physics.root.get("density") < 0
    }


def joints(root: Node) -> dict[str, Any]:
    """Limits of each motor, and axis, place and turn of its joint in the robot, by the motors' names."""
    found = {}
    for motor in built_in(root, "RotationalMotor"):
        joint = motor.parent
        assert joint is not None
        limits = [motor.get(name) for name in ("minPosition", "maxPosition", "maxVelocity", "maxTorque")]
        axis = np.array(pose(joint, root)[1]) @ np.array(joint.get("jointParameters").root.get("axis"))
        place, turn = pose(joint.get("endPoint").root, root)
        found[str(motor.get("name"))] = (limits, axis / np.linalg.norm(axis), place, np.array(turn))
    return found


def test_bodies_have_the_same_mass_center_and_inertia(pair: tuple[Node, Node]):
    ours, theirs = map(masses, pair)
    assert set(theirs) <= set(ours)
    for name, (mass, center, inertia) in theirs.items():
        assert ours[name][0] == pytest.approx(mass, rel=1e-4)
        assert ours[name][1] == pytest.approx(center, abs=1e-5)
        assert ours[name][2] == pytest.approx(inertia, rel=1e-3, abs=1e-7)


def test_joints_have_the_same_limits_axes_and_places(pair: tuple[Node, Node]):
    ours, theirs = map(joints, pair)
    assert len(theirs) >= 7
    assert set(ours) == set(theirs)
    for name, (limits, axis, place, turn) in theirs.items():
        assert ours[name][0] == pytest.approx(limits, rel=1e-4)
        assert ours[name][1] == pytest.approx(axis, abs=1e-4)
        assert ours[name][2] == pytest.approx(place, abs=1e-4)
        assert ours[name][3] == pytest.approx(turn, abs=1e-4)
