"""Propose a wiring file: a table for each device, with pins of an Arduino Uno."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from wbridge.remote_controls.wiring.part import Part

PINS: dict[str, tuple[int | str, ...]] = {
    "analog": ("A0", "A1", "A2", "A3", "A4", "A5"),
    "pwm": (5, 6, 3, 11, 9, 10),
    "other": (13, 2, 4, 7, 8, 12),
}
"""Pins of an Uno in the order of assignment; 9 and 10 last, because servos use their PWM timer."""
DIRECTIONS = ("forward", "backward")


def proposal(devices: Mapping[str, str], kinds: Mapping[str, type[Part]]) -> str:
    """Return the text of a file to be adapted to the robot.

    Args:
        devices: node types by name.
        kinds: the types of wiring by key.
    """
    free = {use: iter(pins) for use, pins in PINS.items()}
    tables = [_table(name, type_, kinds, free) for name, type_ in devices.items()]
    for table in tables:  # until each device has a pin
        if table and table[1].startswith("pwm"):
            table += [f"{name} = {pin}" for name, pin in zip(DIRECTIONS, free["other"], strict=False)]
    return "\n".join(line for table in tables for line in table)


def _table(
    name: str, type_: str, kinds: Mapping[str, type[Part]], free: Mapping[str, Iterator[int | str]]
) -> list[str]:
    """Return a device's lines; empty if it cannot be wired or no pin is left."""
    fitting = [key for key, kind in kinds.items() if type_ in kind.TYPES]
    pin = next(free[fitting[0] if fitting[0] in free else "other"], None) if fitting else None
    if pin is None:
        return []
    others = f"  # or {', '.join(fitting[1:])}" if fitting[1:] else ""
    return [f"[devices.{json.dumps(name)}]", f"{fitting[0]} = {json.dumps(pin)}{others}"]
