"""The program of docs/learning.md that trains a robot reaches the return that the page states."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.training
def test_the_arm_learns_to_hold_a_posture() -> None:
    page = (ROOT / "docs" / "learning.md").read_text()
    (program,) = (one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "PPO" in one)
    stated = re.search(r"a return of (-[0-9.]+) or more", page)
    assert stated is not None
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout.split()[-1]) >= float(stated[1])
