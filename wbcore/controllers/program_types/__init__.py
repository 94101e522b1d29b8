"""Kinds of controllers by the file that is found, one module each.

A module has `ORDER` (kinds are tried from the smallest on), `LABEL` (for people), `find(folder,
name)`, which tells the file of a controller in its folder or None, and `command(program, ini, environment)`,
which returns the command line without the arguments or raises CannotStart. Dropping a module into this folder
adds a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from wbcore.controllers.runtime_ini import RuntimeIni

__all__ = ["CannotStart", "ProgramType", "Program", "program_types"]


class CannotStart(Exception):
    """A controller cannot be started; the message says what is missing and what helps."""


class Program(NamedTuple):
    """A controller that was found."""

    name: str
    """As in the field `controller`."""
    file: Path
    type: ProgramType
    folder: Path
    """The controller's folder, where it runs; the file may lie elsewhere."""


class ProgramType(Protocol):
    """What a module of this package offers."""

    ORDER: int
    LABEL: str

    def find(self, folder: Path, name: str) -> Path | None:
        """The file of the controller of this name in its folder, if it is of this kind."""

    def command(self, program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
        """The command line without the controller's arguments.

        Raises:
            CannotStart: something is missing on this machine.
        """


@cache
def program_types() -> tuple[ProgramType, ...]:
    """All kinds in the order in which they are tried."""
    names = sorted(one.stem for one in Path(__file__).parent.glob("[!_]*.py"))
    found = [cast(ProgramType, import_module(f"{__name__}.{name}")) for name in names]
    return tuple(sorted(found, key=lambda one: one.ORDER))
