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
import os
import shutil
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
MOST_S = 150
"""A test that takes longer (s) hangs; its process is ended."""
PART = 4
"""Files that one process runs."""
WORKERS = 4
"""Processes at the same time; most of the time, each waits for Wine or for a limit of time."""
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
    """Make RESULT ready: an empty file, or that of an interrupted run without the tests that it was at."""
    kept = _lines(RESULT) if goes_on else []
    for file in FOLDER.glob(f"worker-*/{RESULT.name}"):
        lines = _lines(file) if goes_on else []
        if lines and json.loads(lines[-1])[1] == BEGUN:
            lines.pop()
        kept += [line for line in lines if line not in kept]
        file.unlink()
    RESULT.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def run_part(files: list[str], worker: Path, python: Path, checkout: Path, places: list[Path]) -> str:
    """Run tests under Wine, and add to RESULT; return what pytest says if it cannot go on, else "".

    A test that takes too long, or ends its process, is the last of it; another process runs the others.

    Args:
        files: of the tests.
        worker: a folder for the results, and Wine's own files, which no other process uses.
        python: the folder of Python for Windows.
        checkout: the folder of the tests.
        places: folders of packages.
    """
    options = ["-q", f"--timeout={MOST_S}", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-p", "wbridge.pytest_plugin", "-p", "scripts.windows.listed"]
    options.append("--continue-on-collection-errors")
    path = [checkout / "src", checkout, *places]
    result = worker / RESULT.name
    former = [line for line in _lines(RESULT) if json.loads(line)[0].partition("::")[0] in files]
    result.write_text("".join(line + "\n" for line in former), encoding="utf-8")
    variables = {RESULTS: windows_path(result)}
    length = -1
    while length < len(_lines(result)):
        length = len(_lines(result))
        done = start(python, ["-m", "pytest", *options, *files], path, worker, TOOLS, checkout, variables)
        if _lines(result) and json.loads(_lines(result)[-1])[1] == ENDED:
            _add(_lines(result)[len(former) :], files)
            result.unlink()
            return ""
        end_all(worker, TOOLS)
    return (done.stdout + done.stderr)[-2000:]


def furnish(worker: Path, python: Path) -> None:
    """Give a worker files of Wine of its own, unless it has them: links to those here, but what is written.

    Args:
        worker: its folder.
        python: the folder of Python for Windows.
    """
    if not (FOLDER / "wine").is_dir():
        start(python, ["-c", ""], [], FOLDER, TOOLS, FOLDER)
        end_all(FOLDER, TOOLS)
    if (worker / "wine").is_dir():
        return
    worker.mkdir(parents=True, exist_ok=True)
    for name in ("drive_c/users", "dosdevices"):
        shutil.copytree(FOLDER / "wine" / name, worker / "wine" / name, symlinks=True)
    for file in filter(Path.is_file, (FOLDER / "wine").iterdir()):
        shutil.copy2(file, worker / "wine")
    for folder in (each for each in (FOLDER / "wine" / "drive_c").iterdir() if each.name != "users"):
        place = worker / "wine" / "drive_c" / folder.name
        shutil.copytree(folder, place, symlinks=True, copy_function=os.link)


def _add(lines: list[str], files: list[str]) -> None:
    """Add the results of files, which are complete."""
    lines = [*lines, *(json.dumps([name, COMPLETE, ""]) for name in files)]
    with RESULT.open("a", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))  # at once: other workers add theirs


def run(files: list[str], python: Path, checkout: Path, places: list[Path]) -> list[str]:
    """Run the tests of files under Wine; return what pytest says where it cannot go on.

    Args:
        files: of the tests.
        python: the folder of Python for Windows.
        checkout: the folder of the tests.
        places: folders of packages.
    """
    problems: list[str] = []
    parts = deque(files[first : first + PART] for first in range(0, len(files), PART))

    def work(number: int) -> None:
        furnish(FOLDER / f"worker-{number}", python)
        while parts and not problems:
            part = parts.popleft()
            if problem := run_part(part, FOLDER / f"worker-{number}", python, checkout, places):
                problems.append(problem)
            else:
                print(f"{len(parts) * PART} of {len(files)} files are left", flush=True)

    with ThreadPoolExecutor(WORKERS) as pool:
        for done in [pool.submit(work, number) for number in range(WORKERS)]:
            done.result()
    return problems


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
    known = {name for name, kind, _ in map(json.loads, _lines(RESULT)) if kind == COMPLETE}
    files = [name for name in files_of(words or list(DEFAULT)) if name not in known]
    if problems := run(files, python, checkout, packages):
        print("\n".join(problems), file=sys.stderr)
        return 1
    results = list(outcomes(_lines(RESULT)))
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
