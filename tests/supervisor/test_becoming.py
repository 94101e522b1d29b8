"""Robots that become supervisors, or are none any more, while the simulation runs (manual, chapter Robot)."""

from __future__ import annotations

from tests.supervisor.bench import BALL, Bench
from wbridge.hal.protocol.dialect import R2025A

OTHER = 'DEF OTHER Robot { name "other" controller "<extern>" }\n'


def test_a_controller_hears_that_its_robot_is_a_supervisor_now():
    b = Bench(OTHER)
    other = b.connect("other")
    assert not other.get_supervisor()
    b.get("OTHER", "supervisor").setSFBool(True)
    b.step(2)
    assert other.get_supervisor()
    b.get("OTHER", "supervisor").setSFBool(False)
    b.step(2)
    assert not other.get_supervisor()


def test_the_next_controller_may_do_what_the_field_says():
    b = Bench(OTHER + BALL)
    robot = b.simulation.robots.find("other")
    assert robot is not None
    for now in (True, False):
        b.get("OTHER", "supervisor").setSFBool(now)
        b.tick()
        assert robot.is_supervisor is not now
        robot.connect(R2025A)
        assert robot.is_supervisor is now
        handled = robot.codec.command_codes["get_position"] in robot.commands.handlers
        assert handled is now
        assert (robot.part("supervisor") is not None) is now
    b.get("BALL", "translation").setSFVec3f([0, 0, 9])
    b.tick()
    assert b.warnings == []
