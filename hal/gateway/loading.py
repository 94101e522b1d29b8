"""Load the plugin in a robot's field `remoteControl`."""

from __future__ import annotations

import os

from wbridge.hal.gateway.host import RemoteHost
from wbridge.hal.gateway.mode import RemoteMode
from wbridge.hal.remote import RemoteRobot
from wbridge.hal.remote_plugins import PluginError, create_plugin, plugin_name
from wbridge.hal.table import DeviceTable, TableError

__all__ = ["PluginError", "load"]

TABLE = "WBRIDGE_DEVICE_TABLE"
"""Environment: a file with the robot's device table, set by programs that start controllers and know it."""


def load(robot: RemoteHost) -> RemoteMode:
    """Create the mode and initialize the robot's plugin.

    Raises:
        PluginError: there is none, or it does not work with this robot.
    """
    name = plugin_name(robot.info.remote_library)
    if not name:
        raise PluginError('this robot has no remote control: its field "remoteControl" names none')
    plugin = create_plugin(name, robot.info.project_path)
    mode = RemoteMode(robot, plugin, name)
    if not mode.init(RemoteRobot(robot, _table(), mode.trace)):
        raise PluginError(f'the remote control "{name}" cannot work with this robot')
    return mode


def _table() -> DeviceTable | None:
    path = os.environ.get(TABLE)
    if not path:
        return None
    try:
        with open(path, "rb") as file:
            return DeviceTable.from_json(file.read())
    except (OSError, TableError) as error:
        raise PluginError(f"{TABLE} is {path}: {error}") from None
