"""`wbridge grade` and submissions that attack; see `attacks.ATTACKS` for what each of them tries.

Judge: what is there afterwards outside of the programs, and that the fair submission in the same run gets its
mark.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.conftest import absent
from tests.fleet import attacks, classroom, unprivileged
from tests.fleet.attack import ALL, Attack
from wbridge.wbfleet.grading.sandbox.plan import BUBBLEWRAP, OWN

IN_BOTH_WAYS = (*attacks.FILES, *attacks.NEIGHBOURS, *attacks.SIMULATORS, *attacks.FILES_OF_HOST)
"""Attacks on what the two ways build differently."""


IN_CONTAINERS = (*attacks.FILES[:3], *attacks.NEIGHBOURS[:4])
WITHOUT_ISOLATION = tuple(one for one in attacks.LOADS if one.name in ("uses memory", "uses time", "stays"))


@pytest.fixture(autouse=True, scope="module")
def possible() -> None:
    unprivileged.needs_namespaces()


@pytest.mark.parametrize(
    ("way", "chosen"),
    [
        pytest.param(OWN, attacks.ATTACKS, id=OWN),
        pytest.param(BUBBLEWRAP, IN_BOTH_WAYS, id=BUBBLEWRAP, marks=pytest.mark.slow),
    ],
)
def test_attacks_are_in_vain(way: str, chosen: tuple[Attack, ...]):
    if way == BUBBLEWRAP and shutil.which("bwrap") is None:
        absent("bwrap is not installed (package bubblewrap)")
    check(classroom.graded(chosen, way), chosen)


def check(evidence: classroom.Evidence, chosen: tuple[Attack, ...]) -> None:
    """Attacks are in vain, and the fair submission gets its mark."""
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


@pytest.fixture
def as_root() -> None:
    if os.geteuid():
        absent("this test changes what an ordinary user may do, which needs root")


@pytest.mark.usefixtures("as_root")
def test_containers_in_which_no_proc_can_be_mounted():
    """Some hide parts of `/proc` by mounting over them; then the kernel lets nobody mount a whole one."""
    hide = 'mount --bind /dev/null /proc/version; exec "$@"'
    around = ["unshare", "--mount", "sh", "-c", hide, "sh"]
    probe = [
        *around,
        *unprivileged.prefix(),
        *unprivileged.PROBE[:-1],
        "mount",
        "-t",
        "proc",
        "proc",
        "/proc",
    ]
    assert subprocess.run(probe, capture_output=True, check=False, cwd="/").returncode != 0
    check(classroom.graded(IN_CONTAINERS, BUBBLEWRAP, around), IN_CONTAINERS)


@pytest.mark.usefixtures("as_root")
@pytest.mark.slow
def test_without_isolation():
    """Where nobody may make namespaces, the command refuses; if it shall grade, sums are limited all the
    same."""
    forbid = 'mount --rbind / /mnt; exec chroot /mnt "$@"'  # see user_namespaces(7)
    around = ["unshare", "--mount", "sh", "-c", forbid, "sh"]
    with pytest.raises(AssertionError, match="this system cannot restrict: processes, network and files"):
        classroom.graded(WITHOUT_ISOLATION, BUBBLEWRAP, around)
    weak = ["--allow-weak-isolation"]
    check(classroom.graded(WITHOUT_ISOLATION, BUBBLEWRAP, around, weak), WITHOUT_ISOLATION)
