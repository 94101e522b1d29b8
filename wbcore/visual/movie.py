"""Movies of the main view: an ffmpeg program encodes the pictures as they are taken.

Source: manual, wb_supervisor_movie_start_recording; WbVideoRecorder for the times of pictures.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from math import ceil, floor
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from wbridge.hal.heirs import apart
from wbridge.hal.installation import extra_command
from wbridge.wbcore.visual.errors import MovieError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_SIDE = 8192
"""Maximum width and height of pictures (pixels)."""
Pixels: TypeAlias = "NDArray[np.uint8]"
"""Height, width, and blue, green, red, alpha."""
FRAME_MS = 40
"""The wanted time between two pictures: 25 per second."""


class MovieOptions(NamedTuple):
    """How a movie looks."""

    width: int = 1280
    height: int = 720
    quality: int = 90
    """1 to 100."""
    acceleration: int = 1
    """Simulated seconds per second of the movie."""
    has_caption: bool = False
    """Show the acceleration."""


class Pace(NamedTuple):
    """When pictures are taken."""

    steps: int
    """Basic steps between two pictures."""
    rate: float
    """Pictures per second of the movie."""


class Text(Protocol):
    """A text over the picture."""

    @property
    def text(self) -> str:
        """What it says; it may have several lines."""

    @property
    def x(self) -> float:
        """Its left edge, from 0 (left) to 1 (right)."""

    @property
    def y(self) -> float:
        """Its upper edge, from 0 (top) to 1 (bottom)."""

    @property
    def size(self) -> float:
        """Its height as a share of the picture's."""

    @property
    def color(self) -> int:
        """0xTTRRGGBB with the transparency from 0 to 255."""


class Caption(NamedTuple):
    """The acceleration, in the upper right corner."""

    text: str
    x: float
    y: float = 0.025
    size: float = 0.1
    color: int = 0xFFFFFF


def pace_of(step_ms: float, acceleration: float) -> Pace:
    """Return the times of pictures: after a whole number of steps, as near to 40 ms as they can be."""
    step = max(1, round(step_ms))
    wanted = acceleration * FRAME_MS / step
    low, high = floor(wanted), ceil(wanted)
    is_high = low == 0 or abs(low * step - FRAME_MS) > abs(high * step - FRAME_MS)
    steps = high if is_high else low
    return Pace(steps, acceleration * 1000 / (steps * step))


def find_encoder() -> str:
    """Return the path of an ffmpeg program: the one of imageio-ffmpeg, or one on the PATH.

    Raises:
        MovieError: there is none; the message says what to install.
    """
    try:
        program: str = import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        on_path = shutil.which("ffmpeg")
        if on_path is None:
            advice = f"{extra_command('movie')}, or install ffmpeg so that it is on the PATH"
            raise MovieError(f"movies need ffmpeg: {advice}") from None
        return on_path
    return program


