"""Types of controller programs, one module each.

A module has `ORDER` (lower numbers are tried first), `LABEL` (for messages), `find(folder, name)`, which
returns the file of a controller in its folder or None, and `command(program, ini, environment)`, which
returns the command line without the arguments or raises CannotStart. To add a type, add a module to this
folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

__all__ = ["CannotStart", "ProgramType", "Program", "program_types"]


class CannotStart(Exception):
    """Raised when a controller cannot be started; the message says what is missing and how to fix it."""


class Program(NamedTuple):
    """A controller that was found."""

    name: str
    """As in the field `controller`."""
    file: Path
    type: ProgramType
    folder: Path
    """The controller's folder, in which it runs; the file may be elsewhere."""


class ProgramType(Protocol):
    """The interface of the modules in this package."""

    ORDER: int
    LABEL: str

    def find(self, folder: Path, name: str) -> Path | None:
        """Return the controller's file in its folder if it is of this type, else None."""

    def command(self, program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
        """Return the command line without the controller's arguments.

        Raises:
            CannotStart: something is missing on this machine.
        """


@cache
def program_types() -> tuple[ProgramType, ...]:
    """Return all types in the order in which they are tried."""
    names = sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py"))
    found = [cast("ProgramType", import_module(f"{__name__}.{name}")) for name in names]
    return tuple(sorted(found, key=lambda kind: kind.ORDER))
