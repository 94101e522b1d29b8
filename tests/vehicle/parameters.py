"""What a car's text says, read in Python: the judge of the library's reader.

The text is in the field `customData` of the robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from scripts.message_catalogue import PLACEHOLDER, messages
from wbridge.hal.client.errors import VehicleError

__all__ = ["UNKNOWN", "Parameters"]

ENGINES = {"C": 0, "E": 1, "P": 2, "S": 3}
"""API numbers of combustion, electric, parallel hybrid and power-split hybrid engines, by letter."""
UNKNOWN = -1.0
"""Wheel radius if the model does not define it."""
LEAST_GEARS = 2
NUMBERS = (
    "wheelbase track_front track_rear front_wheel_radius rear_wheel_radius brake_coefficient "
    "wheels_damping engine max_torque max_power min_rpm max_rpm constant linear quadratic "
    "split_ratio split_rpm sound_rpm gears sound_length"
).split()
"""Names of the first twenty values."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of a car."""

    wheelbase: float
    """Distance between the front and rear axles, in m."""
    track_front: float
    """Distance between the front wheels, in m."""
    track_rear: float
    front_wheel_radius: float
    """In m; -1 if the model does not define it."""
    rear_wheel_radius: float
    brake_coefficient: float
    """Torque of each brake at full intensity, in N m."""
    wheels_damping: float
    """Damping constant of a rolling wheel, in N m s/rad."""
    engine: int
    """0 combustion, 1 electric, 2 parallel hybrid, 3 power-split hybrid."""
    max_torque: float
    """Maximum torque of the electric engine, in N m."""
    max_power: float
    """Maximum power of the electric engine, in W."""
    min_rpm: float
    max_rpm: float
    coefficients: tuple[float, float, float]
    """Coefficients c0, c1, c2 of the combustion engine's torque in N m: c0 + c1 * rpm + c2 * rpm^2."""
    split_ratio: float
    """Share of the combustion engine's power that drives the generator of a power-split hybrid, 0 to 1."""
    split_rpm: float
    """Speed of the combustion engine of a power-split hybrid, in 1/min."""
    sound_rpm: float
    """Engine speed at which the sound was recorded, in 1/min."""
    gear_ratios: tuple[float, ...]
    """Engine speed relative to the wheel speed for each gear; the first is reverse, and negative."""
    sound: str
    """Sound file of the engine; "none" for a silent one."""

    @classmethod
    def parse(cls, text: str) -> Parameters:
        """Parse the parameters.

        Args:
            text: 20 values (numbers, and the letter of the engine type), the gear ratios, whose number is the
                19th value, and the sound file, separated by single spaces.

        Raises:
            VehicleError: values are missing or are not numbers.
        """
        words = text.split(maxsplit=len(NUMBERS))
        if len(words) < len(NUMBERS):
            raise VehicleError(_message("lacking_values", len(NUMBERS), repr(text[:80])))
        named = {name: _number(name, word) for name, word in zip(NUMBERS, words, strict=False)}
        count, length = int(named.pop("gears")), int(named.pop("sound_length"))
        rest = words[-1].split(maxsplit=min(max(count, 0), len(text))) if len(words) > len(NUMBERS) else []
        if not LEAST_GEARS <= count <= len(rest):
            raise VehicleError(_message("invalid_gear_count", count, LEAST_GEARS))
        combustion = (named.pop("constant"), named.pop("linear"), named.pop("quadratic"))
        return cls(
            engine=int(named.pop("engine")),
            coefficients=combustion,
            gear_ratios=tuple(_number("a gear ratio", word) for word in rest[:count]),
            sound="".join(rest[count:])[:length],
            **named,
        )


def _message(name: str, *values: object) -> str:
    """A message of the catalogue."""
    (row,) = [row for rows in messages("api").values() for row in rows if row.name == name]
    rest = iter(values)
    return PLACEHOLDER.sub(lambda _: str(next(rest)), row.text)


def _number(name: str, word: str) -> float:
    if name == "engine":
        return ENGINES.get(word, ENGINES["C"])
    try:
        number = float(word)
    except ValueError:
        raise VehicleError(_message("invalid_value", name, repr(word))) from None
    if not isfinite(number):
        raise VehicleError(_message("infinite_value", name, repr(word)))
    return number
