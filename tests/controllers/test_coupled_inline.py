"""Coupled motors of inline controllers."""

from __future__ import annotations

import pytest

from tests.controllers.project import Project
from tests.controllers.test_direct_stepping import LIMIT, Made, rover, write


def test_they_follow_native_calls(project: Project, monkeypatch: pytest.MonkeyPatch):
    """Judge: the same run as a process with the client in Python. Coupled motors: manual, Motor."""
    code = """
        both = one, other = [robot.getDevice(name) for name in ("wheel::a", "wheel::b")]
        for count in range(30):
            robot.step(16)
            one.setPosition(count / 100); other.setVelocity(1.0 + count / 10)
            say([(one.getTargetPosition(), one.getVelocity(), one.getMultiplier()) for one in both])
    """
    coupled = rover().replace('name "left"', 'name "wheel::a"')
    write(project, code, coupled.replace('name "right"', 'name "wheel::b" multiplier 0.5'))
    native = Made(project, False, LIMIT)
    monkeypatch.setenv("WBRIDGE_CLIENT", "python")
    python = Made(project, False, LIMIT, inline=False)
    assert (native.log, native.hash) == (python.log, python.hash)
    assert "(0.29, 3.9, 1.0), (0.145, 3.9, 0.5)" in native.log
