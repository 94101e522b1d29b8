"""Run tests under Wine as on Windows, and count them: python -m scripts.windows.suite [--go-on] [TEST ...]

TEST: files or folders below tests/; by default those of scenes, physics, the API, controllers, recordings and
the workbench's server.
--go-on: behind the tests that an earlier run has ended, also if it was interrupted.
Prints a table, and each test that fails or is skipped; notes the counts of all for docs/releasing.md. Exits
with 1 if less than 90 % of the tests pass. What reasons.toml leaves out counts as passed, other skips as
failures.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scripts.portable.tools import fetch_tools
from scripts.wheels.platforms import WINDOWS, Counts, note_tests
from scripts.windows.build import MODULES, compile_modules
from scripts.windows.listed import BEGUN, COMPLETE, ENDED, RESULTS
from scripts.windows.python import fetch_packages, fetch_python, fetch_test_packages
from scripts.windows.wine import end_all, start, windows_path

__all__ = ["Outcome", "outcomes", "share", "table"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "windows"
TOOLS = ROOT / "build" / "portable" / "tools"
DEFAULT = (
    *(
        "tests/scene",
        "tests/physics",
        "tests/hal",
        "tests/wbridge/api",
        "tests/controllers",
        "tests/recordings",
    ),
    "tests/windows",
)
LEAST = 0.9
"""The share of the tests that must pass or have a reason in the list."""
MOST_S = 240
"""A test that takes longer (s) hangs; its process is ended."""
PART = 8
"""Files that one process runs."""
RESULT = FOLDER / "tests.jsonl"
KINDS = ("passed", "failed", "left out", "skipped")


class Outcome(NamedTuple):
    """What became of a test."""

    place: str
    """Its file."""
    name: str
    kind: str
    """One of KINDS."""
    text: str
    """Why it failed or was skipped."""


def lay_out(target: Path, compiled: Path) -> None:
    """Copy the tracked files, and the compiled modules, as a checkout has them.

    Args:
        target: the new folder; tests that ran there before leave their folders of bytecode.
        compiled: the folder of the build.
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0")[:-1]:
        source, copy = ROOT / name, target / name
        if source.is_symlink() or source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.unlink(missing_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    for made, place in MODULES.items():
        (target / place).parent.mkdir(exist_ok=True)
        shutil.copy(compiled / made, target / place)


def begin(goes_on: bool) -> None:
    """Make RESULT ready: an empty file, or that of an interrupted run without the test that it was at."""
    kept = _lines() if goes_on else []
    if kept and json.loads(kept[-1])[1] == BEGUN:
        kept.pop()
    RESULT.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def _lines() -> list[str]:
    return RESULT.read_text(encoding="utf-8").splitlines() if RESULT.exists() else []


def run(files: list[str], python: Path, checkout: Path, places: list[Path]) -> str:
    """Run tests under Wine, and write RESULT; return what pytest says if it cannot go on, else "".

    A test that takes too long, or ends its process, is the last of it; another process runs the others.

    Args:
        files: of the tests.
        python: the folder of Python for Windows.
        checkout: the folder of the tests.
        places: folders of packages.
    """
    options = ["-q", f"--timeout={MOST_S}", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-p", "wbridge.pytest_plugin", "-p", "scripts.windows.listed"]
    options.append("--continue-on-collection-errors")
    path = [checkout / "src", checkout, *places]
    variables = {RESULTS: windows_path(RESULT)}
    length = -1
    while length < len(_lines()):
        length = len(_lines())
        done = start(python, ["-m", "pytest", *options, *files], path, FOLDER, TOOLS, checkout, variables)
        if json.loads(_lines()[-1])[1] == ENDED:
            return ""
        end_all(FOLDER, TOOLS)
    return (done.stdout + done.stderr)[-2000:]


def outcomes(lines: list[str]) -> Iterator[Outcome]:
    """Return what became of each test, of the lines that scripts.windows.listed writes."""
    last = {
        name: (kind, text) for name, kind, text in map(json.loads, lines) if kind not in (COMPLETE, ENDED)
    }
    for name, (kind, text) in last.items():
        place, _, test = name.partition("::")
        if kind == BEGUN:
            kind, text = "failed", "it ended its process, or took too long"
        yield Outcome(place, test, kind, text)


def share(counts: Counter[str]) -> float:
    """Return the share of tests that pass or are left out for a reason, by the number of each kind."""
    return (counts["passed"] + counts["left out"]) / max(1, sum(counts.values()))


def table(found: list[Outcome]) -> str:
    """Return the numbers of tests of each folder and of each kind, as a table in Markdown."""
    folders: dict[str, Counter[str]] = {}
    for each in found:
        folders.setdefault("/".join(each.place.split("/")[:2]), Counter())[each.kind] += 1
    folders["all"] = sum(folders.values(), Counter())
    lines = ["| tests | " + " | ".join(KINDS) + " | share |", "| --- |" + " --- |" * (len(KINDS) + 1)]
    for name, counts in folders.items():
        cells = [f"{counts[kind]:,}" for kind in KINDS]
        lines.append(f"| {name} | {' | '.join(cells)} | {share(counts):.1%} |")
    return "\n".join(lines)


def files_of(words: list[str]) -> list[str]:
    """Return the files with tests in files and folders."""
    listed = subprocess.run(["git", "ls-files", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.split() if Path(name).match("test_*.py")]
    return [name for name in files if not Path(name).match("test_browser*.py")]  # no browser is there


def main(words: list[str]) -> int:
    """Build, run and count; return the exit code."""
    goes_on, words = "--go-on" in words, [word for word in words if word != "--go-on"]
    fetch_tools(TOOLS)
    python, packages = fetch_python(FOLDER), [fetch_packages(FOLDER), fetch_test_packages(FOLDER)]
    checkout = FOLDER / "checkout"
    lay_out(checkout, compile_modules(FOLDER, python, TOOLS))
    begin(goes_on)
    known = {name for name, kind, _ in map(json.loads, _lines()) if kind == COMPLETE}
    files = [name for name in files_of(words or list(DEFAULT)) if name not in known]
    for first in range(0, len(files), PART):
        part = files[first : first + PART]
        if problem := run(part, python, checkout, packages):
            print(problem, file=sys.stderr)
            return 1
        with RESULT.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps([name, COMPLETE, ""]) + "\n" for name in part)
        print(f"{first + len(part)} of {len(files)} files", flush=True)
    results = list(outcomes(_lines()))
    for result in results:
        if result.kind in ("failed", "skipped"):
            print(f"{result.kind}: {result.place}::{result.name}: {result.text.splitlines()[:1]}")
    print(table(results))
    counts = Counter(result.kind for result in results)
    if not words:
        passed, failed, left_out, skipped = (counts[kind] for kind in KINDS)
        note_tests(WINDOWS, Counts(passed, failed, left_out, skipped))
    return 0 if share(counts) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
