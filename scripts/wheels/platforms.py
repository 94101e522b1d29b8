"""What was tried on each platform: a table in docs/releasing.md, which scripts.wheels.record writes.

`python -m scripts.windows.suite` notes its tests in `scripts/wheels/tested.json`. Those of a checkout are
noted by python -m scripts.wheels.platforms PLATFORM PASSED FAILED SKIPPED
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.wheels.trials import Trial

__all__ = [
    "COUNTS",
    "PLATFORMS",
    "WINDOWS",
    "Counts",
    "note_tests",
    "platform_of",
    "platform_table",
    "noted_tests",
]

COUNTS = Path(__file__).with_name("tested.json")
WINDOWS = "Windows x86-64, under Wine"
PLATFORMS = {
    "cp310-cp310-manylinux_2_28_x86_64": "Linux x86-64, Python 3.10",
    "cp311-cp311-manylinux_2_28_x86_64": "Linux x86-64, Python 3.11",
    "cp312-abi3-manylinux_2_28_x86_64": "Linux x86-64, Python 3.12 and later",
    "cp310-cp310-manylinux_2_28_aarch64": "Linux AArch64, Python 3.10",
    "cp311-cp311-manylinux_2_28_aarch64": "Linux AArch64, Python 3.11",
    "cp312-abi3-manylinux_2_28_aarch64": "Linux AArch64, Python 3.12 and later",
    "cp312-abi3-win_amd64": WINDOWS,
    "cp312-abi3-macosx_11_0_arm64": "macOS on Apple's processors, from 11",
    "cp312-abi3-macosx_10_13_x86_64": "macOS on x86-64, from 10.13",
}
"""Names by the tags of wheels."""
PROJECT = "wbridge_robotics "
HEADS = (
    "platform",
    "wheel",
    "installed in",
    "state hashes",
    "tests run",
    "passed",
    "failed",
    "left out",
    "skipped",
)


class Counts(NamedTuple):
    """How tests ended on a platform."""

    passed: int
    failed: int
    left_out: int
    """For a reason in scripts/windows/reasons.toml."""
    skipped: int
    share: str = ""
    """Which part of the tests ran; "": all."""


def noted_tests() -> dict[str, Counts]:
    """Return what is noted, by platform."""
    if not COUNTS.exists():
        return {}
    return {name: Counts(**fields) for name, fields in json.loads(COUNTS.read_text("utf-8")).items()}


def note_tests(platform: str, tests: Counts) -> None:
    """Note how tests ended, in the place of an earlier note on the platform."""
    noted = {**noted_tests(), platform: tests}
    content = {name: each._asdict() for name, each in sorted(noted.items())}
    COUNTS.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def platform_of(wheel: str) -> str | None:
    """Return the platform of a wheel, by project and tag; None for those of other projects."""
    return PLATFORMS.get(wheel.removeprefix(PROJECT)) if wheel.startswith(PROJECT) else None


def platform_table(trials: Iterable[Trial]) -> str:
    """Return the table in Markdown, with a row for each platform."""
    found: dict[str, list[Trial]] = {name: [] for name in PLATFORMS.values()}
    for trial in trials:
        if (name := platform_of(trial.wheel)) is not None:
            found[name].append(trial)
    tests = noted_tests()
    rows = [list(HEADS), ["---"] * len(HEADS), *(_row(name, found[name], tests.get(name)) for name in found)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(name: str, trials: list[Trial], tests: Counts | None) -> list[str]:
    rooms = [trial for trial in trials if trial.room]
    builds = "builds" if trials else "not built"
    places = "; ".join(trial.room for trial in rooms) or "nowhere"
    differing = [trial.differs for trial in rooms if trial.differs]
    hashes = "; ".join(differing) or ("all equal" if rooms else "not run")
    if tests is None:
        return [name, builds, places, hashes, "not run", "", "", "", ""]
    counts = (sum(tests[:4]), *tests[:4])
    cells = [f"{count:,}" for count in counts]
    cells[0] += f" ({tests.share})" if tests.share else ""
    return [name, builds, places, hashes, *cells]


def main(words: Sequence[str]) -> int:
    """Note the tests of a checkout; return the exit code."""
    if len(words) != 4 or words[0] not in PLATFORMS.values():
        print(
            f"expected PLATFORM PASSED FAILED SKIPPED; platforms: {'; '.join(PLATFORMS.values())}",
            file=sys.stderr,
        )
        return 2
    passed, failed, skipped = map(int, words[1:])
    note_tests(words[0], Counts(passed, failed, 0, skipped))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
