"""Remote-control plugins in C and C++: shared libraries with the functions of webots/remote_control.h.

The library needs wbridge's C library, which it is linked with; there it finds the robot's devices. What it
injects with wbr_... reaches the controller like the values of a plugin in Python.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wbridge.hal.native_window import LIBRARY
from wbridge.hal.plugins import PluginError
from wbridge.hal.printable import print_problem
from wbridge.hal.remote import RemoteControl, RemoteRobot
from wbridge.hal.remote_functions import INPUTS, INTERFACE, MANDATORY

TYPES: dict[str, Any] = {
    "v": None,
    "?": ctypes.c_bool,
    "i": ctypes.c_int,
    "H": ctypes.c_ushort,
    "d": ctypes.c_double,
    "z": ctypes.c_char_p,
    "D": ctypes.POINTER(ctypes.c_double),
    "X": ctypes.POINTER(ctypes.c_int),
    "P": ctypes.c_void_p,
}
PREFIX = "wbr_"
VECTOR = 3


def _type(codes: str) -> Any:
    return ctypes.CFUNCTYPE(*(TYPES[code] for code in codes))


class Interface(ctypes.Structure):
    """WbrInterface: the functions of a plugin."""

    _fields_ = [(name, _type(codes)) for name, codes in INTERFACE.items()]


class Object(ctypes.Structure):
    """WbCameraRecognitionObject."""

    _fields_ = [
        ("id", ctypes.c_int),
        ("position", ctypes.c_double * 3),
        ("orientation", ctypes.c_double * 4),
        ("size", ctypes.c_double * 2),
        ("position_on_image", ctypes.c_int * 2),
        ("size_on_image", ctypes.c_int * 2),
        ("number_of_colors", ctypes.c_int),
        ("colors", ctypes.POINTER(ctypes.c_double)),
        ("model", ctypes.c_char_p),
    ]


class Target(ctypes.Structure):
    """WbRadarTarget."""

    _fields_ = [(name, ctypes.c_double) for name in ("distance", "received_power", "speed", "azimuth")]


class NativeRemote(RemoteControl):
    """A plugin in a shared library. Its functions become methods of the same names without wbr_."""

    GUARDED = True
    TAKES_JSON = False
    file: Path

    def __init__(self) -> None:
        self._library = _load(self.file)
        self._host = ctypes.CDLL(LIBRARY)  # the one that the plugin has loaded
        self._place = os.fsencode(self.file)
        self._interface = Interface()
        self._hooks: list[object] = []

    def init(self, robot: RemoteRobot) -> bool:
        """Give the robot's devices to the C library, and call wbr_init."""
        host, data = self._host, robot.first_data
        host.wbh_robot(data, len(data))
        for name, codes in INPUTS.items():
            hook = _type(codes)(_Input(name, robot).call)
            self._hooks.append(hook)
            host.wbh_hook(name.encode(), hook)
        self._library.wbr_init.restype = ctypes.c_bool
        if not self._call("wbr_init", self._library.wbr_init, ctypes.byref(self._interface)):
            return False
        missing = [name for name in MANDATORY if not getattr(self._interface, name)]
        if missing:
            raise PluginError(f"{self.file}: wbr_init did not set {', '.join(missing)}")
        for name, codes in INTERFACE.items():
            function = getattr(self._interface, name)
            if function and name != "wbr_custom_function":
                setattr(self, name.removeprefix(PREFIX), _Method(self._call, name, function, codes))
        return True

    def _call(self, name: str, function: Callable[..., object], *arguments: object) -> Any:
        """Call a function of the plugin. If it crashes, the C library names it before the process ends."""
        text = name.encode()
        self._host.wbh_guard_begin(self._place, text)
        try:
            return function(*arguments)
        finally:
            self._host.wbh_guard_end()

    def cleanup(self) -> None:
        """Call wbr_cleanup, if it exists."""
        function = getattr(self._library, "wbr_cleanup", None)
        if function is not None:
            self._call("wbr_cleanup", function)

    def custom_function(self, arg: Any) -> Any:
        """Call wbr_custom_function with an address; None if the plugin has none."""
        function = self._interface.wbr_custom_function
        return self._call("wbr_custom_function", function, arg) if function else None


class _Method:
    """A function of the plugin with the arguments of Python."""

    def __init__(
        self, call: Callable[..., object], name: str, function: Callable[..., object], codes: str
    ) -> None:
        self._call, self._name, self._function, self._codes = call, name, function, codes[1:]

    def __call__(self, *arguments: object) -> object:
        return self._call(self._name, self._function, *map(_to_c, self._codes, arguments))


