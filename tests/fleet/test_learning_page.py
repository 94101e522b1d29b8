"""The program of docs/learning.md runs as it is printed there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_first_program_runs():
    page = (ROOT / "docs" / "learning.md").read_text()
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == "('left wheel motor.velocity', 'right wheel motor.velocity')"
