"""Drawing commands of displays as calls of a plugin.

The simulator receives the same commands and shows the robot's display. A plugin may implement any of

    display_set_color(tag, color)                  display_set_alpha, display_set_opacity (tag, 0 to 1)
    display_draw_pixel(tag, x, y)                  display_draw_line(tag, x1, y1, x2, y2)
    display_draw_rectangle, display_fill_rectangle (tag, x, y, width, height)
    display_draw_oval, display_fill_oval (tag, cx, cy, a, b)
    display_draw_polygon, display_fill_polygon (tag, xs, ys, size)
    display_draw_text(tag, text, x, y)             display_set_font(tag, font, size, anti_aliasing)
    display_image_new(tag, id, width, height, data, format)
    display_image_copy(tag, id, x, y, width, height)
    display_image_paste(tag, id, x, y)             display_image_delete(tag, id)
    display_image_save(tag, id)                    answers by RemoteRobot.display_save_image

Other commands are passed together to `set_channel(tag, "drawing", [(code, data), ...])`, with codes and data
as in the controller protocol (`hal/protocol/devices/display.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wbridge.hal.gateway.host import RemoteDevice
from wbridge.hal.protocol.codec import Command, Message

CHANNEL = "drawing"
PREFIX = "display_"
Call = tuple[str, tuple[object, ...]]
Points = Sequence[int]


def draw(plugin: object, display: RemoteDevice, commands: Sequence[Command]) -> None:
    """Pass drawing commands to a plugin; the simulator gets them, too."""
    rest = []
    for code, command, values in commands:
        name, arguments = _call(command, values)
        method = getattr(plugin, PREFIX + name, None)
        if method is not None:
            method(display.tag, *arguments)
        else:
            rest.append((code, _data(display.codec.commands[code], values)))
    tell = getattr(plugin, "set_channel", None)
    if tell is not None and rest:
        tell(display.tag, CHANNEL, rest)


def _data(command: Message, values: tuple[object, ...]) -> bytes:
    return command.layout.pack(*values)


def _call(order: str, values: tuple[object, ...]) -> Call:
    make = _CALLS.get(order)
    return (order, values) if make is None else make(*values)


def _share(name: str) -> Callable[[int], Call]:
    return lambda value: (name, (value / 255,))


def _shape(name: str) -> Callable[[Points, Points, bool], Call]:
    """A position and a size."""
    return lambda x, y, fill: (f"{'fill' if fill else 'draw'}_{name}", (x[0], y[0], x[1], y[1]))


def _polygon(x: Points, y: Points, fill: bool) -> Call:
    return f"{'fill' if fill else 'draw'}_polygon", (list(x), list(y), len(x))


_CALLS: dict[str, Callable[..., Call]] = {
    "set_alpha": _share("set_alpha"),
    "set_opacity": _share("set_opacity"),
    "set_font": lambda size, smooth, font: ("set_font", (font, size, smooth)),
    "draw_pixel": lambda x, y: ("draw_pixel", (x[0], y[0])),
    "draw_line": lambda x, y: ("draw_line", (x[0], y[0], x[1], y[1])),
    "draw_text": lambda x, y, text: ("draw_text", (text, x[0], y[0])),
    "draw_rectangle": _shape("rectangle"),
    "draw_oval": _shape("oval"),
    "draw_polygon": _polygon,
    "image_new": lambda id_, width, height, format_, data: ("image_new", (id_, width, height, data, format_)),
    "image_paste": lambda id_, x, y, blend: ("image_paste", (id_, x, y)),
}
