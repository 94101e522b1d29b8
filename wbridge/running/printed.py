"""Pass what controllers print on to windows and recordings."""

from __future__ import annotations

from typing import Protocol


class TakesLines(Protocol):
    """What shows or keeps lines."""

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Take a line: `kind` is "stdout", "stderr", "info", "warning" or "error"."""


class Printed:
    """The output of controllers, line by line, for all that are in `targets`."""

    def __init__(self, *targets: TakesLines) -> None:
        self.targets = [*targets]

    def __call__(self, robot: str, text: str, is_error: bool) -> None:
        """Pass on what a robot's controller has printed."""
        for line in text.removesuffix("\n").split("\n"):
            for target in self.targets:
                target.say(line, "stderr" if is_error else "stdout", robot)
