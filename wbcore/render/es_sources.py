"""The shaders' sources in the language of OpenGL ES 3.0, which browsers have as WebGL 2.

Where that language cannot say the same, the files of `shaders/` have parts of their own for it (`GL_ES`).
Numbers of texture units and of uniform blocks are set in the finished program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import ModuleType

VERSION = "#version 430 core\n"
HEAD = "#version 300 es\n" + "".join(
    f"precision highp {kind};\n"
    for kind in ("float", "int", "sampler2D", "samplerCube", "sampler2DArray", "sampler2DArrayShadow")
)
TEXTURE = re.compile(r"layout\(binding = (\d+)\) (?=uniform \w+ (\w+);)")
BLOCK = re.compile(r"layout\(std140, binding = (\d+)\) (?=uniform (\w+) )")


def es_source(text: str) -> str:
    """Return the source of a shader for OpenGL ES.

    Args:
        text: for OpenGL 4.3, complete.
    """
    # Comments may come before the version of the desktop, not before this one.
    text = HEAD + text.replace(VERSION, "\n", 1)
    return BLOCK.sub("layout(std140) ", TEXTURE.sub("", text))


def bind_places(gl: ModuleType, program: int, sources: Iterable[str]) -> None:
    """Set the texture units and the blocks of a finished program, as its sources for OpenGL 4.3 say.

    Args:
        gl: the functions of OpenGL.
        program: its number.
        sources: those of its shaders.
    """
    gl.glUseProgram(program)
    for text in sources:
        for unit, name in TEXTURE.findall(text):
            gl.glUniform1i(gl.glGetUniformLocation(program, name), int(unit))
        for binding, name in BLOCK.findall(text):
            index = gl.glGetUniformBlockIndex(program, name)
            if index != gl.GL_INVALID_INDEX:
                gl.glUniformBlockBinding(program, index, int(binding))
