"""The sounds of a car: its engine, with volume and pitch by speed, and the indicator relay."""

from __future__ import annotations

from math import pi

from wbridge.hal.modes.devices.speaker import Speaker, play_sound
from wbridge.hal.modes.vehicle.engine import PARALLEL, SPLIT
from wbridge.hal.modes.vehicle.parameters import Parameters
from wbridge.hal.modes.vehicle.parts import Parts

__all__ = ["Sounds", "estimated_rpm"]

SILENT = "none"
BLINKER = "sounds/blinker.wav"
THROTTLE_SHARE, SPEED_SHARE = 0.2, 0.5
"""Shares of the volume that depend on the throttle and on the engine speed."""
FULL = 25.0
"""Difference to the cruising speed, in km/h, that sounds like full throttle."""


def estimated_rpm(car: Parameters, average: float) -> float:
    """The engine speed, in 1/min, in the lowest gear that keeps it in the first third of its range.

    Args:
        car: parameters of the car.
        average: mean speed of the wheels, in rad/s.
    """
    wheel = average * 60 / (2 * pi)
    ratio = car.gear_ratios[0]
    if wheel >= 0:
        limit = (2 * car.min_rpm + car.max_rpm) / 3
        fitting = (one for one in car.gear_ratios[1:] if abs(wheel * one) < limit)
        ratio = next(fitting, car.gear_ratios[-1])
    return abs(wheel * ratio)


class Sounds:
    """The sounds on the speaker of a car, if it has one. A car with a silent engine makes no sounds."""

    def __init__(self, parts: Parts, car: Parameters) -> None:
        silent = car.sound in ("", SILENT)
        self._speaker = None if silent else parts.find(Speaker, "engine_speaker")
        self._car = car

    def blink(self, on: bool) -> None:
        """Start or stop the sound of the indicator relay."""
        if self._speaker is not None and on:
            play_sound(self._speaker, self._speaker, BLINKER, 1.0, 1.0, 0.0, True)
        else:
            self._stop(BLINKER)

    def _stop(self, sound: str) -> None:
        if self._speaker is not None and self._speaker.is_sound_playing(sound):
            self._speaker.stop(sound)

    def run(self, rpm: float, throttle: float) -> None:
        """Play the sound of the engine.

        Args:
            rpm: engine speed in 1/min.
            throttle: 0 to 1.
        """
        car = self._car
        if self._speaker is None or rpm != rpm:
            return
        turning = car.split_rpm if car.engine == SPLIT else max(rpm, car.min_rpm)
        pitch = turning / car.sound_rpm if car.sound_rpm > 0 else 1.0
        if pitch <= 0 or (car.engine in (PARALLEL, SPLIT) and rpm < car.min_rpm):
            self._stop(car.sound)
            return
        speed = min(rpm, car.max_rpm) / car.max_rpm if car.max_rpm else 0.0
        volume = (1 - THROTTLE_SHARE + THROTTLE_SHARE * throttle) * (1 - SPEED_SHARE + SPEED_SHARE * speed)
        play_sound(self._speaker, self._speaker, car.sound, volume, pitch, 0.0, True)

    def cruise(self, average: float, lacking: float) -> None:
        """Play the sound of the engine in speed control.

        Args:
            average: mean speed of the wheels, in rad/s.
            lacking: difference to the cruising speed, in km/h.
        """
        self.run(estimated_rpm(self._car, average), min(max(lacking, 0.0), FULL) / FULL)
