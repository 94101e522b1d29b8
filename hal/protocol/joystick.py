"""The description of a joystick, whose layout depends on its first number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.protocol.layout import Layout

HEAD, NAME = Layout("axes:i32 buttons:i32 povs:i32"), Layout("model:str")


class JoystickPart:
    """Numbers of axes, buttons and points of view, and the model; -1, -1, -1 and "" without a joystick."""

    count, least = 4, 12

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        head, at = HEAD.read(data, at)
        model = ("",)
        if head[0] >= 0:
            model, at = NAME.read(data, at)
        values += (*head, *model)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        HEAD.write(out, values[:3])
        if values[0] >= 0:
            NAME.write(out, values[3:])
