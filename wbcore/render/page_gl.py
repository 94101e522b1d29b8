"""OpenGL in a web page: what `robot_windows/pages/live/web_gl.js` does by WebGL 2."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from page import pictures  # type: ignore[import-not-found]  # the worker's functions
from pyodide.ffi import JsException  # type: ignore[import-not-found]

from wbridge.wbcore.visual.errors import ContextLostError, RenderError

LOST = 1


@cache
def page_functions() -> ModuleType:
    """Return the functions and constants of OpenGL in this page.

    Raises:
        RenderError: the browser has no WebGL 2.
    """
    try:
        own = pictures()
    except JsException as problem:
        raise RenderError(f"{problem.message}; pictures of cameras stay black here") from None
    module = ModuleType("OpenGL")  # its names are looked up faster than JavaScript's
    module.__dict__.update({name: getattr(own, name) for name in own.object_keys()})
    module.__dict__.update(
        glGetString=lambda what: own.glGetString(what).encode(),
        glGetGraphicsResetStatus=lambda: LOST if own.lost() else own.GL_NO_ERROR,
    )
    return module


class PageContext:
    """The context of the page's worker, which has a single thread."""

    origin = "WebGL 2"

    def __init__(self, gl: ModuleType) -> None:
        self._gl = gl

    def bind(self) -> None:
        """See that it can be drawn with."""
        if self._gl.lost():
            raise ContextLostError("WebGL has lost its context")

    def release(self) -> None:
        """It stays current."""


def create_context() -> PageContext:
    """Return the context of this page."""
    return PageContext(page_functions())


def keep_freed_memory() -> bool:
    """Memory of pages is their own."""
    return False
