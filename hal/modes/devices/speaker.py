"""A speaker, which plays sounds and speaks texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.protocol.devices.speaker import BOTH, LEFT, RIGHT
from wbridge.hal.reports import messages

__all__ = ["Speaker", "play_sound"]

PLAY, STOP, ENGINE, LANGUAGE, SPEAK = range(1, 6)
ENGINES = ("pico", "microsoft")
LANGUAGES = ("en-US", "en-UK", "de-DE", "es-ES", "fr-FR", "it-IT", "zh-CN")


class Speaker(DeviceHandle):
    """A speaker, which plays sounds and speaks texts."""

    state = (ENGINE, LANGUAGE)
    engine, language = "pico", "en-US"
    speaking = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.playing: set[str] = set()
        self.uploaded: set[str] = set()
        self.wanted: dict[str, tuple[Any, ...]] = {}
        self.stopped: list[str] | None = None

    def take_sound_over(self, file: str) -> None:
        """Note that a sound has ended."""
        self.playing.discard(file)

    def take_speech_over(self) -> None:
        """Note that the speech has ended."""
        self.speaking = False

    def flush(self, out: bytearray) -> None:
        """Append the pending commands; the stop command comes first."""
        if self.stopped is not None:
            self.codec.write_command(out, STOP, (self.stopped,))
            self.stopped = None
        if self.wanted:
            self.codec.write_command(out, PLAY, (list(self.wanted.values()),))
            self.wanted = {}
        super().flush(out)

    def play(self, sound: str, volume: float, pitch: float, balance: float, side: int, loop: bool) -> None:
        """Play a sound, or change its settings while it plays (see `play_sound`)."""
        content = b""
        if self.exchange.dialect.sound_upload and sound not in self.uploaded:
            content = _content(sound, self.exchange.info.project_path)
            self.uploaded.add(sound)
        self.wanted[sound] = (sound, volume, pitch, balance, side, int(loop), content)
        self.playing.add(sound)
        self.exchange.busy.add(self.tag)

    def stop(self, sound: str | None = None) -> None:
        """Stop a sound, or all sounds and the speech if None."""
        if sound is None:
            self.stopped = []
            self.playing.clear()
            self.wanted.clear()
        else:
            self.stopped = [*(self.stopped or []), sound] if self.stopped != [] else []
            self.playing.discard(sound)
            self.wanted.pop(sound, None)
        self.exchange.busy.add(self.tag)

    @needs("sound", otherwise=False)
    def is_sound_playing(self, sound: str) -> bool:
        """True while the sound plays."""
        return sound in self.playing

    @needs("engine", otherwise=False)
    def set_engine(self, engine: str) -> bool:
        """Set the text-to-speech engine: "pico", or "microsoft" on Windows; True on success."""
        if engine not in ENGINES:
            self.error("set_engine", messages.invalid_name("engine", engine, ", ".join(ENGINES)))
            return False
        self.engine = engine
        self.command(ENGINE, engine)
        return True

    def get_engine(self) -> str:
        """The text-to-speech engine."""
        return self.engine

    @needs("language", otherwise=False)
    def set_language(self, language: str) -> bool:
        """Set the text-to-speech language, for example "en-US" or "de-DE"; True on success."""
        if language not in LANGUAGES:
            self.error("set_language", messages.invalid_name("language", language, ", ".join(LANGUAGES)))
            return False
        self.language = language
        self.command(LANGUAGE, language)
        return True

    def get_language(self) -> str:
        """The text-to-speech language."""
        return self.language

    @needs("text")
    def speak(self, text: str, volume: float) -> None:
        """Speak a text with a volume from 0 to 1."""
        if not 0 <= volume <= 1:
            self.error("speak", messages.invalid_volume(volume))
            return
        self.speaking = True
        self.command(SPEAK, text, float(volume))

    def is_speaking(self) -> bool:
        """True while a text is being spoken."""
        return self.speaking


def _content(sound: str, project: str) -> bytes:
    """The content of the sound file to upload; empty if only the simulator can find the file."""
    for folder in ("", project):
        path = Path(folder, sound)
        if path.is_file():
            return path.read_bytes()
    return b""


def play_sound(
    left: Speaker, right: Speaker, sound: str, volume: float, pitch: float, balance: float, loop: bool
) -> None:
    """Play a sound on one or two speakers, or change its settings while it plays.

    Args:
        left: speaker of the left channel.
        right: speaker of the right channel; may be the same speaker.
        sound: file, relative to the controller or the project.
        volume: 0 to 1.
        pitch: above 0; 2 is twice as fast and an octave higher.
        balance: from -1 (only left) to 1 (only right).
        loop: repeat the sound.
    """
    for name, value, low, high in (
        ("volume", volume, 0, 1),
        ("pitch", pitch, 0, 1e9),
        ("balance", balance, -1, 1),
    ):
        if not low <= value <= high:
            left.error("play_sound", messages.invalid_setting(name, value, f"{low} to {high}"))
            return
    settings = (float(volume), float(pitch), float(balance))
    if left is right:
        left.play(sound, *settings, BOTH, loop)
    else:
        left.play(sound, *settings, LEFT, loop)
        right.play(sound, *settings, RIGHT, loop)
