"""A checklist for a real robot: steps that run by themselves or ask a person, and one report to send.

The report names the board, the software and the results. It has no addresses, names of networks or people,
tokens, paths, or serial numbers.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.installation import installation
from wbridge.hal.link.errors import LinkError
from wbridge.hal.printable import printable
from wbridge.wbfirmware.bringup.device_test import FAILED, PASSED, SKIPPED, YES, Dialog, Skipped

LONGEST_MINUTES = 15
"""Of a whole checklist."""
DIFFERS = "differs"
"""Result of a step in which the robot did something else than expected."""
ENDED = "ended"
"""Result of a step within which the user has ended the checklist."""


class Finding(NamedTuple):
    """The result of a step."""

    result: str
    """passed, differs, failed or skipped."""
    text: str = ""
    """What was measured or observed."""


class Step(NamedTuple):
    """A step of a checklist."""

    title: str
    minutes: float
    """About how long it takes."""
    run: Callable[[Dialog], Finding]
    """Raises LinkError if the robot is lost, Skipped if the user skips the step."""
    details: Callable[[], list[str]] = list
    """Lines about its parts, as far as they have been done."""


class Row(NamedTuple):
    """A line of the report."""

    title: str
    finding: Finding
    seconds: float
    details: list[str]


def confirmed(dialog: Dialog, question: str, measured: str = "") -> Finding:
    """Ask a person whether the robot did what it must.

    Raises:
        Skipped: the user skips the step.
    """
    is_right = dialog.ask(question, YES) == "y"
    return Finding(PASSED if is_right else DIFFERS, measured)


class Checklist:
    """The steps of one robot, and what they have shown."""

    def __init__(self, name: str, facts: dict[str, str], steps: Sequence[Step], dialog: Dialog) -> None:
        """
        Args:
            name: of the kind of robot, for example "uno".
            facts: of the robot and its software, for the report.
            steps: of at most `LONGEST_MINUTES` in all.
            dialog: the user.
        """
        self._name, self._facts, self._steps, self._dialog = name, facts, steps, dialog
        self.rows: list[Row] = []

    def run(self) -> bool:
        """Do all steps; True if all of them passed. After a lost link the others are still tried."""
        total = len(self._steps)
        minutes = sum(step.minutes for step in self._steps)
        self._dialog.say(f"{total} steps, about {minutes:.0f} minutes. s skips a step; Ctrl-C ends.")
        for number, step in enumerate(self._steps, 1):
            self._dialog.say(f"\n[{number}/{total}] {step.title} (about {step.minutes:g} min)")
            start = time.monotonic()
            finding = Finding(ENDED)
            try:
                finding = self._result(step)
            finally:  # what was done before Ctrl-C is in the report, too
                self.rows.append(Row(step.title, finding, time.monotonic() - start, step.details()))
            self._dialog.say(": ".join(filter(None, finding)))
        return all(row.finding.result == PASSED for row in self.rows)

    def _result(self, step: Step) -> Finding:
        try:
            return step.run(self._dialog)
        except Skipped:
            return Finding(SKIPPED)
        except LinkError as problem:
            return Finding(FAILED, _kind(problem))  # its text may have an address

    def report(self, remark: str) -> str:
        """Return the report: results so far, and what the user has added."""
        facts = {
            "checklist": self._name,
            "wbridge": installation().version,
            **self._facts,
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "python": platform.python_version(),
        }
        lines = [f"{name}: {printable(value)}" for name, value in facts.items()]
        results = [line for row in self.rows for line in _lines(row)]
        lines += ["", *results, "", f"remark: {printable(remark) or 'none'}"]
        return "\n".join(lines) + "\n"


def _kind(problem: LinkError) -> str:
    """Return what kind of problem it is, in words."""
    words = (type(problem).__doc__ or type(problem).__name__).rstrip(".")
    return words[:1].lower() + words[1:]


def _lines(row: Row) -> list[str]:
    text = f": {printable(row.finding.text)}" if row.finding.text else ""
    own = f"{row.finding.result:9} {row.seconds:5.0f} s  {row.title}{text}"
    return [own, *(f"    {printable(detail)}" for detail in row.details)]


def write_report(path: Path, text: str) -> None:
    """Write a report.

    Raises:
        OSError: it cannot be written.
    """
    path.write_text(text, encoding="utf-8")
