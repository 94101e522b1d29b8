"""The OpenGL context of this process: made on first use, shared by all worlds, used by one thread at a time.

A context does not survive a fork, nor do the threads of a software renderer. A process that is forked before
the first picture makes a context of its own; one that is forked later cannot draw.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Protocol, TypeVar, cast

from wbridge.hal.installation import extra_command
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.visual.errors import ContextLostError, RenderError

if sys.platform == "emscripten":
    from wbridge.wbcore.render.page_gl import create_context, keep_freed_memory, page_functions
else:
    from wbridge.wbcore.render.egl import create_context
    from wbridge.wbcore.render.freed_memory import keep_freed_memory

__all__ = ["GlContext", "current_context"]

_LOG = logging.getLogger(__name__)
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SwiftShader")
LIGHT_ROWS, OTHER_ROWS = 16, 14
"""What vertices hand over: OpenGL promises 32 rows, OpenGL ES 15."""
IN_PAGE = sys.platform == "emscripten"
Made = TypeVar("Made")


class Current(Protocol):
    """A context as the system gives it."""

    @property
    def origin(self) -> str:
        """Where it was found, for messages."""

    def bind(self) -> None:
        """Make it current in this thread."""

    def release(self) -> None:
        """Make it usable in other threads."""


class GlContext:
    """A context with the objects that all worlds of the process share."""

    def __init__(self, egl: Current) -> None:
        self._egl = egl
        self.is_es = IN_PAGE
        """It is one of OpenGL ES, whose shaders have another language."""
        self._lock = threading.RLock()
        self._depth = 0
        self.shared: dict[Hashable, object] = {}
        """Objects by key, made once for the whole process."""
        self.pid = os.getpid()
        self.is_lost = False
        """The driver does not draw with it any more."""
        with self.use() as gl:
            self.light_rows = min(gl.rows - OTHER_ROWS, LIGHT_ROWS) if self.is_es else LIGHT_ROWS
            """Numbers of lights that vertices can hand over, four each."""
            self.renderer = gl.glGetString(gl.GL_RENDERER).decode()
            self.version = gl.glGetString(gl.GL_VERSION).decode()

    def use(self) -> GlContext:
        """Make the context current in this thread, in a `with` statement that gives the module of OpenGL
        functions."""
        return self

    def __enter__(self) -> ModuleType:
        self._lock.acquire()
        try:
            if not self._depth:
                self._egl.bind()
        except BaseException as problem:
            self.is_lost = isinstance(problem, ContextLostError)
            self._lock.release()
            raise
        self._depth += 1
        return functions()

    def __exit__(self, *problem: object) -> None:
        self._depth -= 1
        try:
            if not self._depth:
                self._egl.release()
        finally:
            self._lock.release()

    def share(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return the object of a key, which is made once. Call it inside of `use`."""
        if key not in self.shared:
            self.shared[key] = make()
        return cast("Made", self.shared[key])

    def check(self) -> None:
        """See whether what was drawn can be trusted. Call it inside of `use`.

        Raises:
            ContextLostError: the GPU was reset.
        """
        gl = functions()
        if self.is_software or not gl.glGetGraphicsResetStatus:
            return
        status = gl.glGetGraphicsResetStatus()
        if status != gl.GL_NO_ERROR:
            self.is_lost = True
            raise ContextLostError(f"reset status {status:#x}")

    @property
    def is_software(self) -> bool:
        """True if the processor draws."""
        return any(name in self.renderer for name in SOFTWARE)

    @property
    def origin(self) -> str:
        """Where the context was found."""
        return self._egl.origin


def functions() -> ModuleType:
    """Return the module `OpenGL.GL`, imported with EGL as its platform; in a web page, one like it.

    Raises:
        RenderError: PyOpenGL is not installed, the browser has no WebGL 2, or this system draws no pictures.
    """
    global _functions
    if why := UNDRAWN.get(sys.platform):
        raise RenderError(why)
    if sys.platform == "emscripten":
        _functions = page_functions()
    if _functions is None:
        # PyOpenGL makes OpenGL visible to all libraries. The engine has to be so before, because physics
        # plugins shall find its functions that record what they draw.
        _engine.open_to_plugins()
        os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
        try:
            import OpenGL  # start-up: 50 ms, not installed everywhere
        except ImportError:
            raise RenderError(
                f"PyOpenGL is not installed. Install it with: {extra_command('render')}"
            ) from None
        # Checks cost a tenth of a small picture; the tests switch them on.
        OpenGL.ERROR_CHECKING = OpenGL.ERROR_LOGGING = "WBRIDGE_GL_CHECKS" in os.environ
        from OpenGL import GL  # start-up: 50 ms, only for pictures

        _functions = GL
    return _functions


UNDRAWN = {
    "win32": "pictures are not drawn on Windows yet; run the world in WSL or on Linux to see them",
}
"""Why systems draw no pictures, by `sys.platform`."""
_functions: ModuleType | None = None
_context: GlContext | None = None
_making = threading.Lock()


def current_context() -> GlContext:
    """Return the context of this process.

    Raises:
        RenderError: there is no OpenGL, or the process cannot use it; the message says why and what to do.
    """
    global _context
    with _making:
        if _context is not None and _context.pid != os.getpid():
            raise RenderError(
                "this process was forked from one that had drawn pictures, and cannot draw itself; "
                "start it with multiprocessing's method 'spawn', or fork before the first picture"
            )
        if _context is None or _context.is_lost:
            functions()
            _context = GlContext(create_context())
            if _context.is_software:
                keep_freed_memory()
            kind = "software, because there is no GPU" if _context.is_software else "hardware"
            _LOG.info("pictures are drawn by %s (%s; %s)", _context.renderer, _context.origin, kind)
        return _context
