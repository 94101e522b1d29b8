"""Show a camera at this computer as a camera of the robot, alone or beside another plugin.

    wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "serial:///dev/ttyACM0 v4l2:///dev/video0")

with the robot's field `remoteControl "wblink+camera"`. `v4l2://` is a camera of Linux, such as a USB camera;
`pictures:///FOLDER` plays the pictures of a folder in its place (`wbridge.remote_controls.cameras.player`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from wbridge.hal.companion import Companion
from wbridge.hal.link.errors import AddressError, LinkError
from wbridge.hal.link.url import Url, parse_url, seconds
from wbridge.hal.printable import print_problem, printable_lines
from wbridge.hal.remote import RemoteRobot
from wbridge.remote_controls.cameras.capture import Capture, Wanted
from wbridge.remote_controls.cameras.frame import FORMATS, LARGEST, Frame, FrameError, pixels
from wbridge.remote_controls.cameras.kernel import Kernel
from wbridge.remote_controls.cameras.player import Player
from wbridge.remote_controls.cameras.reader import NewestFrame
from wbridge.remote_controls.common.sampling import SamplingSchedule

KERNELS: dict[str, Callable[[], Kernel]] = {"v4l2": Kernel, "pictures": Player}
"""What answers the calls on a camera, by scheme of the address."""
PATIENCE = 2.0
"""Time without pictures, in s, after which the camera is lost: nobody shall drive by an old picture."""
FITS = ("crop", "stretch")
MOST_RATE = 1000.0


def _size(text: str) -> tuple[int, int]:
    parts = text.split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 0 < int(part) <= LARGEST for part in parts):
        raise ValueError(f"expected WIDTHxHEIGHT, each from 1 to {LARGEST}, for example 640x480")
    return int(parts[0]), int(parts[1])


def _format(text: str) -> str:
    if text not in FORMATS:
        raise ValueError(f"expected one of {', '.join(FORMATS)}")
    return text


def _fit(text: str) -> str:
    if text not in FITS:
        raise ValueError(f"expected one of {', '.join(FITS)}")
    return text


def _rate(text: str) -> float:
    value = float(text)
    if not 0 < value <= MOST_RATE:
        raise ValueError(f"expected more than 0 and at most {MOST_RATE:g} pictures per second")
    return value


OPTIONS: Mapping[str, Callable[[str], object]] = {
    "device": str,
    "size": _size,
    "format": _format,
    "rate": _rate,
    "fit": _fit,
    "patience": seconds,
}


class Plugin(Companion):
    """A camera as a remote-control plugin."""

    UNGUARDED = "a camera moves nothing"
    watchdog_ms = 0

    def init(self, robot: RemoteRobot) -> bool:
        """Find the robot's cameras."""
        self._robot = robot
        tags = range(1, robot.number_of_devices + 1)
        self._cameras = {robot.device_name(tag): tag for tag in tags if robot.device_type(tag) == "Camera"}
        self._tag = 0
        self._newest: NewestFrame | None = None
        self._schedule, self._wanted = SamplingSchedule(), False
        self._damaged: float | None = None
        """Since when all pictures have been damaged, in s."""
        self._said: set[str] = set()
        if not self._cameras:
            self._say(f'the robot "{robot.name}" has no camera')
        return bool(self._cameras)

    def start(self, arg: str) -> bool:
        """Open the camera at `arg`: a URL or a device."""
        try:
            options, url = self.check_argument(arg)
            self._damaged = None
            self._tag = self._choose(options.get("device"))
            self._patience: float = options.get("patience", PATIENCE)
            self._stretches = options.get("fit") == "stretch"
            kernel = KERNELS[url.scheme]()
            width, height = options.get("size", Wanted()[:2])
            wanted = Wanted(width, height, options.get("format", ""), options.get("rate"))
            capture = Capture(url.path, wanted, kernel)
        except LinkError as error:
            self._say(str(error))
            return False
        self._newest = NewestFrame(capture, lambda: Capture(url.path, wanted, kernel), self._say)
        self._newest.start()
        return True

    def _choose(self, name: str | None) -> int:
        """Return the tag of the robot's camera that shows the pictures."""
        if name is None and len(self._cameras) == 1:
            return next(iter(self._cameras.values()))
        if name not in self._cameras:
            known = ", ".join(self._cameras)
            missing = "more than one camera" if name is None else f'no camera "{name}"'
            raise AddressError(
                f'the robot "{self._robot.name}" has {missing}; choose one with ?device=NAME: {known}'
            )
        return self._cameras[name]

    @staticmethod
    def check_argument(arg: str) -> tuple[dict[str, Any], Url]:
        """Check an argument without opening the camera.

        Returns:
            The options, and the address.

        Raises:
            AddressError: the argument is not a camera's address.
        """
        url = parse_url(f"v4l2://{arg}" if arg.startswith("/") else arg)
        if url.scheme not in KERNELS or url.wrappers or url.host or not url.path.strip("/"):
            raise AddressError(
                f'"{url.text}" is not the address of a camera; expected for example v4l2:///dev/video0 or '
                "pictures:///FOLDER with the whole path of a folder"
            )
        return url.read_options(OPTIONS), url

    def drives(self, tag: int) -> bool:
        """The chosen camera."""
        return tag == self._tag

    def stop(self) -> None:
        """Release the camera."""
        newest, self._newest = self._newest, None
        if newest is not None:
            newest.close()

    def cleanup(self) -> None:
        """The controller ends."""
        self.stop()

    def has_failed(self) -> bool:
        """True if the camera has sent no readable picture for too long."""
        return self._silence() > self._patience

    def is_silent(self) -> bool:
        """True without a picture for longer than half of the patience."""
        return self._silence() > self._patience / 2

    def _silence(self) -> float:
        """Return the time without a readable picture, in s."""
        if self._newest is None:
            return 0.0
        damaged = 0.0 if self._damaged is None else time.monotonic() - self._damaged
        return max(self._newest.silence(), damaged)

    def stop_actuators(self) -> None:
        """A camera has none."""

    def set_sampling_period(self, tag: int, period: int) -> None:
        """Show a picture every `period` ms; 0 stops that."""
        if tag == self._tag:
            self._schedule.sample(tag, period)
            self._wanted = self._wanted and period > 0

    def exchange(self, period: int) -> None:
        """Inject the newest picture if one is due. If the camera is slower, it comes with a later step."""
        self._wanted = bool(self._schedule.pass_time(period)) or self._wanted
        if not self._wanted or self._newest is None:
            return
        frame = self._newest.take()
        if frame is not None:
            self._show(frame)

    def _show(self, frame: Frame) -> None:
        width, height = self._robot.camera_size(self._tag)
        try:
            self._robot.camera_set_image(self._tag, pixels(frame, width, height, self._stretches))
            self._wanted, self._damaged = False, None
        except FrameError as problem:
            self._damaged = self._damaged or time.monotonic()
            self._say(f"a picture is not shown: {problem}", once=True)

    def _say(self, text: str, once: bool = False) -> None:
        if not once or text not in self._said:
            self._said.add(text)
            print_problem(f"camera: {printable_lines(text)}")