def _to_c(code: str, value: Any) -> Any:
    if code == "X":
        return (ctypes.c_int * len(value))(*value)
    if code == "P":
        return ctypes.cast(ctypes.c_char_p(bytes(value)), ctypes.c_void_p)
    if code == "z":
        return str(value).encode()
    return TYPES[code](value).value


class _Input:
    """A function that the plugin calls. Errors are printed once: they must not pass through C."""

    def __init__(self, name: str, robot: RemoteRobot) -> None:
        self._name, self._robot = name, robot
        self._is_told = False
        self._kept: list[object] = []
        self._make = getattr(self, f"_{name.removeprefix(PREFIX)}", None)

    def call(self, *arguments: Any) -> Any:
        """Inject a value."""
        try:
            if self._make is not None:
                return self._make(*arguments)
            plain = [
                argument if isinstance(argument, int | float) else tuple(argument[:VECTOR])
                for argument in arguments
            ]
            getattr(self._robot, self._name.removeprefix(PREFIX))(*plain)
        except Exception as error:  # see above
            if not self._is_told:
                print_problem(f"Error: {self._name}: {error}")
            self._is_told = True
        return None

    def _bytes_of(self, tag: int) -> int:
        width, height = self._robot.camera_size(tag)
        return 4 * width * height

    def _camera_set_image(self, tag: int, image: int) -> None:
        self._robot.camera_set_image(tag, ctypes.string_at(image, self._bytes_of(tag)))

    def _camera_get_image_buffer(self, tag: int) -> int:
        buffer = self._robot.camera_get_image_buffer(tag)
        view = (ctypes.c_char * len(buffer)).from_buffer(buffer)
        self._kept.append(view)
        return ctypes.addressof(view)

    def _camera_recognition_set_object(self, tag: int, objects: int, count: int) -> None:
        found = (Object * count).from_address(objects) if count else ()
        self._robot.camera_recognition_set_object(tag, [_object(item) for item in found])

    def _display_save_image(self, tag: int, id_: int, width: int, height: int, image: int) -> None:
        pixels = ctypes.string_at(image, 4 * width * height)
        self._robot.display_save_image(tag, id_, width, height, pixels)

    def _inertial_unit_set_value(self, tag: int, value: float) -> None:
        raise ValueError("an inertial unit has an orientation, which one number cannot give")

    def _lidar_set_image(self, tag: int, image: int) -> None:
        count = self._robot.lidar_size(tag)
        self._robot.lidar_set_image(tag, (ctypes.c_float * count).from_address(image)[:])

    def _microphone_set_buffer(self, tag: int, buffer: int, size: int) -> None:
        self._robot.microphone_set_buffer(tag, ctypes.string_at(buffer, size))

    def _radar_set_targets(self, tag: int, targets: int, count: int) -> None:
        found = (Target * count).from_address(targets) if count else ()
        self._robot.radar_set_targets(
            tag, [(target.distance, target.received_power, target.speed, target.azimuth) for target in found]
        )


def _object(item: Any) -> Sequence[Any]:
    colors = tuple(tuple(item.colors[3 * k : 3 * k + 3]) for k in range(item.number_of_colors))
    vectors = (item.position, item.orientation, item.size, item.position_on_image, item.size_on_image)
    return (item.id, *map(tuple, vectors), colors, (item.model or b"").decode("utf-8", "replace"))


def _load(file: Path) -> ctypes.CDLL:
    """Load a library with its functions.

    Raises:
        PluginError: it cannot be loaded, or has no wbr_init.
    """
    try:
        library = ctypes.CDLL(str(file))
        ctypes.CDLL(LIBRARY).wbh_robot  # noqa: B018  # only looked up
        library.wbr_init  # noqa: B018
    except OSError as error:
        raise PluginError(f"{file} cannot be loaded: {error}") from None
    except AttributeError as error:
        raise PluginError(
            f"{file} cannot be used: {error}; a remote control in C has wbr_init and is linked with "
            "wbridge's C library, as `wbridge run` and `wbridge remote` build it from its sources"
        ) from None
    return library


def native_plugin(file: Path) -> type[RemoteControl]:
    """The class of the plugin in a shared library.

    Raises:
        PluginError: it cannot be loaded.
    """
    _load(file)
    return type("Plugin", (NativeRemote,), {"file": file, "__doc__": f"The plugin in {file}."})
