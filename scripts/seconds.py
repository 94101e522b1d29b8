"""Print how long the parts of a make target took, and forget them: `python -m scripts.seconds`.

scripts/timed.sh notes each part. The time of compiling one fixed file makes machines comparable.
"""

from __future__ import annotations

import subprocess
import sys
import time

from scripts.inputs import CHECKOUT

NOTED = CHECKOUT / ".venv" / "stamps" / "seconds"
FIXED = CHECKOUT / "wbcore" / "engine" / "src" / "scene" / "solids.cpp"
HEADERS = CHECKOUT / "wbcore" / "engine" / "include"
"""ODE's."""
COMPILER = ["g++", "-std=c++20", "-O2", "-isystem", str(HEADERS), "-c", "-o", "/dev/null"]


def yardstick() -> float:
    """Return how long the compiler takes for the fixed file (s)."""
    start = time.perf_counter()
    subprocess.run([*COMPILER, str(FIXED)], check=True)
    return time.perf_counter() - start


def table(noted: str, yardstick_s: float) -> str:
    """Return the lines to print; `noted` has a part and its seconds on each line."""
    parts = [line.rpartition(" ")[::2] for line in noted.splitlines()]
    lines = [f"{seconds:>6} s  {part}" for part, seconds in parts]
    return "\n".join([*lines, f"{yardstick_s:6.1f} s  g++ -O2 {FIXED.relative_to(CHECKOUT)}, as a yardstick"])


def main() -> int:
    """Print the table."""
    noted = NOTED.read_text() if NOTED.exists() else ""
    NOTED.unlink(missing_ok=True)
    print(f"\nHow long it took:\n{table(noted, yardstick())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
