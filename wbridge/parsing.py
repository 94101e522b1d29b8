"""A parser of command arguments whose errors also name the nearest argument."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LONGEST_USAGE = 3
"""Lines of a command's usage that an error repeats; of longer ones it shows what has to be there."""
_WRONG_CHOICE = re.compile(r"invalid choice: '([^']*)'")


class HelpfulParser(ArgumentParser):
    """An `ArgumentParser` with more helpful errors."""

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for its own callers
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Namespace, list[str]]:
        """Parse the arguments; unknown ones are an error of the (sub)command that they follow."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [name for action in self._actions for name in action.option_strings]
            wrong = next((word for word in unknown if word.startswith("-")), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_nearest(wrong, options)}")
        return found, unknown

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print a text. argparse itself ignores a full disk."""
        if message:
            (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Report what is wrong, what is allowed and the nearest match; exit with code 2."""
        choices = [str(choice) for action in self._actions for choice in action.choices or ()]
        wrong = _WRONG_CHOICE.search(message)
        if wrong is not None:
            message += _nearest(wrong[1], choices)
        elif message.endswith("required: ACTION"):
            message += f"; allowed: {', '.join(choices)}"
        super().error(message)

    def format_usage(self) -> str:
        """Return the usage for an error: without the options if there are many."""
        usage = super().format_usage()
        if usage.count("\n") <= LONGEST_USAGE:
            return usage
        formatter = self.formatter_class(prog=f"{self.prog} [OPTIONS]")
        formatter.add_usage(None, self._get_positional_actions(), [])
        return f"{formatter.format_help().rstrip()}\nall options: {self.prog} --help\n"


def actions_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the parsers of a command's actions, by their names; empty for most commands."""
    groups = [action.choices for action in parser._actions if isinstance(action, _SubParsersAction)]
    return {name: own for group in groups for name, own in group.items()}


def _nearest(name: str, known: Sequence[str]) -> str:
    from wbridge.wbcore.scene.diagnostics import did_you_mean  # start-up: 15 ms, only for messages

    return did_you_mean(name.partition("=")[0], known)
