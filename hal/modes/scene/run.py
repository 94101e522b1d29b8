"""The supervisor's control of the simulation: speed, reset, worlds, labels, recordings.

Methods are named after the C functions without `wb_supervisor_`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import NAN
from wbridge.hal.modes.image_files import has_quality
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.scene.scene import Scene

__all__ = ["Run"]

IMAGE, LOAD, RELOAD, LABEL, QUIT, RESET, MODE, RESET_PHYSICS = range(50, 58)
START_MOVIE, STOP_MOVIE, START_ANIMATION, STOP_ANIMATION, SAVE = 58, 59, 60, 61, 82
HEADSET, HEADSET_POSITION, HEADSET_ORIENTATION = 98, 99, 100
ANIMATION_STARTED, ANIMATION_STOPPED = 16, 17
LABELS = 100
BEST_QUALITY = 100
MOVIE_READY, FIRST_MOVIE_ERROR = 0, 3


class Run:
    """The supervisor functions that act on the whole simulation."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.movie_status = 0

    @needs("text", "font", prefix="wb_supervisor_")
    def set_label(
        self,
        id: int,
        text: str,
        x: float,
        y: float,
        size: float,
        color: int,
        transparency: float,
        font: str = "Arial",
    ) -> None:
        """Show a text over the 3D view, replacing the label with the same identifier.

        Args:
            id: identifier of the label: 0 to 99.
            text: text of the label; "" removes it.
            x: left side, from 0 (left) to 1 (right).
            y: upper side, from 0 (top) to 1 (bottom).
            size: height relative to the height of the view: 0 to 1.
            color: 0xRRGGBB.
            transparency: from 0 (opaque) to 1 (invisible).
            font: for example "Arial" or "Lucida Console".
        """
        function = "wb_supervisor_set_label"
        for name, number, last in (("id", id, LABELS - 1), ("color", color, 0xFFFFFF)):
            if not 0 <= number <= last:
                report.error(function, messages.invalid_label_number(name, number, last))
                return
        for name, share in (("size", size), ("transparency", transparency)):
            if not 0 <= share <= 1:
                report.error(function, messages.invalid_label_place(name, share))
                return
        shade = int(transparency * 255) << 24 | int(color)
        self.scene.command(function, LABEL, int(id), float(x), float(y), float(size), shade, text, font)

    def simulation_quit(self, status: int) -> None:
        """End the simulation; `status` is the exit code of the simulator."""
        self.scene.command("wb_supervisor_simulation_quit", QUIT, int(status))

    def simulation_set_mode(self, mode: int) -> None:
        """Set the simulation mode: 0 paused, 1 real time, 2 as fast as possible."""
        if mode not in (0, 1, 2):
            report.error("wb_supervisor_simulation_set_mode", messages.invalid_simulation_mode(mode))
            return
        self.scene.command("wb_supervisor_simulation_set_mode", MODE, int(mode))

    def simulation_get_mode(self) -> int:
        """The simulation mode: 0 paused, 1 real time, 2 as fast as possible."""
        return self.scene.robot.simulation_mode

    def simulation_reset(self) -> None:
        """Reset the world to its initial state without restarting controllers."""
        self.scene.command("wb_supervisor_simulation_reset", RESET)

    def simulation_reset_physics(self) -> None:
        """Set the velocities and forces of all solids to 0."""
        self.scene.command("wb_supervisor_simulation_reset_physics", RESET_PHYSICS)

    def simulation_physics_reset(self) -> None:
        """Old name of `simulation_reset_physics`."""
        self.simulation_reset_physics()

    @needs("filename", prefix="wb_supervisor_")
    def world_load(self, filename: str) -> None:
        """Load another world; this controller ends."""
        self.scene.command("wb_supervisor_world_load", LOAD, filename)

    def load_world(self, filename: str) -> None:
        """Old name of `world_load`."""
        self.world_load(filename)

    def world_reload(self) -> None:
        """Reload the world and restart all controllers."""
        self.scene.command("wb_supervisor_world_reload", RELOAD)

    def simulation_revert(self) -> None:
        """Old name of `world_reload`."""
        self.world_reload()

    def world_save(self, filename: str | None = None) -> bool:
        """Save the world, by default to its own file; True on success. Queries the simulator."""
        if filename is not None and not filename.endswith(".wbt"):
            report.error("wb_supervisor_world_save", messages.not_a_world(filename))
            return False
        found = self.scene.ask("wb_supervisor_world_save", SAVE, filename or None)
        return bool(found and found[0])

    def save_world(self, filename: str | None = None) -> bool:
        """Old name of `world_save`."""
        return self.world_save(filename)

    @needs("filename", prefix="wb_supervisor_")
    def export_image(self, filename: str, quality: int) -> None:
        """Save an image of the 3D view.

        Args:
            filename: path that ends with .png or .jpg, relative to the controller's folder.
            quality: JPEG quality, 1 to 100; without effect on PNG files.
        """
        if not has_quality(filename):
            quality = BEST_QUALITY
        elif not 1 <= quality <= 100:
            report.error("wb_supervisor_export_image", messages.invalid_export_quality(quality))
            return
        self.scene.command("wb_supervisor_export_image", IMAGE, int(quality), os.path.abspath(filename))

    @needs("filename", prefix="wb_supervisor_")
    def movie_start_recording(
        self,
        filename: str,
        width: int,
        height: int,
        codec: int,
        quality: int,
        acceleration: int,
        caption: bool,
    ) -> None:
        """Start recording a movie of the 3D view.

        Args:
            filename: path, relative to the controller's folder.
            width: in pixels.
            height: in pixels.
            codec: not used; 0.
            quality: 1 to 100.
            acceleration: speed of the movie relative to real time, at least 1.
            caption: show the acceleration in the movie.
        """
        function = "wb_supervisor_movie_start_recording"
        checks = (("width", width), ("height", height), ("quality", quality), ("acceleration", acceleration))
        for name, value in checks:
            if value < 1 or (name in ("quality", "acceleration") and value > 255):
                report.error(function, messages.invalid_movie_setting(name, value))
                return
        numbers = (int(width), int(height), int(codec) & 255, int(quality), int(acceleration), bool(caption))
        self.movie_status = MOVIE_READY
        self.scene.command(function, START_MOVIE, *numbers, os.path.abspath(filename))

    def start_movie(
        self,
        file: str,
        width: int,
        height: int,
        codec: int,
        quality: int,
        acceleration: int,
        caption: bool,
    ) -> None:
        """Old name of `movie_start_recording`."""
        self.movie_start_recording(file, width, height, codec, quality, acceleration, caption)

    def movie_stop_recording(self) -> None:
        """Stop recording; the file is still being written for some time."""
        self.scene.command("wb_supervisor_movie_stop_recording", STOP_MOVIE)

    def stop_movie(self) -> None:
        """Old name of `movie_stop_recording`."""
        self.movie_stop_recording()

    def movie_is_ready(self) -> bool:
        """True if no movie is being recorded or written."""
        return self.movie_status == MOVIE_READY or self.movie_failed()

    def movie_failed(self) -> bool:
        """True if the last movie failed."""
        return self.movie_status >= FIRST_MOVIE_ERROR

    def movie_get_status(self) -> int:
        """The movie status: 0 ready, 1 recording, 2 saving, 3 write, 4 encoding, 5 simulation error."""
        return self.movie_status

    def get_movie_status(self) -> int:
        """Old name of `movie_get_status`."""
        return self.movie_status

    @needs("filename", otherwise=False, prefix="wb_supervisor_")
    def animation_start_recording(self, filename: str) -> bool:
        """Start recording an animation for web browsers; True on success.

        The file name must end with .html; it is relative to the controller's folder.
        """
        function, path = "wb_supervisor_animation_start_recording", os.path.abspath(filename)
        found = self.scene.ask(function, START_ANIMATION, path, reply=ANIMATION_STARTED)
        return bool(found and found[0])

    def animation_stop_recording(self) -> bool:
        """Stop recording an animation; True on success."""
        function = "wb_supervisor_animation_stop_recording"
        found = self.scene.ask(function, STOP_ANIMATION, reply=ANIMATION_STOPPED)
        return bool(found and found[0])

    def virtual_reality_headset_is_used(self) -> bool:
        """True if a virtual reality headset is in use. Queries the simulator."""
        found = self.scene.ask("wb_supervisor_virtual_reality_headset_is_used", HEADSET)
        return bool(found and found[0])

    def virtual_reality_headset_get_position(self) -> list[float]:
        """The position of the headset: x, y, z in m; NaN without a headset. Queries the simulator."""
        found = self.scene.ask("wb_supervisor_virtual_reality_headset_get_position", HEADSET_POSITION)
        return list(found[0]) if found else [NAN] * 3

    def virtual_reality_headset_get_orientation(self) -> list[float]:
        """The orientation of the headset: a 3 x 3 matrix, row by row; NaN without. Queries the simulator."""
        found = self.scene.ask("wb_supervisor_virtual_reality_headset_get_orientation", HEADSET_ORIENTATION)
        return list(found[0]) if found else [NAN] * 9
