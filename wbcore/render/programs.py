"""Shader programs: sources with includes and definitions, compiled once per process."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.es_sources import bind_places, es_source
from wbridge.wbcore.render.film import FILM_FACTOR
from wbridge.wbcore.render.lights import MOST_LIGHTS
from wbridge.wbcore.render.materials import TEXELS
from wbridge.wbcore.visual.errors import RenderError

__all__ = ["program"]

FOLDER = Path(__file__).parent / "shaders"
INCLUDE = re.compile(r'^#include "([a-z]+\.glsl)"$', re.MULTILINE)
CONSTANTS = {"TEXELS": TEXELS, "MOST_LIGHTS": MOST_LIGHTS, "FILM_FACTOR": FILM_FACTOR}


def program(context: GlContext, vertex: str, fragment: str, definitions: tuple[str, ...] = ()) -> int:
    """Return a program made of two files of `shaders/`.

    Args:
        context: the current context.
        vertex: name of the vertex shader's file.
        fragment: name of the fragment shader's file.
        definitions: macros that both see: "NAME" or "NAME value".

    Raises:
        RenderError: the driver does not accept the sources.
    """
    key = (vertex, fragment, definitions)
    return context.share(key, lambda: _linked(context, key))


def _linked(context: GlContext, key: tuple[str, str, tuple[str, ...]]) -> int:
    vertex, fragment, definitions = key
    with context.use() as gl:
        made: int = gl.glCreateProgram()
        for name, kind in ((vertex, gl.GL_VERTEX_SHADER), (fragment, gl.GL_FRAGMENT_SHADER)):
            gl.glAttachShader(made, _compiled(context, name, kind, definitions))
        gl.glLinkProgram(made)
        if not gl.glGetProgramiv(made, gl.GL_LINK_STATUS):
            raise RenderError(f"{fragment} {definitions}: {_text(gl.glGetProgramInfoLog(made))}")
        if context.is_es:
            bind_places(gl, made, (source_of(name, definitions) for name in (vertex, fragment)))
        return made


def _compiled(context: GlContext, name: str, kind: int, definitions: tuple[str, ...]) -> int:
    text = source_of(name, definitions)
    with context.use() as gl:
        shader: int = gl.glCreateShader(kind)
        gl.glShaderSource(shader, es_source(text) if context.is_es else text)
        gl.glCompileShader(shader)
        if not gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS):
            raise RenderError(f"{name} {definitions}: {_text(gl.glGetShaderInfoLog(shader))}")
        return shader


@lru_cache(maxsize=64)
def source_of(name: str, definitions: tuple[str, ...]) -> str:
    """Return the complete source of a shader."""
    text = _file(name)
    macros = [*definitions, *(f"{key} {value}" for key, value in CONSTANTS.items())]
    lines = "".join(f"#define {macro}\n" for macro in macros)
    at = text.index("\n", text.index("#version")) + 1
    return INCLUDE.sub(lambda found: _file(found[1]), text[:at] + lines + text[at:])


@lru_cache(maxsize=64)
def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _text(log: bytes | str) -> str:
    return log.decode(errors="replace") if isinstance(log, bytes) else log
