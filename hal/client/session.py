"""The robot that this program controls, by the client that the process uses."""

from __future__ import annotations

from wbridge.hal.client import is_native

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING or not is_native():
    from wbridge.hal.modes.session import cleanup, current, find, init
else:
    from wbridge.hal.client.native import cleanup, current, find, init

__all__ = ["cleanup", "current", "find", "init"]
