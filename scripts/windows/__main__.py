"""Compile wbridge for Windows, run sample worlds under Wine, and compare their state hashes with those here.

python -m scripts.windows [WORLD ...]

WORLD: names of samples, or files of other worlds; some samples by default. Each is run with its controllers
inside of the simulator, and with controllers as processes that connect over TCP. Sources in C are compiled
here; there, the programs for Windows beside them run. Prints a table; exits with 1 if a hash differs or a run
fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from scripts.portable.tools import fetch_tools
from scripts.wheels.hashes import SAMPLES, STEPS
from scripts.windows.build import compile_modules, lay_out
from scripts.windows.python import fetch_packages, fetch_python
from scripts.windows.wine import start, windows_path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "windows"
TOOLS = ROOT / "build" / "portable" / "tools"
KINDS = {"inside": ["--inline"], "processes": []}


def run_on_windows(python: Path, packages: Path, words: list[str]) -> str:
    """Run the command under Wine; return what it prints.

    Raises:
        RuntimeError: it fails; with the end of what it says.
    """
    place = FOLDER / "wbridge"
    done = start(python, ["-m", "wbridge", *words], [place, packages], FOLDER, TOOLS, place)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-1000:] or f"exit code {done.returncode}")
    return done.stdout


def run_here(words: list[str]) -> str:
    """Run the command on this system; return what it prints."""
    command = [sys.executable, "-m", "wbridge", *words]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def compare(name: str, python: Path, packages: Path) -> list[str]:
    """Run a world in all ways; return a cell of the table for each."""
    file = Path(name).resolve() if name.endswith(".wbt") else Path("worlds", f"{name}.wbt")
    options = ["--steps", str(STEPS), "--json"]
    expected = json.loads(run_here(["run", str(file), *options]))["hash"]
    there = windows_path(file) if file.is_absolute() else file.as_posix()
    cells = []
    for more in KINDS.values():
        try:
            state = json.loads(run_on_windows(python, packages, ["run", there, *options, *more]))["hash"]
        except (RuntimeError, ValueError) as problem:
            print(f"{name}: {problem}", file=sys.stderr)
            cells.append("failed")
            continue
        cells.append("=" if state == expected else f"{state} instead of {expected}")
    return cells


def main(chosen: list[str]) -> int:
    """Build, run and compare; return the exit code."""
    fetch_tools(TOOLS)
    python, packages = fetch_python(FOLDER), fetch_packages(FOLDER)
    lay_out(FOLDER / "wbridge", compile_modules(FOLDER, python, TOOLS))
    print("| world |", " | ".join(KINDS), "|\n| --- |" + " --- |" * len(KINDS), flush=True)
    is_well = True
    for name in chosen or [name for name in SAMPLES if name != "scales"]:  # it has a plugin in C
        cells = compare(name, python, packages)
        print("|", " | ".join([name, *cells]), "|", flush=True)
        is_well &= set(cells) == {"="}
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
