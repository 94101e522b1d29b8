"""A display, which shows drawings and images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.modes.image_files import ImageFileError, read_image_file, swapped, write_image_file
from wbridge.hal.protocol.devices.display import PIXEL_SIZES
from wbridge.hal.reports import messages

__all__ = ["Display", "DisplayImage"]

COLOR, ALPHA, OPACITY, FONT, ATTACH, DETACH = range(16, 22)
PIXEL, LINE, TEXT, RECTANGLE, OVAL, POLYGON = range(32, 38)
COPY, PASTE, SAVE, NEW, DELETE = range(64, 69)
RGBA = 4


class DisplayImage(NamedTuple):
    """An image that the simulator stores for a display."""

    id: int
    width: int
    height: int


class Display(DeviceHandle):
    """A display, which shows drawings and images."""

    state = ()
    width = height = 0

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.commands: list[tuple[int, tuple[Any, ...]]] = []
        self.images: dict[int, DisplayImage] = {}
        self.next_id = 1
        self.saved: list[tuple[int, int, bytes]] = []

    def take_constants(self, width: int, height: int) -> None:
        """Store the size."""
        self.width, self.height = width, height

    def take_image(self, id_: int, width: int, height: int, format_: int, pixels: bytes) -> None:
        """Store the requested image."""
        self.saved.append((width, height, pixels))

    def command(self, code: int, *values: Any) -> None:
        """Queue a command; commands are sent in the order of the calls."""
        self.commands.append((code, values))
        self.exchange.busy.add(self.tag)

    def flush(self, out: bytearray) -> None:
        """Append the pending commands; those that attach or detach cameras come first."""
        commands, self.commands = self.commands, []
        commands.sort(key=lambda one: one[0] not in (ATTACH, DETACH))
        for code, values in commands:
            self.codec.write_command(out, code, values)

    def get_width(self) -> int:
        """The width in pixels."""
        return self.width

    def get_height(self) -> int:
        """The height in pixels."""
        return self.height

    def set_color(self, color: int) -> None:
        """Set the color of subsequent drawings: 0xRRGGBB; initially white."""
        if self._within("set_color", "color", color, 0, 0xFFFFFF):
            self.command(COLOR, int(color))

    def set_alpha(self, alpha: float) -> None:
        """Set the alpha value of subsequent drawings: 0 to 1; initially 1."""
        if self._within("set_alpha", "alpha", alpha, 0, 1):
            self.command(ALPHA, int(alpha * 255))

    def set_opacity(self, opacity: float) -> None:
        """Set how far new pixels cover old ones: from 0 (transparent) to 1 (opaque); initially 1."""
        if self._within("set_opacity", "opacity", opacity, 0, 1):
            self.command(OPACITY, int(opacity * 255))

    def _within(self, method: str, name: str, value: float, low: float, high: float) -> bool:
        if low <= value <= high:
            return True
        self.error(method, messages.invalid_setting(name, value, f"{low} to {high}"))
        return False

    @needs("font")
    def set_font(self, font: str, size: int, anti_aliasing: bool) -> None:
        """Set the font of subsequent texts.

        Args:
            font: for example "Arial" or "Lucida Console"; initially "Arial".
            size: in pixels, above 0; initially 8.
            anti_aliasing: draw smooth edges.
        """
        if self._within("set_font", "size", size, 1, 10_000):
            self.command(FONT, int(size), bool(anti_aliasing), font)

    def attach_camera(self, camera_tag: int) -> None:
        """Show the images of a camera behind the drawings; camera and display must have the same size."""
        if camera_tag == 0:
            self.error("attach_camera", messages.missing_object("camera"))
            return
        self.command(ATTACH, int(camera_tag))

    def detach_camera(self) -> None:
        """Detach the camera."""
        self.command(DETACH)

    def draw_pixel(self, x: int, y: int) -> None:
        """Draw a pixel; x and y are counted from the upper left corner."""
        self.command(PIXEL, (int(x),), (int(y),))

    def draw_line(self, x1: int, y1: int, x2: int, y2: int) -> None:
        """Draw a line from (x1, y1) to (x2, y2), in pixels."""
        self.command(LINE, (int(x1), int(x2)), (int(y1), int(y2)))

    @needs("text")
    def draw_text(self, text: str, x: int, y: int) -> None:
        """Draw a text with its upper left corner at (x, y), in pixels."""
        self.command(TEXT, (int(x),), (int(y),), text)

    def draw_rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the outline of a rectangle; (x, y) is its upper left corner, in pixels."""
        self._shape("draw_rectangle", RECTANGLE, (x, width), (y, height), False)

    def fill_rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Fill a rectangle; (x, y) is its upper left corner, in pixels."""
        self._shape("fill_rectangle", RECTANGLE, (x, width), (y, height), True)

    def draw_oval(self, cx: int, cy: int, a: int, b: int) -> None:
        """Draw the outline of an oval with center (cx, cy) and semi-axes a (horizontal) and b, in pixels."""
        self._shape("draw_oval", OVAL, (cx, a), (cy, b), False)

    def fill_oval(self, cx: int, cy: int, a: int, b: int) -> None:
        """Fill an oval with center (cx, cy) and semi-axes a (horizontal) and b, in pixels."""
        self._shape("fill_oval", OVAL, (cx, a), (cy, b), True)

    def _shape(self, method: str, code: int, xs: Sequence[int], ys: Sequence[int], fill: bool) -> None:
        if xs[1] < 1 or ys[1] < 1:
            self.error(method, messages.invalid_size(xs[1], ys[1]))
            return
        self.command(code, tuple(map(int, xs)), tuple(map(int, ys)), fill)

    @needs("x", "y")
    def draw_polygon(self, x: Sequence[int], y: Sequence[int], size: int | None = None) -> None:
        """Draw the outline of a polygon through the first `size` points (default: all), in pixels."""
        self._polygon("draw_polygon", x[:size], y[:size], False)

    @needs("x", "y")
    def fill_polygon(self, x: Sequence[int], y: Sequence[int], size: int | None = None) -> None:
        """Fill a polygon through the first `size` points (default: all), in pixels."""
        self._polygon("fill_polygon", x[:size], y[:size], True)

    def _polygon(self, method: str, x: Sequence[int], y: Sequence[int], fill: bool) -> None:
        if len(x) != len(y) or not x:
            self.error(method, f"called with {len(x)} x and {len(y)} y; expected equal numbers, at least 1.")
            return
        self.command(POLYGON, tuple(map(int, x)), tuple(map(int, y)), fill)

    def _keep(self, width: int, height: int) -> DisplayImage:
        image = DisplayImage(self.next_id, width, height)
        self.images[image.id] = image
        self.next_id += 1
        return image

    @needs("data")
    def image_new(self, width: int, height: int, data: bytes, format: int) -> DisplayImage | None:
        """Create an image from pixels, for pasting.

        Args:
            width: in pixels.
            height: in pixels.
            data: pixels, rows from the top.
            format: 3 RGB, 4 RGBA, 5 ARGB, 6 BGRA, 7 ABGR.
        """
        raw, size = bytes(data), width * height * PIXEL_SIZES.get(format, 0)
        if width < 1 or height < 1 or format not in PIXEL_SIZES or len(raw) != size:
            text = f"called with {len(raw)} bytes for {width} x {height} pixels of format {format}."
            self.error("image_new", text)
            return None
        image = self._keep(width, height)
        self.command(NEW, image.id, width, height, format, raw)
        return image

    @needs("filename")
    def image_load(self, filename: str) -> DisplayImage | None:
        """Load an image from a PNG file (other formats need the package pillow); None on failure."""
        try:
            width, height, pixels = read_image_file(filename)
        except (OSError, ImageFileError) as problem:
            self.error("image_load", f"could not read the image: {problem}")
            return None
        return self.image_new(width, height, pixels, RGBA)

    def image_copy(self, x: int, y: int, width: int, height: int) -> DisplayImage | None:
        """Copy a part of the display to an image; (x, y) is its upper left corner, in pixels."""
        image = self._keep(int(width), int(height))
        self.command(COPY, image.id, int(x), int(y), int(width), int(height))
        return image

    def image_paste(self, image: DisplayImage, x: int, y: int, blend: bool = False) -> None:
        """Paste an image with its upper left corner at (x, y), in pixels; `blend` applies its alpha."""
        if self._known("image_paste", image):
            self.command(PASTE, image.id, int(x), int(y), bool(blend))

    def _known(self, method: str, image: DisplayImage | None) -> bool:
        if image is not None and self.images.get(image.id) is image:
            return True
        self.error(method, messages.foreign_image())
        return False

    def image_delete(self, image: DisplayImage) -> None:
        """Delete an image."""
        if self._known("image_delete", image):
            del self.images[image.id]
            self.command(DELETE, image.id)

    @needs("filename")
    def image_save(self, image: DisplayImage | None, filename: str) -> None:
        """Save an image, or the whole display for None, to a PNG file. Queries the simulator."""
        if image is not None and not self._known("image_save", image):
            return
        self.saved.clear()
        if not self.ask("image_save", SAVE, image.id if image else 0):
            return
        if not self.saved:
            self.error("image_save", "received no image: the display's content is not available.")
            return
        width, height, pixels = self.saved.pop()
        try:
            write_image_file(filename, width, height, bytes(swapped(pixels)), 4)
        except (OSError, ImageFileError) as problem:
            self.error("image_save", messages.unwritable_file(problem))
