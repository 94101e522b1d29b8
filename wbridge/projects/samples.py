"""The sample worlds that come with wbridge, and copies of them to work on.

A sample is described by its own world: the line of `WorldInfo.info`, and the controllers and plugins that its
fields name.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from wbridge.failures import InputError
from wbridge.projects.folders import written
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.diagnostics import did_you_mean, nearest_name

_INFO = re.compile(r'^  info \[\s*"([^"]*)"', re.MULTILINE)
_CONTROLLER = re.compile(r'^\s*controller "([^"<]+)"$', re.MULTILINE)
_PLUGIN = re.compile(r'^\s*(physics|window) "([^"<]+)"$', re.MULTILINE)
_FILE = re.compile(r'"([\w./-]+\.(?:png|jpg|hdr|wav|mp3|obj|dae|stl))"')
_MOTIONS = re.compile(r"\bmotions/")
_MAP_CONTROLLER = re.compile(r'^controller = "\.\./controllers/([\w-]+)"', re.MULTILINE)
_FOLDERS = {"physics": "physics", "window": "robot_windows"}
"""The folder in `plugins/` for each field that names a plugin."""
_BUILT = shutil.ignore_patterns("__pycache__", "build", "*.so", "*.class")


class Sample(NamedTuple):
    """A world that comes with wbridge."""

    name: str
    """Name of the world's file without its suffix."""
    text: str
    """What the world shows, one line."""
    world: Path

    @property
    def maps(self) -> list[Path]:
        """The hardware maps of its robot."""
        return sorted(self.world.parent.glob(f"{self.name}_*.toml"))

    @property
    def controllers(self) -> list[str]:
        """Names of the controllers in the world and in its hardware maps."""
        texts = [*_CONTROLLER.findall(self.world.read_text(encoding="utf-8"))]
        for mapping in self.maps:
            texts += _MAP_CONTROLLER.findall(mapping.read_text(encoding="utf-8"))
        return sorted(set(texts))

    def files(self) -> list[Path]:
        """The files and folders that the sample needs, relative to the project that it is in."""
        text = self.world.read_text(encoding="utf-8")
        project = self.world.parents[1]
        parts = [Path("worlds", mapping.name) for mapping in (self.world, *self.maps)]
        parts += [Path("controllers", controller) for controller in self.controllers]
        parts += [Path("plugins", _FOLDERS[kind], name) for kind, name in _PLUGIN.findall(text)]
        parts += [Path("worlds", one) for one in sorted(set(_FILE.findall(text)))]
        if any(_MOTIONS.search(program.read_text(encoding="utf-8")) for program in self._programs(project)):
            parts.append(Path("motions"))
        return [part for part in parts if (project / part).exists()]

    def _programs(self, project: Path) -> Iterator[Path]:
        for name in self.controllers:
            yield from (project / "controllers" / name).glob("*.py")


def samples() -> list[Sample]:
    """Return all samples, sorted by name.

    Raises:
        OSError: the files that come with wbridge cannot be unpacked (see `builtin_directory`).
    """
    worlds = sorted((builtin_directory() / "worlds").glob("*.wbt"))
    return [Sample(world.stem, _first_line(world), world) for world in worlds]


def _first_line(world: Path) -> str:
    match = _INFO.search(world.read_text(encoding="utf-8"))
    return match[1] if match else ""


def find_sample(name: str) -> Sample:
    """Return a sample by its name, with or without `.wbt`.

    Raises:
        InputError: there is none of this name.
    """
    known = {sample.name: sample for sample in samples()}
    wanted = name.removesuffix(".wbt")
    if wanted in known:
        return known[wanted]

    near = did_you_mean(wanted, known) or _by_beginning(wanted, known)
    raise InputError(f"no sample '{name}'{near}; list all samples with: wbridge samples")


CLOSE = 0.75
"""How much a name resembles the one that is meant, at least; 1: equal."""


def _by_beginning(wanted: str, names: Iterable[str]) -> str:
    """Return the sample whose first words resemble a name, as the end of a message: epuk, epuck_arena."""
    by_word = {name.partition("_")[0]: name for name in names}
    near = nearest_name(wanted, by_word, CLOSE)
    return f"; did you mean '{by_word[near]}'?" if near else ""


def copy_sample(sample: Sample, folder: Path) -> Path:
    """Copy a sample with all it needs into a project folder; return the path of the copied world.

    Args:
        sample: the sample.
        folder: the project; it may have files, but none of the sample's.

    Raises:
        InputError: a file of the sample exists, or the folder belongs to an installed package.
        RunError: the folder cannot be written.
    """
    source = sample.world.parents[1]
    parts = sample.files()
    for part in parts:
        if (folder / part).exists() and part != Path("motions"):
            raise InputError(f"{folder / part} exists; remove it, or name another folder")
    with written(folder):
        for part in parts:
            target = folder / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if (source / part).is_dir():
                shutil.copytree(source / part, target, ignore=_BUILT, dirs_exist_ok=True)
            else:
                shutil.copyfile(source / part, target)
    return folder / "worlds" / sample.world.name
