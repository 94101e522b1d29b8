"""Motion files: positions of several motors over time, played back step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wbridge.hal.modes.devices.motor import Motor
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.device_registry import DeviceRegistry

__all__ = ["Motion", "MotionError", "parse_motion"]

MAGIC, VERSION = "#WEBOTS_MOTION", "V1.0"
UNCHANGED = "*"
SIZES = (1, 1000, 60_000)


class MotionError(ValueError):
    """A motion file is invalid; `problems` lists its errors with line numbers."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Pose(NamedTuple):
    """Motor positions at one time."""

    time: int
    """In ms from the start."""
    positions: tuple[float | None, ...]
    """Position of each motor, in rad or m; None: unchanged."""


def parse_time(text: str) -> int | None:
    """Convert `[[minutes:]seconds:]milliseconds` to ms; None if the format is invalid."""
    parts = text.split(":")
    if len(parts) > len(SIZES) or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return sum(int(part) * size for part, size in zip(reversed(parts), SIZES, strict=False))


def parse_motion(text: str, name: str = "motion") -> tuple[list[str], list[Pose]]:
    """Parse a motion file into motor names and poses.

    The first line is `#WEBOTS_MOTION,V1.0,<motor>,...`, each following line `<time>,<pose>,<position>,...`.
    Commas and blanks at the end of a line have no meaning. An empty line ends the file.

    Raises:
        MotionError: the file has errors; lists all of them.
    """
    lines = text.splitlines()
    head = [one.strip() for one in lines[0].split(",") if one.strip()] if lines else []
    if head[:2] != [MAGIC, VERSION]:
        raise MotionError([f'{name}:1: found "{",".join(head[:2])}"; expected "{MAGIC},{VERSION}"'])
    motors, problems = head[2:], []
    poses: list[Pose] = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            break
        pose = _parse_pose(line, len(motors), poses[-1].time if poses else -1)
        if isinstance(pose, Pose):
            poses.append(pose)
        else:
            problems.append(f"{name}:{number}: {pose}")
    if not problems and not (motors and poses):
        problems.append(messages.empty_motion(name, len(motors), len(poses)))
    if problems:
        raise MotionError(problems)
    return motors, poses


def _parse_pose(line: str, motors: int, last: int) -> Pose | str:
    """Parse one pose; an error is returned as text."""
    time_text, _, rest = line.strip().partition(",")
    time = parse_time(time_text.strip())
    cells = [one.strip() for one in rest.split(",")][1:]
    cells = cells[:motors] + [one for one in cells[motors:] if one]  # lines may end with commas
    if time is None:
        return messages.invalid_pose_time(time_text)
    if time <= last:
        return messages.time_not_later(time_text)
    if len(cells) != motors:
        return messages.invalid_pose_length(len(cells), motors)
    try:
        return Pose(time, tuple(None if one == UNCHANGED else float(one) for one in cells))
    except ValueError as error:
        return f'expected a number or "*": {error}'


class MotionRobot(Protocol):
    """The part of the robot that motions use."""

    devices: DeviceRegistry
    motions: list[Motion]
    """Motions that play with the robot's steps, the newest first."""


class Motion:
    """A motion that was read from a file."""

    def __init__(self, robot: MotionRobot, filename: str) -> None:
        """Read a motion file; the path is relative to the controller's folder.

        Raises:
            MotionError: the file has errors.
            OSError: the file cannot be read.
        """
        text = Path(filename).read_text(encoding="utf-8-sig", errors="replace")
        self.names, self.poses = parse_motion(text, filename)
        self.robot = robot
        self.motors = [self._motor(name, filename) for name in self.names]
        self.elapsed, self.playing, self.loop, self.reverse = 0, False, False, False
        robot.motions.insert(0, self)

    def _motor(self, name: str, filename: str) -> Motor | None:
        found = self.robot.devices.named(name)
        if isinstance(found, Motor):
            return found
        hint = report.closest(name, [one.name for one in self.robot.devices if isinstance(one, Motor)])
        report.warning("wbu_motion_new", messages.unknown_motor(filename, name, hint))
        return None

    def delete(self) -> None:
        """Delete the motion."""
        if self in self.robot.motions:
            self.robot.motions.remove(self)

    def play(self) -> None:
        """Start or resume the playback; the motors move with the steps of the robot."""
        self.playing = True

    def stop(self) -> None:
        """Pause the playback at the current position."""
        self.playing = False

    def set_loop(self, loop: bool) -> None:
        """Repeat the motion when it ends (default: False)."""
        self.loop = bool(loop)

    def set_reverse(self, reverse: bool) -> None:
        """Play the motion backward (default: False)."""
        self.reverse = bool(reverse)

    def is_over(self) -> bool:
        """True if the playback has ended; always False in loop mode."""
        if self.loop:
            return False
        return self.elapsed <= 0 if self.reverse else self.elapsed >= self.get_duration()

    def get_duration(self) -> int:
        """The duration of the motion, in ms."""
        return self.poses[-1].time

    def get_time(self) -> int:
        """The current position of the playback, in ms."""
        return self.elapsed

    def set_time(self, time: int) -> None:
        """Move the playback to a time in ms, clamped to the range from 0 to the duration."""
        self.elapsed = max(0, min(int(time), self.get_duration()))

    def play_step(self, duration: int) -> None:
        """Set the motors' target positions, and advance the playback by a step in ms."""
        if not self.playing or duration <= 0:
            return
        for k, motor in enumerate(self.motors):
            position = self.position(k)
            if motor is not None and position is not None:
                motor.set_position(position)
        first, last = (self.get_duration(), 0) if self.reverse else (0, self.get_duration())
        if not (self.elapsed <= last if self.reverse else self.elapsed >= last):
            self.elapsed += -duration if self.reverse else duration
        elif self.loop:
            self.elapsed = first
        else:
            self.elapsed, self.playing = last, False

    def position(self, motor: int) -> float | None:
        """The current position of a motor, linearly interpolated between two poses; None: unchanged."""
        before = self.poses[0]
        if self.elapsed >= self.get_duration():
            return self.poses[-1].positions[motor]
        for pose in self.poses:
            if pose.time >= self.elapsed:
                break
            before = pose
        a, b = before.positions[motor], pose.positions[motor]
        if pose is before:
            return b
        if a is None or b is None:
            return None
        return a + (self.elapsed - before.time) * (b - a) / (pose.time - before.time)
