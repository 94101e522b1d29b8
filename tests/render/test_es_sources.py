"""The shaders of OpenGL ES, which browsers draw with.

Judge: Mesa's compiler for OpenGL ES 3.0, which accepts nothing of the desktop's language.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import c_char_p, c_int, c_void_p

import pytest

from tests.render.conftest import Studio
from wbridge.wbcore.render import context, egl
from wbridge.wbcore.render.es_sources import es_source
from wbridge.wbcore.render.programs import source_of

ES_API, ES3_BIT = 0x30A0, 0x40
RENDERABLE, NO_SURFACE_TYPE, VERSION, NONE = 0x3040, 0x3033, 0x3098, 0x3038
VERTEX, FRAGMENT, COMPILE_STATUS = 0x8B31, 0x8B30, 0x8B81
SCENES = {
    "sun": ("DirectionalLight { castShadows TRUE }", ""),
    "lamps": ("PointLight { castShadows TRUE } SpotLight { castShadows TRUE }", ""),
    "fog": ("Fog { visibilityRange 5 } DirectionalLight { }", ""),
    "sphere": ("DirectionalLight { }", 'projection "spherical"'),
    "around": ("DirectionalLight { }", 'projection "cylindrical"'),
    "light": (
        "DirectionalLight { }",
        "bloomThreshold 0.5 ambientOcclusionRadius 1 lens Lens { } motionBlur 50",
    ),
    "focus": (
        "DirectionalLight { }",
        "focus Focus { focalDistance 1 focalLength 1 } lensFlare LensFlare { }",
    ),
}
THINGS = """
Solid { translation 2 0 0 children [
  Shape { appearance PBRAppearance { } geometry Box { } }
  Shape { appearance Appearance { material Material { specularColor 1 1 1 } } geometry Sphere { } }
  Shape { geometry PointSet { coord Coordinate { point [ 0 0 0 ] } } }
  Shape { geometry IndexedLineSet { coord Coordinate { point [ 0 0 0, 1 1 1 ] } coordIndex [ 0 1 ] } } ] }
"""


@pytest.fixture(scope="module")
def compiler() -> Iterator[Callable[[int, str], str]]:
    """Compile a shader for OpenGL ES 3.0; gives what the compiler says, "" if nothing is wrong."""
    try:
        gles = ctypes.CDLL("libGLESv2.so.2")
    except OSError:
        pytest.skip("no OpenGL ES: apt install libgles2")
    library = egl._load("libEGL.so.1")
    egl._declare(library)
    made = _context(library)
    library.eglMakeCurrent(*made[:1], None, None, made[1])
    yield lambda kind, text: _compiled(gles, kind, text)
    library.eglMakeCurrent(made[0], None, None, None)


def _context(library: ctypes.CDLL) -> tuple[int, int]:
    for _, display in egl._displays(library):
        if not library.eglInitialize(display, None, None) or not library.eglBindAPI(ES_API):
            continue
        config, count = c_void_p(), c_int(0)
        wanted = (c_int * 5)(NO_SURFACE_TYPE, 0, RENDERABLE, ES3_BIT, NONE)
        library.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
        made = library.eglCreateContext(display, config, None, (c_int * 3)(VERSION, 3, NONE))
        library.eglBindAPI(egl.OPENGL_API)
        if made:
            return display, made
    pytest.skip("no context of OpenGL ES")


def _compiled(gles: ctypes.CDLL, kind: int, text: str) -> str:
    shader = gles.glCreateShader(kind)
    gles.glShaderSource(shader, 1, ctypes.byref(c_char_p(text.encode())), None)
    gles.glCompileShader(shader)
    done, said = c_int(0), ctypes.create_string_buffer(4096)
    gles.glGetShaderiv(shader, COMPILE_STATUS, ctypes.byref(done))
    gles.glGetShaderInfoLog(shader, len(said), None, said)
    return "" if done.value else said.value.decode()


@pytest.mark.parametrize("name", SCENES)
def test_all_shaders_of_a_picture_can_be_compiled(name: str, studio: Studio, compiler):
    nodes, camera = SCENES[name]
    studio.picture(nodes + THINGS, camera)
    keys = [key for key in context.current_context().shared if _is_program(key)]
    assert len(keys) > 3
    for vertex, fragment, definitions in keys:  # type: ignore[misc]
        for kind, file in ((VERTEX, vertex), (FRAGMENT, fragment)):
            assert compiler(kind, es_source(source_of(file, definitions))) == "", (file, definitions)


def _is_program(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 3 and str(key[0]).endswith(".vert")
