"""Robots at an address that are driven without a controller, and their device tables."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from wbridge.failures import InputError, RunError
from wbridge.hal.link.errors import AddressError, LinkError
from wbridge.hal.link.read_table import read_table
from wbridge.hal.link.transports import check_place, connect
from wbridge.hal.link.url import parse_url
from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.hal.manual_robot import ManualRobot, PluginError
from wbridge.hal.remote_plugins import is_guarded
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import DeviceTable, device_table

AnyManualRobot: TypeAlias = ManualRobot | GuardedManualRobot
LINK = "wblink"
_PLUGIN_OPTIONS = ("watchdog", "patience")
"""URL options for the plugin, not for the transport."""
_NONE = ("", "void", "<none>", "none")
_TABLE_S = 5.0
"""Maximum time (s) to wait for the robot's table."""


def manual_robot(url: str, plugin: str | None, world: World | None, node: Node | None) -> AnyManualRobot:
    """Return the robot at an address, not started yet.

    Args:
        url: its address.
        plugin: a remote control; None: the field remoteControl of the world's robot, or the robot link.
        world: describes it; None: it reports its devices itself.
        node: the robot in the world.

    Raises:
        InputError: the plugin does not exist, or the robot's devices are unknown.
        RunError: the robot does not answer.
    """
    named = plugin or (str(node.get("remoteControl")) if node is not None else "")
    chosen = LINK if named in _NONE else named
    table = _table(url, world, node, chosen)
    project = str(world.project) if world is not None else ""
    try:
        kind = GuardedManualRobot if is_guarded(chosen, project) else ManualRobot
        return kind(table, chosen, project, str(Path(world.path)) if world is not None else "")
    except PluginError as problem:
        raise InputError(str(problem)) from None


def _table(url: str, world: World | None, node: Node | None, plugin: str) -> DeviceTable:
    """Return the robot's device table: from the world, or from the robot itself."""
    if world is not None and node is not None:
        return device_table(node, world)
    if plugin != LINK:
        raise InputError(
            f'a robot with the remote control "{plugin}" cannot report its devices: name a world with '
            "it, --world WORLD"
        )
    return _table_of_robot(url)


def _table_of_robot(text: str) -> DeviceTable:
    try:
        check_place(text)
        url = parse_url(text)
        if "table" in url.options:
            raise InputError(f"{url.text}: table: name the robot's world instead, with --world WORLD")
        options = {name: value for name, value in url.options.items() if name not in _PLUGIN_OPTIONS}
        pipe = connect(url._replace(options=options))
        try:
            table = read_table(pipe, _TABLE_S)
        finally:
            pipe.close()
    except AddressError as problem:
        raise InputError(str(problem)) from None
    except LinkError as problem:
        reason = str(problem)
        raise RunError(reason if reason.startswith(url.text) else f"{url.text}: {reason}") from None
    if table is None:
        raise InputError(
            f"{url.text}: the robot has no device table: name its world with --world WORLD [--robot NAME]"
        )
    return table
