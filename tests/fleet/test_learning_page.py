"""The programs of docs/learning.md run as they are printed there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_RUN = re.compile(r"<!-- not run: [^>]*-->\n```python\n.*?```\n", re.DOTALL)


def test_the_programs_run() -> None:
    """Except those of Stable-Baselines3 and of datasets, which test_training.py and test_datasets.py run."""
    page = NOT_RUN.sub("", (ROOT / "docs" / "learning.md").read_text())
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    light = [program for program in programs if not re.search("stable_baselines3|DatasetEnv", program)]
    joined = "\nprint('---')\n".join(light)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", joined], cwd=ROOT, capture_output=True, text=True, check=True
    )
    parts = done.stdout.split("---\n")
    assert parts[1].startswith("{'TWO_WHEELS.physics.mass': 0.")
    assert parts[2].splitlines()[0] == "('left wheel motor.velocity', 'right wheel motor.velocity')"
