"""What the arguments of commands mean, as typed values: below the commands nobody reads a Namespace."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

__all__ = [
    "BoardRun",
    "Loading",
    "MapOptions",
    "RunChoices",
    "VerifyOptions",
    "WindowOptions",
    "options",
]

Kind = TypeVar("Kind")


@dataclass(frozen=True, kw_only=True)
class Loading:
    """How worlds are loaded."""

    allow_missing: bool = False
    """Placeholders replace models that are not found."""
    fetch: bool = False
    """Models may be fetched from the network."""


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """Whether and where robot windows are served."""

    windows: bool
    port_windows: int | None
    """None: the first free one."""
    open: bool
    """Open the browser."""
    host_windows: str
    allow_host: Sequence[str]
    """Further names by which browsers may reach the server."""

    @property
    def wants_windows(self) -> bool:
        """True when one of the options says so."""
        return self.windows or self.open or self.port_windows is not None


@dataclass(frozen=True, kw_only=True)
class MapOptions(Loading):
    """A hardware map, and the C project that is made from it."""

    file: Path = Path("hardware.toml")
    out: Path | None = None
    """Folder of the C project; None: beside the map."""
    overwrite: bool = False
    """Replace files that were edited by hand."""


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(MapOptions):
    """What is compared, and for how long."""

    world: Path | None = None
    """Another world than the map's."""
    steps: int = 0
    flavor: Sequence[str] | None = None
    firmware: Path | None = None
    """A program that is already built."""


@dataclass(frozen=True, kw_only=True)
class BoardRun(Loading):
    """A simulation in which an emulated board drives the robot."""

    fast: bool = False
    duration: float | None = None
    """In s."""
    record: Path | None = None
    quiet: bool = False
    windows: bool = False
    open: bool = False
    port_windows: int | None = None


@dataclass(frozen=True, kw_only=True)
class RunChoices(WindowOptions, Loading):
    """A run of a world, see `wbridge run --help`."""

    duration: float | None
    """In s."""
    steps: int | None
    speed: float | None
    """Simulated seconds per second; None: as fast as possible."""
    seed: int | None
    record: Path | None
    shadow: str | None
    json: bool
    quiet: bool
    no_controllers: bool
    controller: Sequence[tuple[str, str]]
    inline: bool
    synchronous: bool
    prefix: bool
    fail_on_controller_error: bool
    timeout: float | None
    """In s."""
    port: int | None
    host: str
    dialect: str


def options(kind: type[Kind], arguments: Namespace, **others: object) -> Kind:
    """The options of a kind (a dataclass), taken from the arguments that bear the names of its fields.

    Args:
        kind: the dataclass.
        arguments: what the parser of the command returned; it may have more.
        others: values that go before those of the arguments.
    """
    names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: others[name] if name in others else getattr(arguments, name) for name in names})
