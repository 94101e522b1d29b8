"""Masses, sizes, loops, steps and speeds beyond all reason: no crash, and no state passes that is not finite.

Judge: the promise of docs/engine.md, "Errors"; a process of its own, whose end shows a crash.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

BATCH = 20


@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(BATCH, 400, BATCH))],
)
def test_bad_worlds_stay_finite_or_name_what_is_wrong(first: int) -> None:
    command = [sys.executable, "-m", "tests.bombs.bad_worlds", str(first), str(BATCH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout.splitlines()[-1:] + done.stderr.splitlines()[-8:]
    outcomes = [line.split(": ", 1)[1].split(":")[0] for line in done.stdout.splitlines()]
    assert len(outcomes) == 2 * BATCH
    assert set(outcomes) == {"finite", "named", "refused"}
