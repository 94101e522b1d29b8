"""Pens: their state is in the fields."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.devices.rig import Rig, robot, world

PEN = 'DEF PEN Pen { name "pen" write FALSE }'


def test_the_pen_is_put_down_and_lifted(drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture):
    rig = drive(world(robot(PEN)))
    rig["pen"].write(True)
    rig.step()
    assert rig.node("PEN").get("write") is True
    rig["pen"].write(False)
    rig["pen"].write(True)
    rig.step()
    rig["pen"].write(False)
    rig.step()
    assert rig.node("PEN").get("write") is False
    assert [one.getMessage() for one in caplog.records] == [
        'warning: robot "robot": pen "pen": drawing is not implemented'
    ]


def test_the_ink_is_chosen(drive: Callable[..., Rig]):
    rig = drive(world(robot(PEN)))
    rig["pen"].set_ink_color(0xFF8000, 0.25)
    rig.step()
    assert rig.node("PEN").get("inkColor") == pytest.approx((1, 128 / 255, 0))
    assert rig.node("PEN").get("inkDensity") == 0.25


@pytest.mark.parametrize("density", [-0.1, 1.1, float("nan")])
def test_nonsense_from_the_wire_is_refused(drive: Callable[..., Rig], density: float):
    rig = drive(world(robot(PEN)))
    with pytest.raises(ValueError, match="density"):
        rig.model("pen").on_set_ink_color(0, 0, 0, density)
