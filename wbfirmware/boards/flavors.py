"""Flavors, which define what a firmware does, as declared in their files flavor.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from wbridge.wbfirmware.template_folders import read_toml, templates_path


class Flavor(NamedTuple):
    """A kind of firmware."""

    name: str
    folder: Path
    about: str
    parts: list[str]
    """Source files of the project that it needs; frame is replaced by the one for the wire."""
    made: list[str]
    """Sources generated from the device table and the hardware map."""
    drivers: bool
    """True if drivers serve the devices."""
    controller: bool
    """True if the user's controller is compiled in."""
    text: bool = False
    """True if the controller's output goes to the wire."""

    @property
    def sources(self) -> list[Path]:
        """Return its own C files, sorted."""
        return sorted(self.folder.glob("*.c"))


@cache
def load_flavor(name: str) -> Flavor:
    """Load the flavor of this name; it must be one of `flavor_names()`."""
    folder = templates_path() / "flavors" / name
    return Flavor(name, folder, **read_toml((folder / "flavor.toml").read_text(encoding="utf-8")))
