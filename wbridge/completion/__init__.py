"""Completion of commands, actions, options and their values, for bash, zsh and fish.

The scripts are generated from the parsers, so they always fit the installed version.
"""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from wbridge.main import parser_of, verbs
from wbridge.parsing import actions_of
from wbridge.projects.samples import samples
from wbridge.wbfirmware.template_folders import board_folders

__all__ = ["Command", "Option", "commands"]


def _boards() -> list[str]:
    return sorted(board_folders())


def _samples() -> list[str]:
    return [sample.name for sample in samples()]


_VALUES: dict[str, Callable[[], Iterable[str]]] = {"BOARD": _boards, "SAMPLE": _samples}
"""Values of arguments that a folder lists, by the arguments' names in the help."""


class Option(NamedTuple):
    """An option, or an argument without a name."""

    names: tuple[str, ...]
    """For example ("-q", "--quiet"); empty for an argument."""
    help: str
    takes_value: bool
    values: tuple[str, ...]
    """The allowed values; empty: any, mostly a file."""


class Command(NamedTuple):
    """A command, or an action of a command."""

    words: tuple[str, ...]
    """For example ("firmware", "build")."""
    help: str
    options: tuple[Option, ...]
    actions: tuple[str, ...]


def commands() -> list[Command]:
    """Return all commands, and the actions of those that have some."""
    return [command for verb in verbs() for command in _tree((verb,), parser_of(verb))]


def _tree(words: tuple[str, ...], parser: ArgumentParser) -> Iterator[Command]:
    below = actions_of(parser)
    shown = [action for action in parser._actions if not isinstance(action, _SubParsersAction)]
    options = tuple(_option(action) for action in shown if action.help != SUPPRESS)
    yield Command(words, plain(parser.description or ""), options, tuple(below))
    for name, own in below.items():
        yield from _tree((*words, name), own)


def _option(action: Action) -> Option:
    text = (action.help or "") % {**vars(action), "prog": ""} if "%" in (action.help or "") else action.help
    values = tuple(map(str, action.choices or _VALUES.get(str(action.metavar), tuple)()))
    return Option(tuple(action.option_strings), plain(text or ""), action.nargs != 0, values)


def plain(text: str) -> str:
    """Return the first clause of a help text, without characters that shells or their formats interpret."""
    short = re.split(r"[;:(]|, for example", text)[0].strip()
    return re.sub(r"[\"'`$<>\\\[\]:!]", "", short)
