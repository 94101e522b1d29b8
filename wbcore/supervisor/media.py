"""Images, movies and animations of the view, and headsets: not supported without rendering."""

from __future__ import annotations

from wbcore.supervisor.command_group import CommandGroup

__all__ = ["Media"]

SIMULATION_ERROR = 5
"""The failed state of a movie."""
_NAN = float("nan")


class Media(CommandGroup):
    """Answers truthfully that nothing is recorded."""

    def _cannot(self, what: str) -> None:
        self.robot.warn(f"{what} is not possible: the view is not rendered yet")

    def on_export_image(self, quality: int, path: str) -> None:
        """Warn that no image of the view is saved."""
        self._cannot("saving an image of the view")

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
        """Report that the movie has failed."""
        self._cannot("recording a movie")
        self.robot.send_newest("movie_status", SIMULATION_ERROR)

    def on_stop_movie(self) -> None:
        """End a movie; there is none."""
        self.robot.send_newest("movie_status", SIMULATION_ERROR)

    def on_start_animation(self, path: str) -> None:
        """Report that the animation has failed."""
        self._cannot("recording an animation")
        self.robot.send("animation_started", False)

    def on_stop_animation(self) -> None:
        """End an animation; there is none."""
        self.robot.send("animation_stopped", False)

    def on_headset_used(self) -> None:
        """Send that there is no headset."""
        self.robot.send("headset_used", False)

    def on_headset_position(self) -> None:
        """Send that the place of the headset is not known."""
        self.robot.send("headset_position", (_NAN,) * 3)

    def on_headset_orientation(self) -> None:
        """Send that the axes of the headset are not known."""
        self.robot.send("headset_orientation", (_NAN,) * 9)
