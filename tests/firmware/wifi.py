"""Sketches of boards with Wi-Fi on this computer, with sanitizers, and a proxy that makes a network fail."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.waiting import PATIENCE, wait_for
from wbridge.hal.link import messages as m
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import PROGRAM
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

NUMBERING = Numbering(two_wheels())
MOTOR = "left wheel motor"
FULL = 12.0
"""rad/s at full duty, as the proposed map says."""
SANITIZED = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
REQUEST, HELLO = m.code_of(m.Request), m.code_of(m.Hello)


def velocity() -> LinkChannel:
    """The channel of the motor's velocity."""
    found = NUMBERING.channel(two_wheels().find(MOTOR).tag, "velocity")  # type: ignore[union-attr]
    assert found is not None
    return found


def position() -> LinkChannel:
    """The channel of the motor's position; infinite for velocity control."""
    found = NUMBERING.channel(two_wheels().find(MOTOR).tag, "position")  # type: ignore[union-attr]
    assert found is not None
    return found


class Sketch:
    """A sketch with its hardware map, compiled for this computer."""

    def __init__(
        self,
        folder: Path,
        board: str,
        link: str,
        secrets: dict[str, str] | None = None,
        options: str = SANITIZED,
        controller: Path | None = None,
    ) -> None:
        """
        Args:
            folder: for the project.
            board: its name.
            link: lines of the table [link] in place of the wire.
            secrets: values for secrets.h by name.
            options: of the compiler.
            controller: a file that runs on the board; None: it is driven over the link.
        """
        require_tool("make", "builds firmware")
        require_tool("c++", "compiles sketches for this computer")
        folder.mkdir(parents=True, exist_ok=True)
        text = propose(two_wheels(), str(WORLD), board).replace('wire = "serial"', link)
        if controller is not None:
            text = text.replace('"slave"', '"standalone"')
            text = text.replace("format = 1\n", f'format = 1\ncontroller = "{controller}"\n')
        (folder / "hardware.toml").write_text(text)
        self.hardware: Hardware = load_hardware(folder / "hardware.toml", two_wheels())
        self.folder = folder / "firmware"
        generate(self.hardware, self.folder)
        self.set_secrets(secrets or {})
        makefile = self.folder / "Makefile"
        makefile.write_text(makefile.read_text().replace("-O2", options))
        subprocess.run(["make", "-s", "-j2"], cwd=self.folder, check=True)

    def set_secrets(self, secrets: dict[str, str]) -> None:
        """Write names and passwords, as its user would."""
        file = self.folder / "secrets.h"
        text = file.read_text()
        for name, value in secrets.items():
            text, count = re.subn(rf'(#define {name}) ".*"', rf'\1 "{value}"', text)
            assert count == 1
        file.write_text(text)

    def with_secrets(self, folder: Path, secrets: dict[str, str]) -> Sketch:
        """A copy with others."""
        made = object.__new__(Sketch)
        made.hardware, made.folder = self.hardware, folder
        shutil.copytree(self.folder, folder)
        made.set_secrets(secrets)
        subprocess.run(["make", "-s", "-j2"], cwd=folder, check=True)
        return made

    @contextlib.contextmanager
    def running(self) -> Iterator[Robot]:
        """The board, switched on."""
        board = load_board(self.hardware.board.name)
        with Bench(board, self.folder / PROGRAM, wire=self.hardware.link.wire) as bench:
            yield Robot(bench, self.hardware)
            assert bench.running, "the program has ended: the sanitizers tell why"


class Robot:
    """The running board, seen from its pins."""

    def __init__(self, bench: Bench, hardware: Hardware) -> None:
        self.bench, self.url = bench, bench.url
        values = next(one.values for one in hardware.wirings if one.device.name == MOTOR)
        self._pins = {name: str(values[name]) for name in ("pwm", "forward", "backward")}

    @property
    def speed(self) -> float:
        """What the pins command the motor, in rad/s."""
        states = {name: self.bench.show(pin) for name, pin in self._pins.items()}
        sign = states["forward"].value - states["backward"].value
        return sign * states["pwm"].value * FULL if states["pwm"].use == "pwm" else 0.0

    def has(self, speed: float) -> bool:
        """Whether the motor has a speed, to a step of the PWM."""
        return abs(self.speed - speed) <= FULL / 255

    def wait_for(self, speed: float) -> None:
        """Wait until it has."""
        wait_for(lambda: self.has(speed))


