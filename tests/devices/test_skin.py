"""Skins: what was said about a bone is told back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.devices.rig import Rig, robot, world

SKIN = (
    'Skin { name "skin" bones [ SolidReference { solidName "arm" } SolidReference { solidName "hand" } ] }'
    ' Solid { name "arm" } Solid { name "hand" }'
)


def test_bones_have_names_and_keep_what_is_set(drive: Callable[..., Rig]):
    skin = drive(world(robot(SKIN)))["skin"]
    assert [skin.get_bone_name(one) for one in range(skin.get_bone_count())] == ["arm", "hand"]
    assert skin.get_bone_orientation(1, False) == [0, 0, 1, 0]
    skin.set_bone_orientation(1, [0, 1, 0, 0.5], False)
    skin.set_bone_position(0, [1, 2, 3], True)
    assert skin.get_bone_orientation(1, False) == [0, 1, 0, 0.5]
    assert skin.get_bone_position(0, True) == [1, 2, 3]
    assert skin.get_bone_position(0, False) == [0, 0, 0]


def test_nonsense_from_the_wire_is_refused(drive: Callable[..., Rig]):
    model = drive(world(robot(SKIN))).model("skin")
    with pytest.raises(ValueError, match="no bone 2; there are 2"):
        model.on_set_bone_position(2, (0.0, 0.0, 0.0), True)
    with pytest.raises(ValueError, match="not finite"):
        model.on_set_bone_position(0, (0.0, float("nan"), 0.0), True)
