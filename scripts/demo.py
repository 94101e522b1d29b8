"""The main job as it works today: check worlds, then print the device tables of their robots.

Reads the worlds of `scripts.inputs`, or the samples in `worlds/` when there are none.
Run it with `make demo`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.inputs import CHECKOUT, inputs_directory


def demo_worlds() -> list[Path]:
    """The worlds to show, sorted by path."""
    return sorted((inputs_directory() or CHECKOUT / "worlds").rglob("*.wbt"))


def wbridge(arguments: Sequence[str | Path]) -> int:
    """Show a command line, run it, return its exit code."""
    words = [os.path.relpath(one) if isinstance(one, Path) else one for one in arguments]
    print(f"\n$ wbridge {' '.join(words)}", flush=True)
    return subprocess.run([sys.executable, "-m", "wbridge", *words], check=False).returncode


def main() -> int:
    """Show both commands; a world with missing models is part of the show, only a crash is a failure."""
    worlds = demo_worlds()
    if not worlds:
        print("no worlds to show: neither the inputs folder nor worlds/ has a .wbt file", file=sys.stderr)
        return 2
    codes = [wbridge(["check", *worlds])]
    codes += [wbridge(["devices", "--allow-missing", world]) for world in worlds]
    return 0 if set(codes) <= {0, 2} else 1


if __name__ == "__main__":
    sys.exit(main())
