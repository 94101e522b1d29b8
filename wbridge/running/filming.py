"""Pictures, movies, animations and sounds of a run, as the Viewpoint sees and hears it."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.options import Filmed
from wbridge.running.writable import Output, check_output
from wbridge.wbcore.visual.errors import MovieError, PictureError, RenderError

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation
    from wbridge.wbcore.visual.animation import Animation
    from wbridge.wbcore.visual.movie import Movie

_LOG = logging.getLogger("wbridge")

MOVIE = Output("record to", "a movie", (".mp4",))
SOUND = Output("record to", "a sound", (".wav",))
ANIMATION = Output("record to", "an animation", (".html",))
PLAIN, FINE_VIEW, FINE = LOOKS = ("plain", "view", "fine")
PICTURE = Output("write", "a picture", (".png", ".jpg", ".jpeg"))


def add_view_size(parser: ArgumentParser, name: str) -> None:
    """Declare the size of pictures."""
    parser.add_argument(
        name,
        type=size_of,
        default=(1280, 720),
        metavar="WxH",
        help="width and height of pictures and movies of the Viewpoint, in pixels (default: 1280x720)",
    )


def add_looks(parser: ArgumentParser) -> None:
    """Declare how pictures look."""
    parser.add_argument(
        "--looks",
        choices=LOOKS,
        default=PLAIN,
        help="plain: as in Webots; fine: soft shadows, light from the sky of a TexturedBackground, "
        "anti-aliasing, and a tone map as of film, also in cameras of robots, which takes longer; view: fine "
        "in what people see, plain in cameras of robots (default: plain)",
    )


def size_of(text: str) -> tuple[int, int]:
    """Parse a size such as 1280x720."""
    width, times, height = text.lower().partition("x")
    if not (times and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise ArgumentTypeError(f"'{text}' is not a width and a height in pixels, such as 1280x720")
    return int(width), int(height)


def check_film(chosen: Filmed) -> None:
    """Check the files of pictures, movies, animations and sounds, before the run starts.

    Raises:
        InputError: one cannot be written; the message says what to do.
    """
    check_output(chosen.movie, MOVIE)
    check_output(chosen.picture, PICTURE)
    check_output(chosen.sound, SOUND)
    check_output(chosen.animation, ANIMATION)


def open_filming(simulation: Simulation, chosen: Filmed) -> Filming | nullcontext[None]:
    """Return what takes movie, animation, sound and picture of a run; None if none is requested.

    Raises:
        InputError: there is no OpenGL or no ffmpeg; the message says what to install.
    """
    if not (chosen.movie or chosen.picture or chosen.sound or chosen.animation):
        return nullcontext()
    return Filming(simulation, chosen)


class Filming:
    """Records a movie, an animation and sounds during a run, and takes a picture at its end."""

    def __init__(self, simulation: Simulation, chosen: Filmed) -> None:
        """
        Raises:
            InputError: see `open_filming`.
        """
        self._simulation, self._chosen = simulation, chosen
        self._first = simulation
        """An animation shows one world, the first one."""
        self._has_begun = False
        self._movie: Movie | None = None
        self._animation: Animation | None = None
        self.problem = ""
        """Why a file is missing, which was reported; "" if none is."""
        width, height = chosen.view_size
        self._steps = 0
        try:
            if chosen.sound is not None:
                self._listen(chosen.sound)
            if chosen.movie is not None or chosen.picture is not None:
                simulation.main_view.picture(chosen.view_size)
            if chosen.movie is not None:
                self._movie = simulation.main_view.record(chosen.movie, width, height)
            if chosen.animation is not None:
                self._animation = simulation.main_view.animate(chosen.animation)
        except (MovieError, RenderError, ValueError, OSError) as problem:
            raise InputError(str(problem)) from None

    def _listen(self, path: Path) -> None:
        from wbridge.wbcore.devices.sound_mix import SoundMix

        view = self._simulation.main_view
        self._simulation.sound_mix = SoundMix(path, self._simulation.step_s, lambda: view.eye)

    def take(self) -> None:
        """A step has ended, or the run begins."""
        self.take_of(self._simulation)

    def take_of(self, simulation: Simulation) -> None:
        """As `take`; the simulation changes when another world is loaded."""
        self._follow_sound(simulation)
        if self._animation is not None and self._has_begun and simulation is self._first:
            self._animation.take()
        if self._movie is not None and self._has_begun:
            self._movie.draw = simulation.main_view.picture
            try:
                self._movie.take()
            except MovieError as problem:
                self._movie = None
                self._report(str(problem))
        self._has_begun = True

    def _follow_sound(self, simulation: Simulation) -> None:
        mix = self._simulation.sound_mix
        if simulation is not self._simulation:
            simulation.sound_mix, self._simulation.sound_mix = mix, None
            self._simulation = simulation
        if mix is not None and self._has_begun:
            self._steps += 1
            mix.follow(self._steps)

    def __enter__(self) -> Filming:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Complete the files."""
        try:
            if self._movie is not None:
                self._movie.close()
        except MovieError as problem:
            self._report(str(problem))
        if self._animation is not None:
            self._close_animation(self._animation)
        if self._simulation.sound_mix is not None:
            self._simulation.sound_mix.close(self._steps)
        if self._chosen.picture is not None:
            self._report(take_picture(self._simulation, self._chosen.picture, self._chosen.view_size))

    def _close_animation(self, animation: Animation) -> None:
        try:
            animation.close()
        except OSError as problem:
            self._report(
                f"the animation {self._chosen.animation} is incomplete: {problem.strerror or problem}"
            )

    def _report(self, problem: str) -> None:
        if problem:
            self.problem = problem
            _LOG.error("error: %s", problem)


def take_picture(simulation: Simulation, path: Path, size: tuple[int, int], quality: int = 90) -> str:
    """Save a picture of the Viewpoint; return why it was not saved, or "".

    Raises:
        InputError: the size is not possible, or there is no OpenGL.
    """
    try:
        simulation.main_view.save(path, quality, size)
    except (PictureError, RenderError) as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        return f"cannot write {path}: {problem.strerror or problem}"
    return ""