class Encoder:
    """An ffmpeg process that makes a file of pictures."""

    def __init__(
        self,
        path: Path,
        options: MovieOptions,
        rate: float,
        pixels: str = "bgra",
        codec: Sequence[str] = (),
    ) -> None:
        """
        Args:
            path: of the file.
            options: how the movie looks.
            rate: pictures per second.
            pixels: ffmpeg's name of the bytes of a pixel.
            codec: further arguments of the codec.

        Raises:
            MovieError: there is no ffmpeg, or it does not start.
        """
        program = find_encoder()
        self._path = path
        self._draft = path.with_name(f".{path.stem}.part.mp4")
        try:
            self._draft.touch()
        except (OSError, ValueError) as problem:
            raise MovieError(f"cannot write {path}: {getattr(problem, 'strerror', problem)}") from None
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `finish`
        try:
            self._process = subprocess.Popen(
                [program, *_arguments(options, rate, pixels), *codec, str(self._draft)],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._log,
                **apart(),  # Ctrl-C ends the run, which then completes the movie
            )  # fmt: skip
        except OSError as problem:
            self._log.close()
            self._draft.unlink(missing_ok=True)
            raise MovieError(f"cannot run {program}: {problem.strerror}") from None

    @property
    def process_id(self) -> int:
        """The number of the process."""
        return self._process.pid

    def add(self, pixels: Pixels) -> None:
        """Add a picture.

        Raises:
            MovieError: the encoder has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(pixels.data)
        except OSError:
            self.finish()

    def finish(self) -> None:
        """End the movie, and wait until its file is complete.

        Raises:
            MovieError: it was not encoded.
        """
        if self._log.closed:
            return
        assert self._process.stdin is not None
        with suppress(OSError):  # the exit status tells why
            self._process.stdin.close()
        status = self._process.wait()
        self._log.seek(0)
        words = self._log.read().decode(errors="replace").strip().splitlines()
        self._log.close()
        if status:
            self._draft.unlink(missing_ok=True)
            why = words[-1] if words else f"exit status {status}"
            raise MovieError(f"the movie {self._path} was not encoded: {why}")
        try:
            self._draft.replace(self._path)
        except OSError as problem:
            raise MovieError(f"cannot write {self._path}: {problem.strerror}") from None

    def cancel(self) -> None:
        """Make no file."""
        self._process.kill()
        self._process.communicate()
        self._log.close()
        self._draft.unlink(missing_ok=True)


def _arguments(options: MovieOptions, rate: float, pixels: str) -> list[str]:
    crf = round(40 - options.quality / 4)  # H.264: 0 is lossless, 51 the worst
    even = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
    size = f"{options.width}x{options.height}"
    source = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", size, "-r", f"{rate:.6f}", "-i", "-"]
    codec = ["-c:v", "libx264", "-crf", str(crf), "-preset", "veryfast", "-pix_fmt", "yuv420p"]
    start = ["-movflags", "+faststart"]
    return ["-hide_banner", "-loglevel", "error", "-y", *source, "-an", "-vf", even, *codec, *start]


class Movie:
    """Records the main view. Call `take` after each step, and `close` at the end."""

    def __init__(
        self,
        draw: Callable[[tuple[int, int], Sequence[Text]], Pixels],
        path: Path,
        options: MovieOptions,
        step_ms: float,
    ) -> None:
        """Start a movie.

        Args:
            draw: takes a picture of a size with texts.
            path: the file; .mp4 is added if it is missing.
            options: how the movie looks.
            step_ms: length of a step.

        Raises:
            MovieError: an option is invalid, or there is no encoder.
            OSError: the file cannot be written.
        """
        _check(options)
        self.path = path if path.suffix.lower() == ".mp4" else path.with_name(path.name + ".mp4")
        if not self.path.parent.is_dir():
            raise MovieError(f"cannot write {self.path}: there is no folder {self.path.parent}")
        self.draw = draw
        """Takes the pictures."""
        self._options = options
        self._pace = pace_of(step_ms, options.acceleration)
        self._steps = self.pictures = 0
        self._encoder = Encoder(self.path, options, self._pace.rate)
        self._finish = weakref.finalize(self, _quietly, self._encoder)
        width = 0.227 * options.height / options.width
        self._texts = [Caption(f"{options.acceleration}x", 1 - width)] if options.has_caption else []

    @property
    def encoder_id(self) -> int:
        """The number of the encoder's process."""
        return self._encoder.process_id

    def take(self) -> None:
        """A step has ended: take a picture if it is due.

        Raises:
            MovieError: it cannot be encoded.
            RenderError: there is no OpenGL.
        """
        self._steps += 1
        if self._steps % self._pace.steps == 0:
            options = self._options
            self._encoder.add(self.draw((options.width, options.height), self._texts))
            self.pictures += 1

    def close(self) -> None:
        """End the movie.

        Raises:
            MovieError: it has no picture, or was not encoded.
        """
        self._finish.detach()
        if not self.pictures:
            self._encoder.cancel()
            raise MovieError(f"the movie {self.path} has no picture: the simulation did not run")
        self._encoder.finish()


def _quietly(encoder: Encoder) -> None:
    with suppress(MovieError):
        encoder.finish()


def _check(options: MovieOptions) -> None:
    for name, value, most in (
        ("width", options.width, LARGEST_SIDE),
        ("height", options.height, LARGEST_SIDE),
        ("quality", options.quality, 100),
        ("acceleration", options.acceleration, 255),
    ):
        if not 1 <= value <= most:
            raise MovieError(f"a movie with {name} {value}; allowed: 1 to {most}")
