"""The arguments of commands as typed values; code below the commands does not use a Namespace."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

Kind = TypeVar("Kind")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class Loading:
    """How to load worlds."""

    allow_missing: bool = False
    """Replace models that are not found by placeholders."""
    fetch: bool = False
    """Download missing models from the network."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class WindowOptions:
    """Whether and where to serve robot windows."""

    windows: bool
    view: bool
    """As `windows`."""
    port_windows: int | None
    """None: the first free port."""
    open: bool
    """Open the browser."""
    host_windows: str
    allow_host: Sequence[str]
    """Further host names by which browsers may reach the server."""

    @property
    def wants_windows(self) -> bool:
        """True if an option requests windows."""
        return self.windows or self.view or self.open or self.port_windows is not None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class MapOptions(Loading):
    """A hardware map, and the C project generated from it."""

    file: Path = Path("hardware.toml")
    out: Path | None = None
    """Folder of the C project; None: beside the map."""
    overwrite: bool = False
    """Replace files that were edited manually."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class VerifyOptions(MapOptions):
    """What to compare, and for how long."""

    world: Path | None = None
    """A world other than the map's."""
    steps: int = 0
    flavor: Sequence[str] | None = None
    firmware: Path | None = None
    """A program that was already built."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
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


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class Filmed:
    """Pictures and movies of a run."""

    movie: Path | None
    picture: Path | None
    """Of the end of the run."""
    view_size: tuple[int, int]
    """Width and height in pixels."""
    looks: str
    """Of pictures: "plain"; "view", which is fine but in cameras of robots; or "fine"."""
    sound: Path | None
    """A WAV file of what is heard."""
    animation: Path | None
    """The page of an animation in Webots' format."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # start-up: 0.4 ms each
class RunChoices(WindowOptions, Filmed, Loading):
    """A run of a world, see `wbridge run --help`."""

    duration: float | None
    """In s."""
    steps: int | None
    speed: float | None
    """Simulated seconds per second; None: as fast as possible."""
    seed: int | None
    threads: int | None
    """Maximum number of threads of the physics."""
    solver: str
    """Solver of exact steps of the physics."""
    record: Path | None
    plot: Sequence[str]
    """Values that a recorded page plots."""
    profile: bool
    """Measure where the time goes."""
    trace: Path | None
    """File for a timeline of the profile."""
    shadow: str | None
    json: bool
    quiet: bool
    save_worlds: Path | None
    """The folder in which pages may save worlds."""
    edit_controllers: bool
    """Pages may change controllers."""
    interventions: Path | None
    """File for what the user changes in the view."""
    replay: Path | None
    keys: Path | None
    """File of such changes that are repeated."""
    set: Sequence[tuple[str, str]]
    """Values that replace those of fields, by place (see wbridge.wbcore.scene.overrides)."""
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
    token: str
    """Which TCP controllers need a token: a key of `wbridge.running.admitting.TOKENS`."""
    dialect: str
    plugin_note: str
    """File that says which function of the physics plugin is being called; "": none."""


def options(kind: type[Kind], arguments: Namespace, **others: object) -> Kind:
    """Return the options of a kind (a dataclass) from the arguments with the names of its fields.

    Args:
        kind: the dataclass.
        arguments: result of the command's parser; it may have further arguments.
        others: values that override those of the arguments.
    """
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: others[name] if name in others else getattr(arguments, name) for name in names})
