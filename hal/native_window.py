"""Robot-window plugins in C and C++ in controllers in Python.

The library is linked with wbridge's C library, and finds the robot's devices there: the C library
gets a copy of each answer of the simulator, and what the plugin commands is added to the requests.
"""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING

from hal.plugins import PluginError

if TYPE_CHECKING:
    from hal.modes.exchange import Exchange

__all__ = ["NativeWindow"]

LIBRARY = "libController.so"
_HEAD = struct.Struct("<iI")
"""Of requests and answers: size of the packet, duration or delay."""


class NativeWindow:
    """A plugin in a shared library, with the functions of one in Python (see `hal.window_plugins`)."""

    def __init__(self, file: str, exchange: Exchange) -> None:
        """Load the library.

        Raises:
            PluginError: it cannot be loaded, or is linked with another C library.
        """
        self.__name__ = file
        try:
            ctypes.CDLL(file)
            self._host = ctypes.CDLL(LIBRARY)  # the one that the plugin has loaded
            self._host.wbh_commands.restype = ctypes.c_void_p
        except OSError as error:
            raise PluginError(f"{file}: {error}") from None
        except AttributeError:
            raise PluginError(
                f"{file} is not linked with wbridge's C library, as `wbridge run` builds it from its sources"
            ) from None
        self._exchange = exchange

    def wbw_init(self) -> bool:
        """Give the robot's devices to the C library, and initialize the plugin."""
        data = self._exchange.first_data
        self._host.wbh_robot(data, len(data))
        self._exchange.relay = self
        self._exchange.packet_reasons.add("window plugin in C")
        self._host.wbh_window_load()
        return True

    def wbw_pre_update_gui(self) -> None:
        """Call the plugin before a step."""
        self._host.wbh_window_before()

    def wbw_update_gui(self) -> None:
        """Call the plugin while the simulator computes."""
        self._host.wbh_window_meanwhile()

    def wb_robot_window_step(self, duration: int) -> None:
        """Call the plugin after a step of `duration` ms."""
        self._host.wbh_window_after(duration)

    def wbw_cleanup(self) -> None:
        """Call the plugin's cleanup."""
        self._host.wbh_window_cleanup()

    # The packets.

    def with_commands(self, packet: bytes) -> bytes:
        """Return a request with the commands of the plugin."""
        size = ctypes.c_int()
        place = self._host.wbh_commands(ctypes.byref(size))
        if not size.value:
            return packet
        _, duration = _HEAD.unpack_from(packet)
        more = ctypes.string_at(place, size.value)
        return _HEAD.pack(len(packet) + len(more), duration) + bytes(packet[_HEAD.size :]) + more

    def take(self, data: bytes) -> None:
        """Take the messages of an answer."""
        self._host.wbh_take(bytes(data), len(data))
