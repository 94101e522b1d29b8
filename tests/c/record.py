"""Record the answers of the API's calls: `python -m tests.c.record [-k EXPRESSION]`.

The implementation in Python is recorded; the others must then give the same answers. Files that exist keep
their calls; remove one to record it with calls of all the functions of today.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RECORDED = ("test_calls", "test_vehicle_calls", "test_supervisor")
"""The tests that have recorded answers."""

if __name__ == "__main__":
    files = [str(HERE / f"{name}.py") for name in RECORDED]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", "--dist", "no", *files, *sys.argv[1:]]
    raise SystemExit(
        subprocess.run(command, env={**os.environ, "RECORD_ANSWERS": "1"}, check=False).returncode
    )
