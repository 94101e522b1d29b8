"""The Speaker: sounds and speech take their real time; a run can write what is heard of sounds to a file."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.devices.sounds import SoundError, duration, read_sound
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from wbridge.wbcore.devices.sound_mix import Clip

CHARACTERS_PER_SECOND = 15.0
"""Average speech rate, in characters per second."""
MOST_SOUNDS = 256
"""Maximum number of sounds playing simultaneously."""


@dataclass
class Playing:
    """A playing sound."""

    length: float
    """Duration in s, at the original pitch."""
    pitch: float
    loop: bool
    position: float = 0.0
    volume: float = 1.0
    balance: float = 0.0
    """-1: left, 1: right."""


class Speaker(Device):
    """Reports when a sound ends, and adds its sounds to the simulation's mix, if there is one."""

    KEPT: ClassVar[tuple[str, ...]] = ("speech_left", "engine", "language")
    works = False

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self.playing: dict[str, Playing] = {}
        """Playing sounds, by the file name that the controller used."""
        self.speech_left = 0.0
        """Remaining time of the speech, in s."""
        self.engine, self.language = "pico", "en-US"
        self._lengths: dict[str, float] = {}
        self._clips: dict[str, Clip | None] = {}
        self._mount = Mount(self.simulation.physics, lambda: self.node)

    def on_play_sound(self, sounds: list[tuple[str, float, float, float, int, int, bytes]]) -> None:
        """Start sounds, or change playing ones: file, volume, pitch, balance, side, loop, content."""
        self.set_active(True)
        for file, volume, pitch, balance, _, loop, content in sounds:
            if not (0 <= volume <= 1 and pitch > 0 and isfinite(pitch) and -1 <= balance <= 1):
                raise ValueError(
                    f'"{file}": volume {volume}, pitch {pitch}, balance {balance}; allowed: 0 to 1, '
                    "numbers above 0, -1 to 1"
                )
            self._play(file, pitch, bool(loop), content)
            self.playing[file].volume, self.playing[file].balance = volume, balance

    def _play(self, file: str, pitch: float, loop: bool, content: bytes) -> None:
        now = self.playing.get(file)
        if now is not None:
            now.pitch, now.loop = pitch, loop
        elif len(self.playing) < MOST_SOUNDS:
            self.playing[file] = Playing(self._length(file, content), pitch, loop)
        else:
            raise ValueError(f'"{file}" does not play: the limit of {MOST_SOUNDS} sounds is reached')

    def _length(self, file: str, content: bytes) -> float:
        """Return the duration of a sound in s; 0, with a warning, if it cannot be read."""
        if content or file not in self._lengths:
            try:
                data = content or read_sound(file, self._folders())
                length = duration(data)
                if self.simulation.sound_mix is not None:
                    from wbridge.wbcore.devices.sound_mix import (
                        read_clip,  # start-up: 3 ms, few runs record sound
                    )

                    self._clips[file] = read_clip(data)
            except SoundError as problem:
                self.robot.warn(f'"{self.name}" cannot play "{file}": {problem}')
                length = 0.0
            if len(self._lengths) >= MOST_SOUNDS:
                self._lengths.clear()
                self._clips.clear()
            self._lengths[file] = length
        return self._lengths[file]

    def _folders(self) -> list[Path]:
        """Return the search folders: the controller's, then the project's."""
        project = Path(self.simulation.world.project or ".")
        return [project / "controllers" / self.robot.controller, project]

    def on_stop(self, sounds: list[str]) -> None:
        """Stop the given sounds; an empty list stops all sounds and the speech."""
        for file in sounds or [*self.playing]:
            self.playing.pop(file, None)
        if not sounds:
            self.speech_left = 0.0

    def on_set_engine(self, engine: str) -> None:
        """Select the speech engine."""
        self.engine = engine

    def on_set_language(self, language: str) -> None:
        """Select the speech language."""
        self.language = language

    def on_speak(self, text: str, volume: float) -> None:
        """Start speaking a text, in place of the current one."""
        if not 0 <= volume <= 1:
            raise ValueError(f"a volume of {volume}; allowed: 0 to 1")
        self.set_active(True)
        self.speech_left = max(len(text) / CHARACTERS_PER_SECOND, self.simulation.step_s)

    def after_step(self) -> None:
        """Advance sounds and speech, and report those that ended."""
        if not self.playing and not self.speech_left:
            return
        step = self.simulation.step_s
        self._sound()
        for file, sound in [*self.playing.items()]:
            sound.position += step * sound.pitch
            if sound.position >= sound.length and not sound.loop:
                del self.playing[file]
                self.send("sound_over", file)
        if self.speech_left:
            self.speech_left = max(0.0, self.speech_left - step)
            if not self.speech_left:
                self.send("speech_over")

    def _sound(self) -> None:
        """Add the sounds of this step to the mix."""
        mix = self.simulation.sound_mix
        if mix is None or not self.playing:
            return
        self._mount.follow()
        for file, sound in self.playing.items():
            clip = self._clips.get(file)
            if clip is not None:
                gains = sound.volume * min(1 - sound.balance, 1.0), sound.volume * min(1 + sound.balance, 1.0)
                mix.add(clip, sound.position, sound.pitch, sound.loop, gains, self._mount.position())

    def save_more(self) -> dict[str, tuple[float, float, bool, float, float, float]]:
        """Return the playing sounds."""
        return {file: astuple(sound) for file, sound in self.playing.items()}

    def load_more(self, state: dict[str, tuple[float, float, bool, float, float, float]]) -> None:
        """See `save_more`."""
        self.playing = {file: Playing(*saved) for file, saved in state.items()}

    def connect(self) -> None:
        """Stop what the former controller played."""
        super().connect()
        self.reset()

    def reset(self) -> None:
        """Stop all sounds and the speech."""
        self.playing.clear()
        self.speech_left = 0.0
