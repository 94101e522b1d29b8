"""Coupled motors of inline controllers."""

from __future__ import annotations

from tests.controllers.project import Project
from tests.controllers.test_direct_stepping import LIMIT, Made, rover, write


def test_they_follow_each_other(project: Project):
    """Judge: the factors, and the same run as a process. Coupled motors: manual, Motor."""
    code = """
        both = one, other = [robot.getDevice(name) for name in ("wheel::a", "wheel::b")]
        for count in range(30):
            robot.step(16)
            one.setPosition(count / 100); other.setVelocity(1.0 + count / 10)
            say([(one.getTargetPosition(), one.getVelocity(), one.getMultiplier()) for one in both])
    """
    coupled = rover().replace('name "left"', 'name "wheel::a"')
    write(project, code, coupled.replace('name "right"', 'name "wheel::b" multiplier 0.5'))
    inline = Made(project, False, LIMIT)
    process = Made(project, False, LIMIT, inline=False)
    assert (inline.log, inline.hash) == (process.log, process.hash)
    assert "(0.29, 3.9, 1.0), (0.145, 3.9, 0.5)" in inline.log
