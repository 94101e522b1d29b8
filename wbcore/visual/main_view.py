"""Pictures of the main view, with labels, and their files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.visual.animation import AnimatedSimulation, Animation
from wbridge.wbcore.visual.drawn import Drawn
from wbridge.wbcore.visual.errors import PictureError
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.visual.movie import LARGEST_SIDE, Movie, MovieOptions, Pixels, Text
from wbridge.wbcore.visual.viewpoint import ViewpointCamera
from wbridge.wbcore.visual.views import Pictures

SUFFIXES = (".png", ".jpg", ".jpeg")
FARTHEST_TEXT = 10.0
"""Texts that begin farther away, in widths and heights of the picture, are not drawn."""
OPAQUE = 255


class ViewedSimulation(AnimatedSimulation, Protocol):
    """The parts of a simulation that its main view shows."""

    @property
    def hidden(self) -> HiddenNodes:
        """Nodes that single views do not show."""

    @property
    def renderer(self) -> Pictures:
        """Draws pictures. Raises RenderError without OpenGL."""

    def drawings(self, robot: str | None = None) -> tuple[Drawn, ...]:
        """Return what is drawn besides shapes, in the main view or in the cameras of a robot."""

    @property
    def has_fine_looks(self) -> bool:
        """Whether pictures have soft shadows and a tone map as of film."""

    @property
    def view_size(self) -> tuple[int, int]:
        """Width and height of exported pictures (pixels)."""


class MainView:
    """Takes pictures of what the Viewpoint sees."""

    def __init__(self, simulation: ViewedSimulation) -> None:
        self._simulation = simulation
        self._camera = ViewpointCamera(simulation.physics, simulation.hidden)

    @property
    def eye(self) -> Vec3:
        """Where the Viewpoint is (m)."""
        return self._camera.view(1, 1).eye

    def picture(self, size: tuple[int, int] | None = None, more: Iterable[Text] = ()) -> Pixels:
        """Take a picture.

        Args:
            size: width and height; by default that of the view.
            more: texts besides the labels of supervisors.

        Raises:
            PictureError: the size is not possible.
            RenderError: there is no OpenGL.
        """
        width, height = size or self._simulation.view_size
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            raise PictureError(
                f"a picture of {width} by {height} pixels; allowed: 1 to {LARGEST_SIDE} for each side"
            )
        pixels = np.empty(width * height * 4, dtype=np.uint8)
        renderer = self._simulation.renderer
        renderer.follow()
        drawings, is_fine = self._simulation.drawings(), self._simulation.has_fine_looks
        view = replace(self._camera.view(width, height), drawings=drawings, is_fine=is_fine)
        renderer.draw(view, pixels)
        image = pixels.reshape(height, width, 4)
        texts = [*self._simulation.labels, *more]
        return _with_texts(image, texts) if texts else image

    def save(self, path: Path, quality: int = 90, size: tuple[int, int] | None = None) -> None:
        """Take a picture and save it, see `picture` and `save_picture`."""
        save_picture(self.picture(size), path, quality)

    def record(
        self,
        path: Path,
        width: int,
        height: int,
        quality: int = 90,
        acceleration: int = 1,
        has_caption: bool = False,
    ) -> Movie:
        """Start a movie, see `Movie` and `MovieOptions`."""
        options = MovieOptions(width, height, quality, acceleration, has_caption)
        return Movie(self.picture, path, options, 1000 * self._simulation.step_s)

    def animate(self, path: Path) -> Animation:
        """Start an animation, see `Animation`."""
        return Animation(self._simulation, path)


def save_picture(pixels: Pixels, path: Path, quality: int = 90) -> None:
    """Write a picture as a PNG or JPEG file, by its suffix.

    Args:
        pixels: the picture.
        path: the file.
        quality: of JPEG files, 1 to 100.

    Raises:
        PictureError: the suffix or the quality is not possible.
        OSError: the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PictureError(f'"{path}": the name of a picture must end in {" or ".join(SUFFIXES)}')
    if path.suffix.lower() != ".png" and not 1 <= quality <= 100:
        raise PictureError(f"a quality of {quality}; allowed: 1 to 100")
    colors = Image.fromarray(np.ascontiguousarray(pixels[..., 2::-1]))
    colors.save(path, quality=quality)


def _with_texts(pixels: Pixels, texts: Iterable[Text]) -> Pixels:
    image = Image.fromarray(np.ascontiguousarray(pixels[..., [2, 1, 0, 3]])).convert("RGBA")
    width, height = image.size
    for shown_text in texts:
        if not (abs(shown_text.x) <= FARTHEST_TEXT and abs(shown_text.y) <= FARTHEST_TEXT):
            continue  # out of the picture
        text = shown_text.text.encode(errors="replace").decode()
        layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
        red, green, blue = (shown_text.color >> shift & 255 for shift in (16, 8, 0))
        fill = (red, green, blue, OPAQUE - (shown_text.color >> 24 & 255))
        font = _font(max(1.0, min(shown_text.size, 1.0) * height))
        ImageDraw.Draw(layer).multiline_text(
            (shown_text.x * width, shown_text.y * height), text, fill=fill, font=font
        )
        image = Image.alpha_composite(image, layer)
    return np.ascontiguousarray(np.asarray(image)[..., [2, 1, 0, 3]])


def _font(pixels: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font that comes with Pillow; before 10.1 it has one size."""
    try:
        return ImageFont.load_default(pixels)
    except TypeError:
        return ImageFont.load_default()
