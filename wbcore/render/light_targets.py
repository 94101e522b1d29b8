"""Pictures that consist of light (linear values), as textures, for effects that work before the tone map."""

from __future__ import annotations

from types import ModuleType

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.visual.errors import RenderError


class LightPicture:
    """A texture of light, and a frame to draw into it."""

    def __init__(self, gl: ModuleType, width: int, height: int) -> None:
        self._gl, self.width, self.height = gl, width, height
        self.is_blank = True
        """Nothing was kept in it yet."""
        self.texture = _texture(gl, gl.GL_RGBA16F, width, height, gl.GL_LINEAR)
        self.frame: int = gl.glGenFramebuffers(1)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.frame)
        gl.glFramebufferTexture(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, self.texture, 0)
        _check(gl, width, height)

    def bind(self) -> None:
        """Draw into it from now on."""
        self._gl.glBindFramebuffer(self._gl.GL_FRAMEBUFFER, self.frame)
        self._gl.glViewport(0, 0, self.width, self.height)

    def show(self, unit: int) -> None:
        """Make it readable in a texture unit."""
        self._gl.glActiveTexture(self._gl.GL_TEXTURE0 + unit)
        self._gl.glBindTexture(self._gl.GL_TEXTURE_2D, self.texture)


class LightTarget:
    """Light and depths of a picture; with several samples per pixel, they are averaged by `resolve`."""

    def __init__(self, gl: ModuleType, width: int, height: int, samples: int) -> None:
        self._gl, self.width, self.height = gl, width, height
        self.picture = LightPicture(gl, width, height)
        self.depths = _texture(gl, gl.GL_DEPTH_COMPONENT32F, width, height, gl.GL_NEAREST)
        gl.glFramebufferTexture(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, self.depths, 0)
        _check(gl, width, height)
        self._sampled = self._make_sampled(samples) if samples else self.picture.frame

    def _make_sampled(self, samples: int) -> int:
        gl = self._gl
        made: int = gl.glGenFramebuffers(1)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, made)
        for kind, place in (
            (gl.GL_RGBA16F, gl.GL_COLOR_ATTACHMENT0),
            (gl.GL_DEPTH_COMPONENT32F, gl.GL_DEPTH_ATTACHMENT),
        ):
            buffer = gl.glGenRenderbuffers(1)
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, kind, self.width, self.height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)
        _check(gl, self.width, self.height)
        return made

    def bind(self) -> None:
        """Draw into it from now on."""
        self._gl.glBindFramebuffer(self._gl.GL_FRAMEBUFFER, self._sampled)
        self._gl.glViewport(0, 0, self.width, self.height)

    def resolve(self) -> LightPicture:
        """Return the finished picture."""
        gl = self._gl
        if self._sampled != self.picture.frame:
            gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._sampled)
            gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self.picture.frame)
            area = (0, 0, self.width, self.height)
            parts = gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT
            gl.glBlitFramebuffer(*area, *area, parts, gl.GL_NEAREST)
        return self.picture


def _texture(gl: ModuleType, kind: int, width: int, height: int, filtering: int) -> int:
    name: int = gl.glGenTextures(1)
    gl.glActiveTexture(gl.GL_TEXTURE0)  # other units may hold what the current effect reads
    gl.glBindTexture(gl.GL_TEXTURE_2D, name)
    gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, kind, width, height)
    for option, value in (
        (gl.GL_TEXTURE_MIN_FILTER, filtering),
        (gl.GL_TEXTURE_MAG_FILTER, filtering),
        (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
        (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
    ):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, option, value)
    return name


def _check(gl: ModuleType, width: int, height: int) -> None:
    if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
        raise RenderError(f"the driver cannot draw pictures of {width} by {height} pixels")


def light_target(context: GlContext, width: int, height: int, samples: int) -> LightTarget:
    """Return the target of a size, shared by all that have it. Call it inside of `use`."""
    with context.use() as gl:
        key = ("light", width, height, samples)
        return context.share(key, lambda: LightTarget(gl, width, height, samples))


def light_picture(context: GlContext, width: int, height: int, role: str) -> LightPicture:
    """Return the picture of a size for a role, shared by all that have it. Call it inside of `use`."""
    with context.use() as gl:
        key = ("light picture", width, height, role)
        return context.share(key, lambda: LightPicture(gl, width, height))