class Tapped:
    """A pipe that keeps what was sent by it."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe, self.retry = pipe, pipe.retry
        self.sent: list[bytes] = []
        self.receive, self.fileno, self.close = pipe.receive, pipe.fileno, pipe.close

    def send(self, data: bytes) -> None:
        """Keep it, and send it."""
        self.sent.append(data)
        self.pipe.send(data)

    def requests(self) -> list[bytes]:
        """The requests among them."""
        return [one for one in self.sent if one[0] == REQUEST]


class Driver:
    """A controller that gives velocities."""

    def __init__(self, robot: Robot, url: str, watchdog: int = 5000) -> None:
        self.robot, self.url = robot, url
        self.pipes: list[Tapped] = []
        self.master = Master(two_wheels(), self._open, watchdog=watchdog)

    def _open(self) -> Tapped:
        self.pipes.append(Tapped(connect(self.url)))
        return self.pipes[-1]

    def drive(self, *speeds: float) -> None:
        """One step for each velocity; the motor must follow each."""
        for speed in speeds:
            self.master.set(position(), float("inf"))
            self.master.set(velocity(), speed)
            assert self.master.step(8, 30.0) is not None
            assert self.robot.has(speed), speed

    def request(self, session: int, sequence: int, flags: int = m.ENABLE) -> bytes:
        """A request for full speed, with the numbers of some session."""
        return m.encode(m.Request(flags, session, sequence, 8, 10_000, m.encode_sample(velocity(), FULL, 8)))

    @property
    def session(self) -> int:
        """Its session's number."""
        assert self.master.welcome is not None
        return self.master.welcome.session


@contextlib.contextmanager
def driver(robot: Robot, url: str | None = None, watchdog: int = 5000) -> Iterator[Driver]:
    """A controller that is connected."""
    made = Driver(robot, url or str(robot.url), watchdog)
    try:
        made.master.connect(30.0)
        yield made
    finally:
        made.master.close()


def answer(pipe: Any, data: bytes) -> Any:
    """What the robot says to it."""
    pipe.send(data)
    told = pipe.receive(30.0)
    assert told
    return m.decode(told)


class Proxy:
    """Passes TCP connections on, until the network fails."""

    def __init__(self, target: Callable[[], int]) -> None:
        """
        Args:
            target: the port to pass connections on to.
        """
        self._target, self._server = target, socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._open: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._limit: int | None = None
        self._closed = False
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        self._threads.append(threading.Thread(target=target, args=arguments, daemon=True))
        self._threads[-1].start()

    def freeze(self) -> None:
        """All connections of now stay open, but nothing passes any more: the cable is out, somewhere."""
        self._dead.update(self._open)

    def mute(self, is_near: bool) -> None:
        """Nothing comes any more from the sides that have connected, or from the others."""
        self._dead.update(self._open[not is_near :: 2])

    def truncate(self, size: int) -> None:
        """Pass on only the first bytes of what comes next from the side that has connected, then close."""
        self._limit = size

    def cut(self) -> None:
        """Close all connections."""
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End."""
        self._closed = True
        self.cut()
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for one in self._threads:
            one.join(PATIENCE)
        for end in self._open:
            end.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._server.accept()
                self._open.append(near)
                far = socket.create_connection(("127.0.0.1", self._target()))
                self._open.append(far)
            except OSError:
                continue
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink, is_near in ((near, far, True), (far, near, False)):
                self._start(self._pass, source, sink, is_near)

    def _pass(self, source: socket.socket, sink: socket.socket, is_near: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if source in self._dead:
                    continue
                if is_near and self._limit is not None:
                    data, self._limit = data[: self._limit], None
                    sink.sendall(data)
                    break
                sink.sendall(data)
        if source not in self._dead:
            for one in (source, sink):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
