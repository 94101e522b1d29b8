"""Run tests under Wine as on Windows, and count them: python -m scripts.windows.suite [TEST ...]

TEST: files or folders below tests/; by default those of scenes, physics, the API, controllers and recordings.
Prints a table, and each test that fails or is skipped. Exits with 1 if less than 90 % of the tests pass. What
reasons.toml leaves out counts as passed, other skips as failures.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from scripts.portable.tools import fetch_tools
from scripts.windows.build import MODULES, compile_modules
from scripts.windows.listed import START
from scripts.windows.python import fetch_packages, fetch_python, fetch_test_packages
from scripts.windows.wine import start, windows_path

__all__ = ["Outcome", "outcomes", "share", "table"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "windows"
TOOLS = ROOT / "build" / "portable" / "tools"
DEFAULT = ("tests/scene", "tests/physics", "tests/hal", "tests/controllers", "tests/recordings")
LEAST = 0.9
"""The share of the tests that must pass or have a reason in the list."""
MOST_S = 300
"""A test that takes longer (s) hangs; its process is ended."""
KINDS = ("passed", "failed", "left out", "skipped")


class Outcome(NamedTuple):
    """What became of a test."""

    place: str
    """Its file, as a module."""
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
        shutil.copy(compiled / made, target / place)


def run(words: list[str], report: Path, python: Path, checkout: Path, places: list[Path]) -> str:
    """Run tests under Wine; return the end of what pytest prints.

    Args:
        words: the tests.
        report: the file that is written.
        python: the folder of Python for Windows.
        checkout: the folder of the tests.
        places: folders of packages.
    """
    options = ["-q", "-n", "1", f"--timeout={MOST_S}", "-p", "no:cacheprovider"]
    options += ["-p", "wbridge.pytest_plugin", "-p", "scripts.windows.listed"]
    options += ["--continue-on-collection-errors", f"--junitxml={windows_path(report)}"]
    path = [checkout / "src", checkout, *places]
    done = start(python, ["-m", "pytest", *options, *words], path, FOLDER, TOOLS, checkout)
    return (done.stdout + done.stderr)[-2000:]


def outcomes(report: str) -> Iterator[Outcome]:
    """Return what became of each test, of a report in JUnit's format."""
    for case in ElementTree.fromstring(report).iter("testcase"):
        place, name = case.get("classname", ""), case.get("name", "")
        kind, text = "passed", ""
        for part in case:
            text = part.get("message", "")
            if part.tag in ("failure", "error"):
                kind = "failed"
                break
            if part.tag == "skipped":
                text += part.text or ""  # of a file: the reason is there
                kind = "left out" if START in text else "skipped"
        yield Outcome(place, name, kind, text)


def share(counts: Counter[str]) -> float:
    """Return the share of tests that pass or are left out for a reason, by the number of each kind."""
    return (counts["passed"] + counts["left out"]) / max(1, sum(counts.values()))


def table(found: list[Outcome]) -> str:
    """Return the numbers of tests of each folder and of each kind, as a table in Markdown."""
    folders: dict[str, Counter[str]] = {}
    for each in found:
        words = each.place.split(".") if each.place else each.name.split(".")  # a file that is not imported
        folders.setdefault("/".join(words[:2]), Counter())[each.kind] += 1
    folders["all"] = sum(folders.values(), Counter())
    lines = ["| tests | " + " | ".join(KINDS) + " | share |", "| --- |" + " --- |" * (len(KINDS) + 1)]
    for name, counts in folders.items():
        cells = [f"{counts[kind]:,}" for kind in KINDS]
        lines.append(f"| {name} | {' | '.join(cells)} | {share(counts):.1%} |")
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """Build, run and count; return the exit code."""
    fetch_tools(TOOLS)
    python, packages = fetch_python(FOLDER), [fetch_packages(FOLDER), fetch_test_packages(FOLDER)]
    checkout, report = FOLDER / "checkout", FOLDER / "tests.xml"
    lay_out(checkout, compile_modules(FOLDER, python, TOOLS))
    report.unlink(missing_ok=True)
    end = run(words or list(DEFAULT), report, python, checkout, packages)
    if not report.is_file():
        print(end, file=sys.stderr)
        return 1
    results = list(outcomes(report.read_text(encoding="utf-8")))
    for result in results:
        if result.kind in ("failed", "skipped"):
            print(f"{result.kind}: {result.place}::{result.name}: {result.text.splitlines()[:1]}")
    print(table(results))
    return 0 if share(Counter(result.kind for result in results)) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
