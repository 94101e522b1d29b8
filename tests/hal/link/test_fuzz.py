"""The fuzzer of the robot link: it finds nothing, and would find something."""

import random
from pathlib import Path

import pytest

from fuzz.case import InvariantError
from fuzz.fuzz_link import LinkTarget
from wbridge.hal.link.slave import Slave


def cases(count: int, tmp_path: Path, seed: int = 1) -> None:
    """Run some cases; what they let out is a finding."""
    target, chance = LinkTarget(), random.Random(seed)
    for _ in range(count):
        target.run(target.make(chance).write(tmp_path))


def test_nothing_is_found(tmp_path: Path):
    cases(300, tmp_path)


def test_the_same_seed_makes_the_same_bytes():
    assert LinkTarget().make(random.Random(5)) == LinkTarget().make(random.Random(5))


def test_requests_reach_the_robot_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen = []
    monkeypatch.setattr("fuzz.fuzz_link.check", lambda robot: seen.append(len(robot.commands)))
    cases(50, tmp_path)
    assert max(seen) >= 3


def test_a_robot_that_executes_twice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    request = Slave._request

    def forgetful(slave: Slave, message, *rest):  # type: ignore[no-untyped-def]
        if message.sequence == slave.sequence:
            slave.sequence -= 1
        return request(slave, message, *rest)

    monkeypatch.setattr(Slave, "_request", forgetful)
    with pytest.raises(InvariantError):
        cases(300, tmp_path)
