"""Flavors: what a firmware does, and what the file flavor.toml of each tells."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from wbfirmware.template_folders import read_toml, templates_path

__all__ = ["Flavor", "load_flavor"]


class Flavor(NamedTuple):
    """A kind of firmware."""

    name: str
    folder: Path
    about: str
    parts: list[str]
    """Sources of the project that it needs; frame is the one for the wire."""
    made: list[str]
    """Sources that are made from the device table and the hardware map."""
    drivers: bool
    """Drivers serve the devices."""
    controller: bool
    """The user's controller is compiled in."""
    text: bool = False
    """What the controller prints goes to the wire."""

    @property
    def sources(self) -> list[Path]:
        """Its own C files, sorted."""
        return sorted(self.folder.glob("*.c"))


@cache
def load_flavor(name: str) -> Flavor:
    """The flavor of this name; it must be one of `flavor_names()`."""
    folder = templates_path() / "flavors" / name
    return Flavor(name, folder, **read_toml((folder / "flavor.toml").read_text(encoding="utf-8")))
