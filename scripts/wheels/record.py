"""What became of each wheel and each platform, and the tables of it in docs/releasing.md.

python -m scripts.wheels.record [--check]

Writes the tables from the record `scripts/wheels/tried.json`, in which `python -m scripts.wheels.rooms` and
`python -m scripts.windows.room` note what they try, and from that of the tests (scripts.wheels.platforms).
With --check, it exits with 1 if others are there.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from scripts.controller_wheel import OLDEST
from scripts.macos.build import SYSTEMS as MACOS
from scripts.wheels.finish import tag
from scripts.wheels.platforms import platform_table
from scripts.wheels.targets import PYTHONS, STABLE, SYSTEMS, compact
from scripts.wheels.trials import Trial
from scripts.windows.wheel import TAG

__all__ = ["PAGE", "RECORD", "Trial", "known_wheels", "note", "page_with", "read", "short", "table"]

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("tried.json")
PAGE = ROOT / "docs" / "releasing.md"
START, END = "<!-- python -m scripts.wheels.record writes this table -->\n", "<!-- end of the table -->\n"
PLATFORMS = "<!-- python -m scripts.wheels.record writes this table of platforms -->\n"
HEADS = ("wheel", "size", "installed in", "state hashes", "first picture after", "left by uninstalling")
UNTRIED = "not built by the last trial"


def short(name: str) -> str:
    """Return the project of a wheel and its tag, of the name of its file."""
    project, _, *tag = name.removesuffix(".whl").split("-")
    return f"{project} {'-'.join(tag)}"


def known_wheels() -> list[str]:
    """Return the project and tag of each wheel of a release."""
    robotics = [tag(version, system) for version in PYTHONS for system in SYSTEMS.values()]
    clients = [f"{compact(OLDEST)}-abi3-{system.platform}" for system in SYSTEMS.values()]
    foreign = [TAG, tag(STABLE, MACOS["arm64"])]  # the one for macOS on x86-64 has not been built whole yet
    names = {"wbridge_robotics": [*robotics, *foreign], "wbridge_controller": clients}
    return sorted(f"{project} {each}" for project, tags in names.items() for each in tags)


def read() -> list[Trial]:
    """Return what is noted."""
    if not RECORD.exists():
        return []
    return [Trial(**fields) for fields in json.loads(RECORD.read_text("utf-8"))]


def note(trial: Trial) -> None:
    """Note a trial, in the place of an earlier one of the wheel in the same room."""
    others = [each for each in read() if (each.wheel, each.room) != (trial.wheel, trial.room)]
    if trial.room:  # it is no longer one that is built only
        others = [each for each in others if each.wheel != trial.wheel or each.room]
    trials = sorted([*others, trial], key=lambda each: (each.wheel, each.room))
    RECORD.write_text(json.dumps([each._asdict() for each in trials], indent=1) + "\n", "utf-8")


def table(trials: list[Trial]) -> str:
    """Return the table in Markdown; wheels without a trial have a row, too."""
    missing = set(known_wheels()) - {trial.wheel for trial in trials}
    rows = [list(HEADS), ["---"] * len(HEADS), *(trial.row() for trial in trials)]
    rows += [[f"`{wheel}`", "", UNTRIED, "", "", ""] for wheel in sorted(missing)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page_with(text: str, trials: list[Trial]) -> str:
    """Return the text of a page with the tables between their marks."""
    for start, lines in ((START, table(trials)), (PLATFORMS, platform_table(trials))):
        between = re.compile(f"(?<={re.escape(start)}).*?(?={re.escape(END)})", re.DOTALL)
        text = between.sub(lines.replace("\\", r"\\"), text)
    return text


def main(arguments: list[str]) -> int:
    """Write or check the table; return the exit code."""
    former = PAGE.read_text("utf-8")
    text = page_with(former, read())
    if "--check" in arguments:
        print("the tables are up to date" if text == former else "run python -m scripts.wheels.record")
        return int(text != former)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
