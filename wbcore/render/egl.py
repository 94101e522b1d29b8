"""OpenGL contexts without a window, made with EGL.

Displays are tried in this order: each device that EGL lists (a device may fail to initialize), then Mesa's
surfaceless platform, which always ends at a software renderer if there is no GPU.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from ctypes import c_int, c_void_p
from typing import NamedTuple

from wbridge.wbcore.visual.errors import ContextLostError, RenderError

PLATFORM_DEVICE = 0x313F
PLATFORM_SURFACELESS = 0x31DD
OPENGL_API = 0x30A2
OPENGL_BIT = 0x0008
NO_SURFACE_TYPE = (0x3033, 0)  # EGL_SURFACE_TYPE
RENDERABLE = (0x3040, OPENGL_BIT)
NONE = 0x3038
CONTEXT = (0x3098, 4, 0x30FB, 3, 0x30FD, 1)
"""Major and minor version, core profile: 4.3, which has indirect drawing."""
TELLS_RESETS = (0x31BD, 0x31BF)
"""After a reset of the GPU the context is lost, and says so. Not all drivers have this."""
MOST_DEVICES = 16
INSTALL = "on Debian and Ubuntu: apt install libegl1 libgl1 libgl1-mesa-dri"


class EglContext(NamedTuple):
    """An OpenGL context and the functions to use it."""

    library: ctypes.CDLL
    display: int
    context: int
    origin: str
    """Where it was found, for messages."""

    def bind(self) -> None:
        """Make it current in this thread."""
        if not self.library.eglMakeCurrent(self.display, None, None, self.context):
            raise ContextLostError(f"EGL error {self.library.eglGetError():#x}")

    def release(self) -> None:
        """Make it usable in other threads."""
        self.library.eglMakeCurrent(self.display, None, None, None)


def create_context() -> EglContext:
    """Return a new context of OpenGL 4.3 or later, not current in any thread.

    Raises:
        RenderError: there is none; the message says what is missing and what to install.
    """
    library = _load("libEGL.so.1")
    _load("libGL.so.1")
    _declare(library)
    failures = []
    for origin, display in _displays(library):
        context = _context_on(library, display)
        if isinstance(context, int):
            return EglContext(library, display, context, origin)
        failures.append(f"{origin}: {context}")
    wanted = os.environ.get("EGL_DEVICE_ID", "")
    if wanted and not failures:
        count = len(_devices(library))
        raise RenderError(f"EGL_DEVICE_ID is {wanted}, but EGL lists {count} devices, counted from 0")
    why = "; ".join(failures) or "EGL lists no display"
    raise RenderError(f"no OpenGL 4.3 ({why}). Install it {INSTALL}")


def _load(name: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise RenderError(f"{name} is not installed. Install it {INSTALL}") from None


def _declare(library: ctypes.CDLL) -> None:
    for name, result, arguments in (
        ("eglGetProcAddress", c_void_p, [ctypes.c_char_p]),
        ("eglInitialize", c_int, [c_void_p, c_void_p, c_void_p]),
        ("eglBindAPI", c_int, [c_int]),
        ("eglChooseConfig", c_int, [c_void_p, c_void_p, c_void_p, c_int, c_void_p]),
        ("eglCreateContext", c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p]),
        ("eglMakeCurrent", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
        ("eglGetError", c_int, []),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


def _displays(library: ctypes.CDLL) -> Iterator[tuple[str, int]]:
    """Iterate over the displays that exist, best first."""
    of_platform = _extension(library, b"eglGetPlatformDisplayEXT", c_void_p, [c_int, c_void_p, c_void_p])
    if of_platform is None:
        return
    wanted = os.environ.get("EGL_DEVICE_ID", "")
    for number, device in enumerate(_devices(library)):
        if wanted in ("", str(number)):
            display = of_platform(PLATFORM_DEVICE, device, None)
            if display:
                yield f"EGL device {number}", display
    display = of_platform(PLATFORM_SURFACELESS, None, None)
    if display and not wanted:
        yield "EGL without a surface", display


def _devices(library: ctypes.CDLL) -> list[int]:
    query = _extension(library, b"eglQueryDevicesEXT", c_int, [c_int, c_void_p, c_void_p])
    if query is None:
        return []
    found, count = (c_void_p * MOST_DEVICES)(), c_int(0)
    if not query(MOST_DEVICES, found, ctypes.byref(count)):
        return []
    return [device for device in found[: count.value] if device]


def _extension(
    library: ctypes.CDLL, name: bytes, result: type, arguments: list[type]
) -> Callable[..., int] | None:
    address = library.eglGetProcAddress(name)
    return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None


def _context_on(library: ctypes.CDLL, display: int) -> int | str:
    """Return a context on a display, or why there is none."""
    if not library.eglInitialize(display, None, None):
        return "it does not start"
    if not library.eglBindAPI(OPENGL_API):
        return "it has OpenGL ES only"
    config, count = c_void_p(), c_int(0)
    wanted = (c_int * 5)(*NO_SURFACE_TYPE, *RENDERABLE, NONE)
    library.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    chosen = config if count.value else None
    for more in (TELLS_RESETS, ()):
        attributes = (*CONTEXT, *more, NONE)
        context = library.eglCreateContext(display, chosen, None, (c_int * len(attributes))(*attributes))
        if context:
            return int(context)
    return f"no context (EGL error {library.eglGetError():#x})"
