"""State hashes of sample worlds, run by an installed wbridge: the same on all systems.

python -m scripts.wheels.hashes FILE

Runs the samples with the program `wbridge` of this Python. Writes their hashes to FILE, or compares them
with those in FILE if there is one, and exits with 1 if they differ.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

__all__ = ["SAMPLES", "STEPS", "difference", "run_here", "sample_hashes"]

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ("epuck_arena", "line_following", "nao", "scales", "two_wheels", "ur5e")
"""Worlds of the checkout: robots with wheels, legs and arms, whose controllers run as processes."""
COMPILED = {"scales"}
"""Those with a physics plugin in C, which only Linux compiles."""
STEPS = 100


def sample_hashes(run: Callable[[list[str]], str], names: tuple[str, ...] = SAMPLES) -> dict[str, str]:
    """Return the hash of each world after some steps.

    Args:
        run: runs the command with these arguments in a folder with `worlds/`, and returns what it prints.
        names: of the worlds.
    """
    lines = {name: ["run", f"worlds/{name}.wbt", "--steps", str(STEPS), "--json"] for name in names}
    return {name: str(json.loads(run(words))["hash"]) for name, words in lines.items()}


def difference(found: dict[str, str], expected: dict[str, str]) -> str:
    """Say which hashes differ; "" if none does."""
    lines = [
        f"{name}: {found[name]} instead of {expected[name]}"
        for name in found
        if found[name] != expected[name]
    ]
    return "; ".join(lines)


def run_here(words: list[str]) -> str:
    """Run the program of this Python in the checkout, and return what it prints."""
    program = Path(sysconfig.get_path("scripts")) / ("wbridge.exe" if sys.platform == "win32" else "wbridge")
    return subprocess.run([program, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def main(file: Path) -> int:
    """Write or compare the hashes; return the exit code."""
    names = SAMPLES if sys.platform == "linux" else tuple(each for each in SAMPLES if each not in COMPILED)
    found = sample_hashes(run_here, names)
    if not file.exists():
        file.write_text(json.dumps(found, indent=1) + "\n")
        return 0
    differs = difference(found, json.loads(file.read_text()))
    print(differs or f"{len(found)} hashes are equal")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
