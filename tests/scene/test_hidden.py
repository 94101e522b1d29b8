"""Hidden fields of PROTO instances: which solid and joint an index means (manual, chapter 5.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import messages, project
from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.load import load_world

ROBOT = """PROTO Bot [ field SFVec3f translation 0 0 0 field MFNode slot [] ]
{
  Robot {
    translation IS translation
    children [
      DEF J HingeJoint { endPoint Solid { name "wheel a" children [
        SliderJoint { endPoint Solid { name "rod" } }
      ] } }
      Transform { children [ Group { children IS slot } ] }
      Hinge2Joint { endPoint Solid { name "wheel b" } }
    ]
  }
}
"""


def names(instance: object) -> list[str]:
    return [name for name, _, _ in hidden.names(instance)]  # type: ignore[arg-type]


def test_solids_and_joints_are_counted_depth_first(tmp_path: Path) -> None:
    loaded = load_world(project(tmp_path, {"Bot": ROBOT}, 'Bot { slot [ Solid { name "extra" } ] }'))
    found = [
        (solid.get("name"), [j.type for j in joints]) for solid, joints in hidden.solids(loaded.nodes[0])
    ]
    assert found == [
        ("robot", ["HingeJoint", "Hinge2Joint"]),
        ("wheel a", ["SliderJoint"]),
        ("rod", []),
        ("extra", []),
        ("wheel b", []),
    ]


def test_hidden_values_reach_their_nodes(tmp_path: Path) -> None:
    body = (
        "Bot { hidden translation_2 0 0 5 hidden rotation_1 1 0 0 2 hidden linearVelocity_0 1 2 3 "
        "hidden position_0_0 0.5 hidden position_1_0 0.25 hidden position2_0_1 -1 }"
    )
    loaded = load_world(project(tmp_path, {"Bot": ROBOT}, body))
    assert messages(loaded) == []
    (robot, (hinge, hinge2)), (wheel, (slider,)), (rod, _), _ = hidden.solids(loaded.nodes[0])
    assert rod.get("translation") == (0, 0, 5)
    assert wheel.get("rotation") == (1, 0, 0, 2)
    assert robot.get("linearVelocity") == (1, 2, 3)
    assert (hinge.get("position"), slider.get("position"), hinge2.get("position2")) == (0.5, 0.25, -1)


def test_hidden_fields_that_fit_nothing_are_one_warning_and_are_kept(tmp_path: Path) -> None:
    body = "Bot { hidden translation_9 0 0 5 hidden position_2_0 1 }"
    loaded = load_world(project(tmp_path, {"Bot": ROBOT}, body))
    (found,) = loaded.report
    assert (found.severity, found.code) == ("warning", "hidden-field")
    assert "2 hidden fields" in found.message and "translation_9" in found.message
    assert loaded.nodes[0].fields["translation_9"].value == (0, 0, 5)


def test_numbers_of_another_version_of_the_model_are_not_applied(tmp_path: Path) -> None:
    """They would turn other solids than those that the file means."""
    body = "Bot { hidden linearVelocity_0 1 2 3 hidden rotation_1 0 1 0 2 hidden position_2_0 1 }"
    loaded = load_world(project(tmp_path, {"Bot": ROBOT}, body))
    (robot, _), (wheel, _), *_ = hidden.solids(loaded.nodes[0])
    assert robot.get("linearVelocity") == (1, 2, 3)
    assert wheel.get("rotation") == (0, 0, 1, 0)
    assert "all hidden fields of its parts are ignored" in messages(loaded)[0]


def test_every_hidden_name_of_an_instance_is_listed(tmp_path: Path) -> None:
    loaded = load_world(project(tmp_path, {"Bot": ROBOT}, "Bot { }"))
    found = names(loaded.nodes[0])
    assert "position2_0_1" in found and "position2_0_0" not in found
    assert {"translation_0", "angularVelocity_3", "position_1_0"} <= set(found)


RIGID = """PROTO Case [ field SFVec3f translation 0 0 0 ]
{
  Robot {
    translation IS translation
    children [
      HingeJoint { endPoint Solid { name "lid" } }
      Solid { name "foot" translation 0 0 -0.1 physics Physics { } }
    ]
    physics Physics { }
  }
}
"""


@pytest.mark.parametrize(
    ("value", "fits"),
    [("translation_2 0 0 -0.1000001", True), ("translation_2 0 0 0", False), ("rotation_2 0 1 0 1", False)],
)
def test_a_fixed_solid_does_not_take_the_place_of_another(tmp_path: Path, value: str, fits: bool) -> None:
    """A model of Webots with other parts has the same numbers; a foot cannot have left its place."""
    body = f"Case {{ hidden position_0_0 0.5 hidden {value} }}"
    loaded = load_world(project(tmp_path, {"Case": RIGID}, body))
    assert (messages(loaded) == []) is fits
    (_, (hinge,)), _, (foot, _) = hidden.solids(loaded.nodes[0])
    assert foot.get("translation")[2] == pytest.approx(-0.1)
    assert foot.get("rotation")[3] == 0
    assert hinge.get("position") == (0.5 if fits else 0)
