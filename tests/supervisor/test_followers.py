"""Frames that follow a body are where the body is, at once after a supervisor moves it."""

from __future__ import annotations

import pytest

LEG = (
    'DEF LEG Robot { name "leg" controller "<none>" children [ DEF HIP HingeJoint { '
    "jointParameters HingeJointParameters { axis 0 0 1 } endPoint DEF THIGH Solid { "
    'translation 1 0 1 name "thigh" boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } '
    'children [ DEF SHOE Pose { translation 0.5 0 0 children [ DEF TIP TouchSensor { name "tip" '
    "boundingObject Box { size 0.1 0.1 0.1 } } ] } "
    "DEF ANKLE HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 0.5 0 0 } "
    'endPoint DEF FOOT Solid { translation 1 0 0 name "foot" boundingObject Box { size 0.1 0.1 0.1 } } } '
    "] } } ] }"
)
"""A hinge with a body, in which a bumper without Physics and a foot on a kinematic hinge follow."""
QUARTER = 1.5707963267948966


@pytest.mark.parametrize(("name", "place"), [("THIGH", [0, 1, 1]), ("TIP", [0, 1.5, 1]), ("FOOT", [0, 2, 1])])
def test_a_follower_is_placed_at_once(bench, name: str, place: list[float]):
    b = bench(LEG, info="gravity 0")
    b.tick()
    b.api.getFromDef("HIP").setJointPosition(QUARTER)
    assert b.api.getFromDef(name).getPosition() == pytest.approx(place, abs=1e-9)


@pytest.mark.parametrize(("name", "place"), [("TIP", [1.5, 0, 3]), ("FOOT", [2, 0, 3])])
@pytest.mark.parametrize("is_state", [False, True])
def test_a_follower_moves_with_its_robot(bench, name: str, place: list[float], is_state: bool):
    b = bench(LEG.replace("controller", "physics Physics { } controller"), info="gravity 0")
    b.tick()
    b.api.getFromDef("LEG").saveState("low")
    b.get("LEG", "translation").setSFVec3f([0, 0, 2])
    b.tick()
    assert b.api.getFromDef(name).getPosition() == pytest.approx(place, abs=1e-6)
    if is_state:
        b.api.getFromDef("LEG").loadState("low")
        low = [place[0], 0, 1]
        assert b.api.getFromDef(name).getPosition() == pytest.approx(low, abs=1e-6)


def test_a_follower_is_placed_at_once_below_a_kinematic_joint(bench):
    b = bench(LEG, info="gravity 0")
    b.tick()
    b.api.getFromDef("ANKLE").setJointPosition(QUARTER)
    assert b.api.getFromDef("FOOT").getPosition() == pytest.approx([1.5, 0.5, 1], abs=1e-9)
