"""The messages of a Speaker in the controller protocol.

The command that plays sounds differs by release: in R2025a it contains the sound file, with stray zeros in
place of the sizes of sounds that are not played; these are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

LEFT, BOTH, RIGHT = 65535, 0, 1
"""The channel that a speaker plays."""
COUNT = Layout("count:i32")
SOUND = "file:lstr16 volume:f64 pitch:f64 balance:f64 side:u16 loop:u8"


class Sounds:
    """Sounds to play; one value: a list of (file, volume, pitch, balance, side, loop, content)."""

    count, least = 1, 4

    def __init__(self, upload: bool) -> None:
        self.upload = upload
        self.sound = Layout(SOUND + (" content:bytes32" if upload else ""))

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,), at = COUNT.read(data, at)
        if not 0 <= count * self.sound.least <= len(data) - at:
            raise ProtocolError(f"{count} sounds in {len(data) - at} remaining bytes")
        sounds = []
        for _ in range(count):
            at = self._skip(data, at, 2)
            sound, at = self.sound.read(data, at)
            sounds.append(sound if self.upload else (*sound, b""))
        values.append(sounds)
        return self._skip(data, at, 1)

    def _skip(self, data: bytes, at: int, zeros: int) -> int:
        """The offset after stray zeros at `at`; neither a file's length nor a command begins with zeros."""
        while self.upload and data[at : at + zeros] == bytes(zeros) and len(data) - at >= 4:
            at += 4
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += COUNT.pack(len(values[0]))
        for item in values[0]:
            self.sound.write(out, item if self.upload else item[:6])


def _codec(upload: bool) -> Codec:
    return Codec(
        commands=(
            Message(1, "play_sound", Layout("", Sounds(upload), names=("sounds",))),
            Message(2, "stop", "sounds:lstr16[u16]"),
            Message(3, "set_engine", "engine:lstr16"),
            Message(4, "set_language", "language:lstr16"),
            Message(5, "speak", "text:lstr16 volume:f64"),
        ),
        messages=(
            Message(0, "constants"),
            Message(6, "sound_over", "file:str"),
            Message(7, "speech_over"),
        ),
    )


CODEC = _codec(upload=True)
_OLD = _codec(upload=False)


def dialect_codec(dialect: Dialect) -> Codec:
    """The codec in the given dialect."""
    return CODEC if dialect.sound_upload else _OLD
