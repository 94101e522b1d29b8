"""`wbridge grade` and submissions that attack; see `attacks.ATTACKS` for what each of them tries.

Judge: what is there afterwards outside of the programs, and that the fair submission in the same run gets its
mark.
"""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import absent
from tests.fleet import attacks, classroom, unprivileged
from tests.fleet.attack import ALL, Attack
from wbfleet.grading.sandbox.plan import BUBBLEWRAP, OWN

IN_BOTH_WAYS = (*attacks.FILES, *attacks.NEIGHBOURS, *attacks.SIMULATORS)
"""Attacks on what the two ways build differently."""


@pytest.fixture(autouse=True, scope="module")
def possible() -> None:
    unprivileged.needs_namespaces()


@pytest.mark.parametrize(
    ("way", "chosen"), [(OWN, attacks.ATTACKS), (BUBBLEWRAP, IN_BOTH_WAYS)], ids=[OWN, BUBBLEWRAP]
)
def test_attacks_are_in_vain(way: str, chosen: tuple[Attack, ...]):
    if way == BUBBLEWRAP and shutil.which("bwrap") is None:
        absent("bwrap is not installed (package bubblewrap)")
    evidence = classroom.graded(chosen, way)
    assert evidence.harm == []
    assert classroom.SECRET not in evidence.output
    assert not {"\x1b", "\x07"} & set(evidence.output)
    assert evidence.marks.pop("fair") == (ALL, "")
    assert set(evidence.marks) == {one.shown for one in chosen}
    wrong = [
        f"{one.shown}: {evidence.marks[one.shown]}"
        for one in chosen
        if evidence.marks[one.shown].points != one.points or one.note not in evidence.marks[one.shown].note
    ]
    assert wrong == []
