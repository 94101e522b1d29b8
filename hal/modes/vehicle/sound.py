"""What a car is heard: its engine, louder and higher with its speed, and the relay of its indicators."""

from __future__ import annotations

from math import pi

from hal.modes.devices.speaker import Speaker, play_sound
from hal.modes.vehicle.engine import PARALLEL, SPLIT
from hal.modes.vehicle.parameters import Parameters
from hal.modes.vehicle.parts import Parts

__all__ = ["Sounds", "estimated_rpm"]

SILENT = "none"
BLINKER = "sounds/blinker.wav"
THROTTLE_SHARE, SPEED_SHARE = 0.2, 0.5
"""Of the volume, that throttle and speed of the engine decide about."""
FULL = 25.0
"""What a car lacks to its cruising speed, in km/h, when it sounds like full throttle."""


def estimated_rpm(car: Parameters, average: float) -> float:
    """Turns in a minute of an engine behind the gear that fits a speed: the lowest that keeps it in the first
    third of its range.

    Args:
        car: its figures.
        average: speed of the wheels, in rad/s.
    """
    wheel = average * 60 / (2 * pi)
    ratio = car.gear_ratios[0]
    if wheel >= 0:
        limit = (2 * car.min_rpm + car.max_rpm) / 3
        fitting = (one for one in car.gear_ratios[1:] if abs(wheel * one) < limit)
        ratio = next(fitting, car.gear_ratios[-1])
    return abs(wheel * ratio)


class Sounds:
    """The speaker of a car, if it has one. A car whose engine is silent makes no sounds at all."""

    def __init__(self, parts: Parts, car: Parameters) -> None:
        silent = car.sound in ("", SILENT)
        self._speaker = None if silent else parts.find(Speaker, "engine_speaker")
        self._car = car

    def blink(self, on: bool) -> None:
        """Let the relay of the indicators click, or not."""
        if self._speaker is not None and on:
            play_sound(self._speaker, self._speaker, BLINKER, 1.0, 1.0, 0.0, True)
        else:
            self._stop(BLINKER)

    def _stop(self, sound: str) -> None:
        if self._speaker is not None and self._speaker.is_sound_playing(sound):
            self._speaker.stop(sound)

    def run(self, rpm: float, throttle: float) -> None:
        """Let the engine be heard.

        Args:
            rpm: its turns in a minute.
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
        """Let the engine be heard when only the speed of the car is commanded.

        Args:
            average: speed of the wheels, in rad/s.
            lacking: what is still missing to the cruising speed, in km/h.
        """
        self.run(estimated_rpm(self._car, average), min(max(lacking, 0.0), FULL) / FULL)
