"""What is heard at the Viewpoint during a run, as a WAV file: no sound card is needed.

Source: manual, chapter Speaker; OpenAL's distance model with its defaults, which Webots uses: the gain is
1 / distance beyond 1 m.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.devices.sounds import SoundError
from wbridge.wbcore.physics.pose import Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE = 44_100
"""Samples per second of the file."""
FULL = 32_767
SAMPLES = {1: ("u1", 128.0, 128.0), 2: ("<i2", 0.0, 32768.0), 4: ("<i4", 0.0, 2147483648.0)}
"""Number type, zero and full scale, by bytes per sample."""
Mono: TypeAlias = "NDArray[np.float32]"


class Clip(NamedTuple):
    """A decoded sound."""

    rate: int
    """Samples per second."""
    samples: Mono
    """From -1 to 1; the mean of all channels."""


def read_clip(content: bytes) -> Clip:
    """Decode a WAV file.

    Raises:
        SoundError: it is damaged, or its samples have another format than integers of 8, 16 or 32 bits.
    """
    try:
        with wave.open(io.BytesIO(content)) as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as problem:
        raise SoundError(f"it cannot be decoded: {problem}") from None
    if width not in SAMPLES:
        raise SoundError(f"it has {8 * width} bits per sample; allowed: 8, 16, 32")
    kind, zero, full = SAMPLES[width]
    whole = len(data) // (width * channels) * width * channels
    if not whole or not rate:
        raise SoundError("it is empty")
    values = (np.frombuffer(data[:whole], kind).astype(np.float32) - zero) / full
    return Clip(rate, values.reshape(-1, channels).mean(axis=1).astype(np.float32))


class SoundMix:
    """Adds up what speakers play, step by step."""

    def __init__(self, path: Path, step_s: float, ear: Callable[[], Vec3]) -> None:
        """
        Args:
            path: the WAV file.
            step_s: the duration of a step (s).
            ear: returns where the sounds are heard (m).

        Raises:
            OSError: the file cannot be written.
        """
        self._step_s, self._ear = step_s, ear
        self._file = wave.open(str(path), "wb")  # noqa: SIM115 - closed by `close`
        self._file.setnchannels(2)
        self._file.setsampwidth(2)
        self._file.setframerate(RATE)
        self._step = 0
        self._sum: NDArray[np.float32] = np.zeros((0, 2), dtype=np.float32)

    def _end(self, step: int) -> int:
        """Return the number of samples up to the end of a step."""
        return int((step + 1) * self._step_s * RATE + 1e-6)

    def follow(self, steps: int) -> None:
        """Write all steps before this one, counted from 0."""
        while self._step < steps:
            wanted = self._end(self._step) - self._end(self._step - 1)
            mixed = np.zeros((wanted, 2), dtype=np.float32) if not len(self._sum) else self._sum
            self._file.writeframes((np.clip(mixed, -1, 1) * FULL).astype("<i2").tobytes())
            self._sum = self._sum[:0]
            self._step += 1

    def add(
        self, clip: Clip, start_s: float, pitch: float, loop: bool, gains: tuple[float, float], place: Vec3
    ) -> None:
        """Add what a source plays in the current step.

        Args:
            clip: the sound.
            start_s: where it is in the clip (s).
            pitch: how much faster than recorded.
            loop: start again at the end; else silence follows.
            gains: of the left and the right ear, at a distance of 1 m or less.
            place: of the source (m).
        """
        count = self._end(self._step) - self._end(self._step - 1)
        at = (start_s + pitch * np.arange(count) / RATE) * clip.rate
        index = np.arange(len(clip.samples))
        period = len(clip.samples) if loop else None
        heard = np.interp(at, index, clip.samples, period=period, left=0.0, right=0.0)
        if not len(self._sum):
            self._sum = np.zeros((count, 2), dtype=np.float32)
        gain = np.asarray(gains) / max(dist(self._ear(), place), 1.0)
        self._sum += (heard[:, None] * gain).astype(np.float32)

    def close(self, steps: int) -> None:
        """Complete the file at the end of this many steps."""
        self.follow(steps)
        self._file.close()
