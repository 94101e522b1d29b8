"""The Display: a picture that the controller draws, with images to copy and paste."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.devices.display_images import DisplayImages, from_bytes
from wbridge.wbcore.devices.image_device import thinned
from wbridge.wbcore.drawing.canvas import Canvas, in_front
from wbridge.wbcore.drawing.fonts import DEFAULT_FONT, Font, FontError, find_font, load_font
from wbridge.wbcore.drawing.texts import draw_text
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.visual.live_textures import LiveTexture, textures_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

BGRA = 6
BYTES = 4
OPAQUE = 0xFF000000
"""The smallest number of an opaque pixel, 0xAARRGGBB."""
MOST_PIXELS = 2**24
SCREEN = 0
"""The image number that means the display itself in save requests."""
Pixels: TypeAlias = "NDArray[np.uint32]"


class PictureSource(Protocol):
    """A camera, as displays show it."""

    @property
    def picture(self) -> NDArray[np.uint8] | None:
        """The latest picture: (height, width, 4) blue, green, red, alpha; None while there is none."""


class Display(Device):
    """Draws on a canvas, which also covers the textures of its first child."""

    KEPT: ClassVar[tuple[str, ...]] = ("version",)

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        np.asarray(())  # imports numpy while the controllers start: drawing needs it at once
        self.version = 0
        """Changes with the pixels."""
        self.images = DisplayImages()
        self.camera: PictureSource | None = None
        self._camera_tag = 0
        self._texture: LiveTexture | None = None
        self._textured: list[Node] = []
        self._shown = 0
        self.canvas: Canvas | None = None
        """Created by the first command that needs it."""
        self.font: tuple[str, int, bool] = (DEFAULT_FONT, 8, True)
        """Name, size, and whether it has smooth edges."""

    def _start(self) -> None:
        """Show black, and draw with white ink."""
        if self.canvas is not None:
            self.canvas = None
            self.version += 1
        self.font = (DEFAULT_FONT, 8, True)
        self.images.clear()
        self.camera, self._camera_tag = None, 0

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return int(self.node.get("width")), int(self.node.get("height"))

    # Ink.

    def _drawn(self) -> Canvas:
        """Return the canvas."""
        if self.canvas is None:
            width, height = self.size
            if not (width > 0 and height > 0 and width * height <= MOST_PIXELS):
                raise ValueError(
                    f"it has {width} x {height} pixels; displays of 1 to {MOST_PIXELS} pixels can be drawn"
                )
            self.canvas = Canvas(width, height)
        return self.canvas

    def on_set_color(self, rgb: int) -> None:
        """Set the color of the ink: 0xRRGGBB."""
        self._drawn().rgb = rgb & 0xFFFFFF

    def on_set_alpha(self, alpha: int) -> None:
        """Set the alpha of the ink: 0 to 255."""
        self._drawn().alpha = alpha

    def on_set_opacity(self, opacity: int) -> None:
        """Set how far ink covers what is there: 0 to 255."""
        self._drawn().opacity = opacity

    def on_set_font(self, size: int, anti_aliasing: bool, font: str) -> None:
        """Set the font of texts."""
        name = font.rstrip("\0")
        self._load(name, size, anti_aliasing)
        self.font = (name, size, bool(anti_aliasing))

    def _load(self, name: str, size: int, is_smooth: bool) -> Font:
        project = self.simulation.world.project
        return load_font(find_font(name, Path(project) if project else None), size, bool(is_smooth))

    # Figures.

    def on_draw_pixel(self, x: list[int], y: list[int]) -> None:
        """Draw a pixel."""
        self._drawn().point(*_first(x, y, 1))
        self.version += 1

    def on_draw_line(self, x: list[int], y: list[int]) -> None:
        """Draw a line between two points."""
        x0, x1, y0, y1 = _first(x, y, 2)
        self._drawn().line((x0, y0), (x1, y1))
        self.version += 1

    def on_draw_rectangle(self, x: list[int], y: list[int], fill: bool) -> None:
        """Draw or fill a rectangle; the second numbers are its size."""
        left, width, top, height = _first(x, y, 2)
        canvas = self._drawn()
        (canvas.fill_rectangle if fill else canvas.rectangle)(left, top, width, height)
        self.version += 1

    def on_draw_oval(self, x: list[int], y: list[int], fill: bool) -> None:
        """Draw or fill an oval; the second numbers are its semi-axes."""
        center_x, a, center_y, b = _first(x, y, 2)
        self._drawn().oval((center_x, center_y), a, b, bool(fill))
        self.version += 1

    def on_draw_polygon(self, x: list[int], y: list[int], fill: bool) -> None:
        """Draw or fill a polygon."""
        self._drawn().polygon(x, y, bool(fill))
        self.version += 1

    def on_draw_text(self, x: list[int], y: list[int], text: str) -> None:
        """Draw a text with its upper left corner at a point."""
        left, top = _first(x, y, 1)
        try:
            missing = draw_text(self._drawn(), self._load(*self.font), text, left, top)
        except FontError as problem:
            raise ValueError(str(problem)) from None
        self.version += 1
        if missing:
            shown = ", ".join(repr(number) for number in sorted(missing)[:10])
            self.robot.warn(f'display "{self.name}": the font "{self.font[0]}" does not have {shown}')

    # Images.

    def on_image_new(self, number: int, width: int, height: int, format_: int, pixels: bytes) -> None:
        """Store an image."""
        self.images.put(number, width, height, lambda: from_bytes(width, height, format_, pixels))

    def on_image_copy(self, number: int, x: int, y: int, width: int, height: int) -> None:
        """Store a part of the display as an image."""
        canvas = self._drawn()
        self.images.put(number, width, height, lambda: canvas.copy(x, y, width, height, self._background()))

    def on_image_paste(self, number: int, x: int, y: int, blend: bool) -> None:
        """Paste an image."""
        image = self.images.get(number)
        if image is not None:
            self._drawn().paste(image, x, y, bool(blend))
            self.version += 1

    def on_image_delete(self, number: int) -> None:
        """Delete an image."""
        self.images.delete(number)

    def on_image_save(self, number: int) -> None:
        """Send an image."""
        image = self.picture if number == SCREEN else self.images.get(number)
        if image is None:
            image = np.zeros((0, 0), dtype=np.uint32)
        height, width = image.shape
        self.send("image", number, width, height, BGRA, image.astype("<u4").tobytes())

    def on_get_state(self) -> None:
        """Send the initial state of remote mode: all images, and the ink."""
        canvas = self._drawn()
        shown = {SCREEN: canvas.pixels, **self.images.all}
        images = [
            (number, image.shape[1], image.shape[0], BGRA, image.astype("<u4").tobytes())
            for number, image in shown.items()
        ]
        self.send("state", images, canvas.rgb, canvas.alpha, canvas.opacity)

    # The camera behind the picture.

    def on_attach_camera(self, tag: int) -> None:
        """Show a camera's pictures behind the drawings."""
        camera = self.robot.devices[tag - 1] if 0 < tag <= len(self.robot.devices) else None
        if not isinstance(camera, Camera):
            raise ValueError(f"the device with the tag {tag} is not a camera")
        if (size := tuple(int(camera.node.get(name)) for name in ("width", "height"))) != self.size:
            raise ValueError(
                f'camera "{camera.name}" has {size[0]} x {size[1]} pixels; '
                f"only one of the display's size, {self.size[0]} x {self.size[1]}, can be attached"
            )
        self._drawn().uncover()
        self.camera, self._camera_tag = camera, tag
        self.version += 1

    def on_detach_camera(self) -> None:
        """Detach the camera."""
        self.camera, self._camera_tag = None, 0
        self.version += 1

    def _background(self) -> Pixels | None:
        picture = None if self.camera is None else self.camera.picture
        if picture is None or picture.shape[1::-1] != self.size:
            return None
        return np.ascontiguousarray(picture).view("<u4")[:, :, 0]

    # What others see.

    @property
    def picture(self) -> Pixels | None:
        """The visible picture, 0xAARRGGBB: (height, width); None for a display too large to draw."""
        try:
            pixels = self._drawn().pixels
        except ValueError:
            return None
        background = self._background()
        return pixels if background is None else in_front(pixels, background)

    def shown_picture(self, largest: int) -> tuple[int, int, bytes] | None:
        """See `Device.shown_picture`; None until something is drawn."""
        if self.canvas is None or (picture := self.picture) is None:
            return None
        small = thinned(picture, largest)
        return small.shape[1], small.shape[0], small.astype("<u4").tobytes()

    def after_step(self) -> None:
        """Update the textures that show the display."""
        if self.camera is not None:
            self.version += 1
        if self.version != self._shown:
            self._shown = self.version
            self._show()

    def _show(self) -> None:
        """Show the picture on the textures of the first child; before the first command they show files."""
        if not self._textured:
            self._textured = textures_below(self.node)
        picture = self.picture if self._textured else None
        if picture is None:
            return
        if self._texture is None:
            self._texture = LiveTexture(np.zeros((*picture.shape, BYTES), dtype=np.uint8))
            for node in self._textured:
                self.simulation.live_textures.put(node, self._texture)
        shown = np.ascontiguousarray(picture.astype("<u4")).view(np.uint8).reshape(*picture.shape, BYTES)
        self._texture.pixels[:] = shown[:, :, [2, 1, 0, 3]]
        self._texture.version += 1
        self.simulation.live_textures.show_through(self._texture, bool((picture < OPAQUE).any()))

    def _uncover(self) -> None:
        """Show the files of the textures again."""
        for node in self._textured:
            self.simulation.live_textures.remove(node)
        self._textured, self._texture = [], None

    # The state of a simulation.

    def save_more(self) -> object:
        """Return the pixels, compressed, the ink, the font, the camera and the images."""
        canvas, picture = self.canvas, None
        if canvas is not None:
            pixels = zlib.compress(canvas.pixels.tobytes(), 1)
            picture = (canvas.width, canvas.height, pixels, canvas.rgb, canvas.alpha, canvas.opacity)
        return picture, self.font, self._camera_tag, self.images.save()

    def load_more(self, state: Any) -> None:
        """See `save_more`."""
        picture, font, tag, images = state
        self.canvas, self.font = None, tuple(font)
        if picture is not None and picture[:2] == self.size:
            width, height, pixels, *ink = picture
            canvas = self._drawn()
            canvas.pixels[:] = np.frombuffer(zlib.decompress(pixels), dtype=np.uint32).reshape(height, width)
            canvas.rgb, canvas.alpha, canvas.opacity = ink
        camera = self.robot.devices[tag - 1] if tag else None
        self.camera, self._camera_tag = camera if isinstance(camera, Camera) else None, tag
        self.images.load(images)
        self._shown = -1

    # The phases of a simulation.

    def connect(self) -> None:
        """Forget what the former controller has drawn."""
        super().connect()
        self._start()

    def reset(self) -> None:
        """Clear the display."""
        self._start()

    def renewed(self) -> None:
        """Cover the textures of the new node."""
        self.field_changed("width")

    def field_changed(self, name: str) -> None:
        """Start with a new picture if its size changes."""
        if name in ("width", "height"):
            self.update_entry()
            self.send_constants()
            self._uncover()
            self._start()

    def removed(self) -> None:
        """Show the files of the textures again."""
        self._uncover()


def _first(x: list[int], y: list[int], count: int) -> list[int]:
    """Return that many x and that many y."""
    if len(x) < count or len(y) < count:
        raise ValueError(f"{len(x)} points; expected {count}")
    return [*x[:count], *y[:count]]
