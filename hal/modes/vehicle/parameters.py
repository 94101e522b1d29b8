"""The figures of a car that its model tells in the text `customData` of the robot."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

__all__ = ["UNKNOWN", "Parameters", "VehicleError"]

ENGINES = {"C": 0, "E": 1, "P": 2, "S": 3}
"""Combustion, electric, parallel hybrid, power-split hybrid: letter in the text to number in the API."""
UNKNOWN = -1.0
"""The radius of a wheel when the model does not know it."""
LEAST_GEARS = 2
NUMBERS = (
    "wheelbase track_front track_rear front_wheel_radius rear_wheel_radius brake_coefficient "
    "wheels_damping engine max_torque max_power min_rpm max_rpm constant linear quadratic "
    "split_ratio split_rpm sound_rpm gears sound_length"
).split()
"""The twenty values that stand first."""


class VehicleError(RuntimeError):
    """The robot is no car: figures or devices are missing; the text says which."""


@dataclass(frozen=True)
class Parameters:
    """The figures of a car."""

    wheelbase: float
    """Distance of the front axle from the rear axle, in m."""
    track_front: float
    """Distance of the front wheels from each other, in m."""
    track_rear: float
    front_wheel_radius: float
    """In m; -1 when the model does not know it."""
    rear_wheel_radius: float
    brake_coefficient: float
    """Torque of a brake at full intensity, in N m."""
    wheels_damping: float
    """Damping constant of a rolling wheel, in N m s/rad."""
    engine: int
    """0 combustion, 1 electric, 2 parallel hybrid, 3 power-split hybrid."""
    max_torque: float
    """Of the electric engine, in N m."""
    max_power: float
    """Of the electric engine, in W."""
    min_rpm: float
    max_rpm: float
    coefficients: tuple[float, float, float]
    """Torque of the combustion engine in N m: the first + rpm * the second + rpm^2 * the third."""
    split_ratio: float
    """Share of the power that a power-split hybrid's combustion engine gives to the generator, 0 to 1."""
    split_rpm: float
    """The speed at which a power-split hybrid's combustion engine turns."""
    sound_rpm: float
    """The speed of the engine at which its sound was recorded."""
    gear_ratios: tuple[float, ...]
    """Turns of the engine for a turn of the wheels; the first is that of reverse, and negative."""
    sound: str
    """File with the sound of the engine; "none" for a silent one."""

    @classmethod
    def parse(cls, text: str) -> Parameters:
        """Read the figures.

        Args:
            text: 20 values (18 numbers and counts with the letter of the engine among them), as many gear
                ratios as the 19th value says, and the file of the sound, all separated by single spaces.

        Raises:
            VehicleError: values are missing or are no numbers.
        """
        words = text.split(maxsplit=len(NUMBERS))
        if len(words) < len(NUMBERS):
            raise VehicleError(f"customData lacks the {len(NUMBERS)} values of a car: {text[:80]!r}")
        named = {name: _number(name, word) for name, word in zip(NUMBERS, words, strict=False)}
        count, length = int(named.pop("gears")), int(named.pop("sound_length"))
        rest = words[-1].split(maxsplit=min(max(count, 0), len(text))) if len(words) > len(NUMBERS) else []
        if not LEAST_GEARS <= count <= len(rest):
            raise VehicleError(
                f"customData promises {count} gear ratios; there must be as many, and {LEAST_GEARS} or more"
            )
        combustion = (named.pop("constant"), named.pop("linear"), named.pop("quadratic"))
        return cls(
            engine=int(named.pop("engine")),
            coefficients=combustion,
            gear_ratios=tuple(_number("a gear ratio", word) for word in rest[:count]),
            sound="".join(rest[count:])[:length],
            **named,
        )


def _number(name: str, word: str) -> float:
    if name == "engine":
        return ENGINES.get(word, ENGINES["C"])
    try:
        number = float(word)
    except ValueError:
        raise VehicleError(f"customData: {name} is {word!r}, not a number") from None
    if not isfinite(number):
        raise VehicleError(f"customData: {name} is {word!r}, not a finite number")
    return number
