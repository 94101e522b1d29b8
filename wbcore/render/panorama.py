"""Cylindrical and spherical pictures: planar pictures in up to six directions, merged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import atan, ceil, pi
from types import ModuleType

from wbridge.wbcore.physics.pose import Vec3, scaled
from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.effects import fill
from wbridge.wbcore.render.targets import Target
from wbridge.wbcore.visual.errors import RenderError
from wbridge.wbcore.visual.views import View

FRONT, RIGHT, BACK, LEFT, UP, DOWN = range(6)
MOST_FACE = 2048
OVERLAP = 2.0
"""Pixels by which a face is wider than a quarter turn, so that filtering has neighbors at its edges."""


def face_views(view: View) -> dict[int, View]:
    """Return the planar views, by face, that a cylindrical or spherical view needs."""
    size = face_size(view)
    angle = 2 * atan(widening(size))
    forward, up, right = view.forward, view.up, view.right
    left, back, down = (scaled(vector, -1.0) for vector in (right, forward, up))
    axes: dict[int, tuple[Vec3, Vec3, Vec3]] = {
        FRONT: (forward, up, right),
        RIGHT: (right, up, back),
        BACK: (back, up, left),
        LEFT: (left, up, forward),
        UP: (up, back, right),
        DOWN: (down, forward, right),
    }
    return {
        face: replace(
            view, forward=a, up=b, right=c, width=size, height=size, field_of_view=angle, projection="planar"
        )
        for face, (a, b, c) in axes.items()
        if _is_needed(view, face)
    }


def _is_needed(view: View, face: int) -> bool:
    wide, high = angles(view)
    if view.projection == "spherical":
        # The farthest pixels from the center lie in the corners.
        reach = view.field_of_view / 2 * 2**0.5
        return reach > (0.0 if face == FRONT else 0.6 if face != BACK else pi * 0.69)
    if face in (UP, DOWN):
        return high / 2 > 0.61
    return face == FRONT or wide / 2 > (pi / 4 if face != BACK else pi * 0.75)


def angles(view: View) -> tuple[float, float]:
    """Return the horizontal and vertical field of view (rad)."""
    return view.field_of_view, view.field_of_view * view.height / view.width


def face_size(view: View) -> int:
    """Return the width of a face in pixels: as dense as the picture at the center of a face."""
    per_radian = view.width / max(view.field_of_view, 1e-3)
    return min(max(ceil(2 * per_radian), 16), MOST_FACE)


def widening(size: int) -> float:
    """Return half the width of a face at distance 1."""
    return size / (size - OVERLAP)


class Faces:
    """The layers that faces are copied into."""

    def __init__(self, gl: ModuleType, size: int) -> None:
        self._gl, self._size = gl, size
        self.name: int = gl.glGenTextures(1)
        gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, self.name)
        gl.glTexStorage3D(gl.GL_TEXTURE_2D_ARRAY, 1, gl.GL_RGBA8, size, size, 6)
        for option, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
        ):
            gl.glTexParameteri(gl.GL_TEXTURE_2D_ARRAY, option, value)
        self._frame: int = gl.glGenFramebuffers(1)

    def take(self, face: int, source: Target) -> None:
        """Copy a drawn face."""
        gl, area = self._gl, (0, 0, self._size, self._size)
        source.resolve()
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self._frame)
        gl.glFramebufferTextureLayer(gl.GL_DRAW_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, self.name, 0, face)
        if gl.glCheckFramebufferStatus(gl.GL_DRAW_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            raise RenderError(f"the driver cannot draw faces of {self._size} pixels")
        gl.glBlitFramebuffer(*area, *area, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)


def draw_panorama(context: GlContext, view: View, goal: Target, draw: Callable[[View, int], Target]) -> None:
    """Draw a cylindrical or spherical view into a target.

    Args:
        context: the current context.
        view: what to draw.
        goal: where to.
        draw: draws a planar view, of the face with this number, and returns where.
    """
    size = face_size(view)
    with context.use() as gl:
        faces = context.share(("faces", size), lambda: Faces(gl, size))
        for face, seen in face_views(view).items():
            faces.take(face, draw(seen, face))
        goal.bind()
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, faces.name)
        kind = ("CYLINDRICAL",) if view.projection == "cylindrical" else ()
        fill(context, "sphere.frag", kind, view_angles=angles(view), widening=widening(size))
