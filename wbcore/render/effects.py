"""Effects on pictures that consist of light.

Their order is that of Webots: ambient occlusion, bloom, lens, depth of field, lens flare, motion blur.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.light_targets import LightPicture, LightTarget, light_picture
from wbridge.wbcore.render.programs import program
from wbridge.wbcore.visual.lens_flares import LensFlare
from wbridge.wbcore.visual.views import Effects, View

GLOWS = 6
"""Pictures of the bloom, each half as large as the one before."""
BLUR_SIZE = 320
"""Width and height of the picture that is shown out of focus."""
DEPTH_UNIT = 7


def fill(context: GlContext, fragment: str, definitions: tuple[str, ...] = (), **values: Any) -> None:
    """Draw over the whole target with a fragment shader; `values` are its uniforms: a number, or up to four
    numbers."""
    with context.use() as gl:
        name = program(context, "fill.vert", fragment, definitions)
        gl.glUseProgram(name)
        for key, value in values.items():
            numbers = value if isinstance(value, tuple) else (value,)
            set_uniform = (gl.glUniform1f, gl.glUniform2f, gl.glUniform3f, gl.glUniform4f)[len(numbers) - 1]
            set_uniform(_place_of(context, name, key), *numbers)
        gl.glBindVertexArray(_no_vertices(context))
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)


def _place_of(context: GlContext, name: int, key: str) -> int:
    """Return the location of a uniform."""
    with context.use() as gl:
        return context.share((name, key), lambda: int(gl.glGetUniformLocation(name, key)))


def _no_vertices(context: GlContext) -> int:
    """Return a vertex array without attributes, which OpenGL wants to be there."""
    with context.use() as gl:
        return context.share("no vertices", lambda: int(gl.glGenVertexArrays(1)))


def with_effects(
    context: GlContext, drawn: LightTarget, view: View, history: LightPicture | None
) -> LightPicture:
    """Return a drawn picture with the effects of a view.

    Args:
        context: the current context.
        drawn: the picture without effects.
        view: the view that it shows.
        history: the previous picture of the same camera, which is replaced; None without motion blur.
    """
    effects, picture = view.effects, drawn.resolve()
    with context.use() as gl:
        gl.glActiveTexture(gl.GL_TEXTURE0 + DEPTH_UNIT)
        gl.glBindTexture(gl.GL_TEXTURE_2D, drawn.depths)
        if effects.occlusion_radius > 0:
            picture = _occluded(context, picture, view)
        if effects.bloom_threshold >= 0:
            picture = _bloomed(context, picture, effects)
        if effects.has_lens:
            picture = _next(context, picture)
            fill(context, "lens.frag", radial_tangential=effects.lens, center=effects.lens_center)
        if effects.focus_length > 0:
            picture = _focused(context, picture, view)
        if effects.flare is not None:
            picture = _flared(context, picture, effects.flare)
        if history is not None:
            if not history.is_blank:
                picture = _next(context, picture)
                history.show(1)
                fill(context, "motion.frag", share=effects.motion_share)
            _copy(gl, picture, history)
            history.is_blank = False
    return picture


def _next(context: GlContext, picture: LightPicture) -> LightPicture:
    """Show a picture in unit 0, and return another one of its size to draw into."""
    first = light_picture(context, picture.width, picture.height, "first")
    other = first if picture is not first else light_picture(context, picture.width, picture.height, "second")
    picture.show(0)
    other.bind()
    return other


def _occluded(context: GlContext, picture: LightPicture, view: View) -> LightPicture:
    hidden = light_picture(context, (picture.width + 1) // 2, (picture.height + 1) // 2, "occlusion")
    hidden.bind()
    radius = view.effects.occlusion_radius
    fill(context, "occlusion.frag", range=view.depth_range, reach=view.reach, radius=radius)
    result = _next(context, picture)
    hidden.show(1)
    fill(context, "occluded.frag", range=view.depth_range)
    return result


def _bloomed(context: GlContext, picture: LightPicture, effects: Effects) -> LightPicture:
    width, height, source, shown = picture.width, picture.height, picture, []
    for level in range(GLOWS):
        bright = light_picture(context, width, height, f"bright {level}")
        source.show(0)
        bright.bind()
        fill(context, "bright.frag", threshold=effects.bloom_threshold if not level else 0.0)
        shown.append(_blurred(context, bright, f"glow {level}"))
        source, width, height = bright, max(width // 2, 1), max(height // 2, 1)
    result = _next(context, picture)
    for level, texture in enumerate(shown):
        texture.show(1 + level)
    fill(context, "bloom.frag")
    return result


def _flared(context: GlContext, picture: LightPicture, flare: LensFlare) -> LightPicture:
    width, height = picture.width, picture.height
    shown, other = (light_picture(context, width, height, f"flare {i}") for i in range(2))
    picture.show(0)
    shown.bind()
    fill(
        context,
        "flare.frag",
        bias_scale=(flare.bias, flare.scale, flare.dispersal, flare.halo_width),
        ghosts=(float(flare.samples), flare.distortion),
    )
    for number in range(flare.blurs):
        shown.show(0)
        other.bind()
        fill(context, "blur.frag", along=(0.0, 1 / height) if number % 2 else (1 / width, 0.0))
        shown, other = other, shown
    result = _next(context, picture)
    shown.show(1)
    fill(context, "add.frag", share=1 - flare.transparency)
    return result


def _blurred(context: GlContext, picture: LightPicture, role: str) -> LightPicture:
    width, height = picture.width, picture.height
    between, result = (light_picture(context, width, height, f"{role} {axis}") for axis in "xy")
    picture.show(0)
    between.bind()
    fill(context, "blur.frag", along=(1 / width, 0.0))
    between.show(0)
    result.bind()
    fill(context, "blur.frag", along=(0.0, 1 / height))
    return result


def _focused(context: GlContext, picture: LightPicture, view: View) -> LightPicture:
    small = light_picture(context, BLUR_SIZE, BLUR_SIZE, "out of focus")
    with context.use() as gl:
        _copy(gl, picture, small)
    blurred = _blurred(context, small, "focus")
    result = _next(context, picture)
    blurred.show(1)
    effects = view.effects
    fill(context, "focus.frag", range=view.depth_range, focus=(effects.focus_distance, effects.focus_length))
    return result


def _copy(gl: ModuleType, source: LightPicture, goal: LightPicture) -> None:
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.frame)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, goal.frame)
    gl.glBlitFramebuffer(
        0, 0, source.width, source.height, 0, 0, goal.width, goal.height, gl.GL_COLOR_BUFFER_BIT, gl.GL_LINEAR
    )
