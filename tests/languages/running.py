"""Runs of a project's world, for controllers in other languages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import CHECKOUT


def simulate(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the world a.wbt of a project with `wbridge run`."""
    command = [sys.executable, "-m", "wbridge", "run", str(project / "worlds" / "a.wbt"), *options]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
