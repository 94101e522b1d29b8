"""Robot-window plugins in C and C++ in controllers in Python.

The library is linked with wbridge's C library, and finds the robot's devices there: the C library
gets a copy of each answer of the simulator, and what the plugin commands is added to the requests.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from wbridge.hal.linking import SUFFIX
from wbridge.hal.plugins import PluginError

LIBRARY = f"libController{SUFFIX}"


class NativeWindow:
    """A plugin in a shared library, with the functions of one in Python (see
    `wbridge.hal.window_plugins`)."""

    def __init__(self, file: str, configuration: bytes, connect: Callable[[NativeWindow], None]) -> None:
        """Load the library.

        Args:
            file: its path.
            configuration: the messages that describe the robot.
            connect: lets the robot's exchange with the simulator call `commands` and `take` from then on.

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
        self._configuration, self._connect = configuration, connect

    def wbw_init(self) -> bool:
        """Give the robot's devices to the C library, and initialize the plugin."""
        self._host.wbh_robot(self._configuration, len(self._configuration))
        self._connect(self)
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

    def commands(self) -> bytes:
        """The blocks of a request with the plugin's commands since the last call."""
        size = ctypes.c_int()
        place = self._host.wbh_commands(ctypes.byref(size))
        return ctypes.string_at(place, size.value)

    def take(self, data: bytes) -> None:
        """Take the messages of an answer."""
        self._host.wbh_take(bytes(data), len(data))
