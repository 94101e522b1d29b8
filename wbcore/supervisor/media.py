"""Images, movies and animations of the main view, and headsets."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.files import full_path
from wbridge.wbcore.visual.animation import Animation
from wbridge.wbcore.visual.errors import MovieError, PictureError, RenderError
from wbridge.wbcore.visual.movie import Movie

READY, RECORDING, _SAVING, WRITE_ERROR, ENCODING_ERROR, SIMULATION_ERROR = range(6)
"""States of a movie."""
_NAN = float("nan")


class Media(CommandGroup):
    """Takes what a supervisor wants to keep of the view."""

    _movie: Movie | None = None
    _animation: Animation | None = None

    def _path(self, name: str) -> Path:
        return full_path(self.simulation.world, self.robot.controller, name)

    # Images.

    def on_export_image(self, quality: int, path: str) -> None:
        """Save an image of the main view as a .png or .jpg file, at the end of the step."""
        self.simulation.at_end_of_step(lambda: self._export(quality, self._path(path)))

    def _export(self, quality: int, path: Path) -> None:
        try:
            self.simulation.main_view.save(path, quality)
        except (PictureError, RenderError) as problem:
            self.robot.warn(f"the image of the view was not saved: {problem}")
        except (OSError, ValueError) as problem:
            self.robot.warn(f"the image of the view was not saved as {path}: {_reason(problem)}")

    # Movies.

    def on_start_movie(
        self,
        width: int,
        height: int,
        codec: int,
        quality: int,
        acceleration: int,
        caption: bool,
        path: str,
    ) -> None:
        """Start recording a movie; the codec is not used."""
        if self._movie is not None:
            raise ValueError("a movie is being recorded; stop it before you start another one")
        options = (width, height, quality, acceleration, caption)
        try:
            self._movie = self.simulation.main_view.record(self._path(path), *options)
        except (MovieError, OSError, ValueError) as problem:
            self._fail(WRITE_ERROR, problem)
            return
        self._send_status(RECORDING)
        self._each_step(self._movie)

    def _each_step(self, movie: Movie) -> None:
        """Take the pictures of a movie until it ends."""

        def take() -> None:
            if self._movie is not movie:
                return
            try:
                movie.take()
            except (MovieError, RenderError) as problem:
                self._end_movie()
                self._fail(ENCODING_ERROR, problem)
            else:
                self.simulation.at_end_of_step(take)

        self.simulation.at_end_of_step(take)

    def on_stop_movie(self) -> None:
        """End the movie, and wait until its file is complete."""
        if self._movie is None:
            self.robot.warn("no movie is being recorded")
            return
        movie, self._movie = self._movie, None
        try:
            movie.close()
        except MovieError as problem:
            self._fail(ENCODING_ERROR if movie.pictures else SIMULATION_ERROR, problem)
        else:
            self._send_status(READY)

    def _end_movie(self) -> None:
        """End a movie without a word."""
        movie, self._movie = self._movie, None
        if movie is not None:
            with suppress(MovieError):  # its problem was reported, or nobody waits for it
                movie.close()

    def _fail(self, status: int, problem: Exception) -> None:
        self.robot.warn(f"the movie failed: {problem}")
        self._send_status(status)

    def _send_status(self, status: int) -> None:
        self.robot.send_newest("movie_status", status)

    def leave(self) -> None:
        """Complete the movie of a removed robot."""
        self._end_movie()

    # Animations.

    def on_start_animation(self, path: str) -> None:
        """Write the scene and its page, and record changes from the next step on."""
        problem = "an animation is being recorded; stop it before you start another one"
        if self._animation is None:
            problem = self._begin_animation(self._path(path))
        if problem:
            self.robot.warn(f"the animation was not started: {problem}")
        self.robot.send("animation_started", not problem)

    def _begin_animation(self, path: Path) -> str:
        try:
            animation = self._animation = self.simulation.main_view.animate(path)
        except MovieError as error:
            return str(error)
        except (OSError, ValueError) as error:
            return f"{path}: {_reason(error)}"

        def take() -> None:
            if self._animation is animation:
                animation.take()
                self.simulation.at_end_of_step(take)

        self.simulation.at_end_of_step(take)
        return ""

    def on_stop_animation(self) -> None:
        """Write the changes, and report whether that worked."""
        animation, self._animation = self._animation, None
        problem = "no animation is being recorded"
        if animation is not None:
            try:
                animation.close()
                problem = ""
            except (OSError, ValueError) as error:
                problem = _reason(error)
        if problem:
            self.robot.warn(f"the animation was not saved: {problem}")
        self.robot.send("animation_stopped", not problem)

    # Headsets.

    def on_headset_used(self) -> None:
        """Send that there is no headset."""
        self.robot.send("headset_used", False)

    def on_headset_position(self) -> None:
        """Send that the place of the headset is not known."""
        self.robot.send("headset_position", (_NAN,) * 3)

    def on_headset_orientation(self) -> None:
        """Send that the axes of the headset are not known."""
        self.robot.send("headset_orientation", (_NAN,) * 9)


def _reason(problem: Exception) -> str:
    return str(getattr(problem, "strerror", None) or problem)
