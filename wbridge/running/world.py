"""The world of a command, and its robots."""

from __future__ import annotations

import logging
import os
import shlex
from argparse import ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.options import Loading
from wbridge.wbcore.controllers.link_quality import LinkQuality, split_link
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbcore.scene.overrides import OverrideError
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.words import counted

if TYPE_CHECKING:
    from wbridge.wbcore.scene.node import Node

__all__ = ["choose_robot", "load", "load_with_link", "must_exist", "place_and_value", "robots_by_name"]


_LOG = logging.getLogger("wbridge")
MOST_NAMED = 5
"""Maximum worlds of a folder in a message."""


def load(path: Path, loading: Loading, fields: Mapping[str, str] | None = None) -> World:
    """Load the world in a file.

    Args:
        path: the file.
        loading: how to load it.
        fields: values that replace those of fields, by place.

    Raises:
        InputError: the file is not a world, or has errors; all are listed.
    """
    if path.suffix != ".wbt":
        raise InputError(f"{path}: expected a world (.wbt){_worlds_in(path)}")
    must_exist(path)
    world = load_checked(path, LoadOptions(loading.allow_missing, loading.fetch, fields=fields or {}))
    if world.report.errors:
        raise InputError("\n".join(map(str, [f"{world.path} has errors:", *world.report.errors])))
    count = len(world.report.warnings) + world.report.dropped
    if count:
        _LOG.info(
            "%s: %s; for details: wbridge check %s", path, counted(count, "warning"), shlex.quote(str(path))
        )
    return world


def load_with_link(path: Path, loading: Loading, values: Mapping[str, str]) -> tuple[World, LinkQuality]:
    """Load the world in a file, and return it with the quality of the links of its controllers.

    Args:
        path: the file.
        loading: how to load it.
        values: of fields and of `link.latency` and the like, by place.

    Raises:
        InputError: the file is not a world, or has errors, or a value of the link is invalid.
    """
    try:
        fields, quality = split_link(values)
    except OverrideError as problem:
        raise InputError(str(problem)) from None
    return load(path, loading, fields), quality


def place_and_value(text: str) -> tuple[str, str]:
    """Parse an argument NODE.FIELD=VALUE."""
    place, equals, value = text.partition("=")
    if not place or not equals:
        raise ArgumentTypeError(f"'{text}' is not NODE.FIELD=VALUE")
    return place, value


def must_exist(path: Path) -> None:
    """Report the nearest file of the same type if a file does not exist.

    Raises:
        InputError: the file does not exist.
    """
    if os.path.lexists(path):
        return

    beside = [str(file) for file in sorted(path.parent.glob(f"*{path.suffix}"))]
    folder = path.parent if path.parent.is_dir() else path.parent.parent
    found = did_you_mean(str(path), beside) or _sample(path) or _worlds_in(folder) or _beginnings(path)
    raise InputError(f"{path}: no such file{found}")


def _sample(path: Path) -> str:
    """Return how to get a sample of this name, as the end of a message; "" if there is none."""
    is_sample = path.suffix == ".wbt" and (builtin_directory() / "worlds" / path.name).is_file()
    return f"; to work on the sample of this name: wbridge samples {path.stem}" if is_sample else ""


def _beginnings(path: Path) -> str:
    """Return where worlds come from, as the end of a message; "" for other files."""
    return (
        "; sample worlds: wbridge samples, a new project: wbridge new FOLDER" if path.suffix == ".wbt" else ""
    )


def _worlds_in(folder: Path) -> str:
    """Return the worlds of a project or a folder as the end of a message; "" if there are none."""
    found = sorted([*folder.glob("*.wbt"), *folder.glob("worlds/*.wbt")])
    names = ", ".join(str(file) for file in found[:MOST_NAMED])
    return f"; available: {names}{', ...' if len(found) > MOST_NAMED else ''}" if found else ""


def robots_by_name(world: World) -> dict[str, Node]:
    """Return the robots of a world in their order; of several with one name the first, as on the link.

    Raises:
        InputError: the world has no robot.
    """
    found: dict[str, Node] = {}
    for node in robots(world.nodes):
        found.setdefault(str(node.get("name")), node)
    if not found:
        raise InputError(f"{world.path}: this world has no robot")
    return found


def choose_robot(world: World, name: str | None) -> Node:
    """Return the robot with this name, or the only one.

    Raises:
        InputError: there is none, or several and no name.
    """
    known = robots_by_name(world)
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name in known:
        return known[str(name)]

    listed = ", ".join(f'"{name}"' for name in known)
    if name is None:
        raise InputError(f"choose a robot with --robot NAME; available: {listed}")
    raise InputError(f'no robot named "{name}"; available: {listed}{did_you_mean(name, known)}')
