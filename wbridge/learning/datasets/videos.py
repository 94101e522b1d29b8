"""Pictures of an episode as an MP4 file, by an ffmpeg program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.datasets.layout import DatasetError
from wbridge.wbcore.visual.movie import Encoder, MovieOptions, find_encoder

QUALITY = 88
KEY_FRAMES = ("-g", "2")
"""Every second picture stands for itself, so that single pictures are read quickly."""
MOST_SAMPLES = 64
"""Pictures that are kept for statistics."""


class Video:
    """Writes the pictures of a camera in one episode."""

    def __init__(self, path: Path, height: int, width: int, fps: float) -> None:
        """
        Raises:
            MovieError: there is no ffmpeg, or it does not start.
        """
        self._shape = (height, width, 3)
        path.parent.mkdir(parents=True, exist_ok=True)
        options = MovieOptions(width, height, QUALITY)
        self._encoder = Encoder(path, options, fps, "rgb24", KEY_FRAMES)
        self._every, self._count = 1, 0
        self._samples: list[NDArray[np.uint8]] = []

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Add a picture (height, width, 3): red, green, blue.

        Raises:
            DatasetError: it has another shape.
            MovieError: the encoder has ended.
        """
        if picture.shape != self._shape or picture.dtype != np.uint8:
            expected = " x ".join(map(str, self._shape))
            raise DatasetError(f"expected a picture of {expected} bytes, not {picture.shape} {picture.dtype}")
        self._encoder.add(np.ascontiguousarray(picture))
        if self._count % self._every == 0:
            self._samples.append(picture.copy())
        self._count += 1
        if len(self._samples) > MOST_SAMPLES:
            self._samples, self._every = self._samples[::2], self._every * 2

    @property
    def samples(self) -> NDArray[np.uint8]:
        """Some of the pictures, evenly chosen: (samples, height, width, 3)."""
        return np.stack(self._samples)

    def finish(self) -> None:
        """Complete the file.

        Raises:
            MovieError: it was not encoded.
        """
        self._encoder.finish()

    def cancel(self) -> None:
        """Make no file."""
        self._encoder.cancel()


def pictures_of(
    path: Path, start_s: float, count: int, fps: float, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """Return pictures of a video: (count, height, width, 3) red, green, blue.

    Args:
        path: of the file.
        start_s: time of the first one (s).
        count: how many.
        fps: of the video.
        size: height and width (pixels).

    Raises:
        MovieError: there is no ffmpeg.
        DatasetError: the video lacks pictures, or cannot be read.
    """
    height, width = size
    before = max(0.0, start_s - 0.5 / fps)
    command = [
        find_encoder(),
        "-v",
        "error",
        "-ss",
        f"{before:.6f}",
        "-i",
        str(path),
        "-frames:v",
        str(count),
    ]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    pictures = np.frombuffer(done.stdout, np.uint8)
    if done.returncode or pictures.size != count * height * width * 3:
        why = done.stderr.decode(errors="replace").strip() or "pictures are missing"
        raise DatasetError(f"{path}: {why}")
    return pictures.reshape(count, height, width, 3)
