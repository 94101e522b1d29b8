"""The gateway, byte by byte: what a controller in any language and a simulator say to it, and nonsense."""

from __future__ import annotations

import random
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.local_packets import LocalLink
from wbridge.hal.client import native
from wbridge.hal.connection.sockets import SocketConnection
from wbridge.hal.gateway.gateway import MODE, MODE_BLOCK, MODE_MESSAGE
from wbridge.hal.gateway.start import Configured, serve_sockets
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import Answer, RequestReader, read_answer, write_answer, write_request

SIMULATION, REMOTE = 0, 2
SIZE = {"width": 4, "height": 2}
PLUGIN = """
from wbridge.hal.remote import RemoteControl

class Plugin(RemoteControl):
    def init(self, robot):
        self.robot, self.speed, self.steps = robot, 0.0, 0
        return True
    def start(self, arg): return arg == "here"
    def stop(self): self.say("stop")
    def has_failed(self): return self.steps == 50
    def stop_actuators(self): self.say("still")
    def say(self, text):
        with open(__file__ + ".log", "a") as file:
            file.write(text + "\\n")
    def motor_set_velocity(self, tag, value):
        self.speed = value
        self.say(f"velocity {value}")
    def motor_set_position(self, tag, value): self.say(f"position {value}")
    def set_sampling_period(self, tag, period): pass
    def display_draw_pixel(self, tag, x, y): self.say(f"pixel {x} {y}")
    def robot_step(self, period):
        self.steps += 1
        self.robot.distance_sensor_set_value(self.robot.find("ds"), self.speed + 0.25)
        self.robot.camera_set_image(self.robot.find("eye"), bytes([self.steps]) * 32)
        return 3
"""


class Far:
    """A controller and a simulator with a gateway between them."""

    def __init__(self, folder: Path, tcp: bool) -> None:
        place = folder / "plugins" / "remote_controls" / "wire" / "wire.py"
        place.parent.mkdir(parents=True)
        place.write_text(PLUGIN)
        self.log = Path(f"{place}.log")
        peers = [Peer("DistanceSensor", "ds"), Peer("RotationalMotor", "motor"), Peer("Camera", "eye", SIZE)]
        self.world = Loopback([*peers, Peer("Display", "screen", SIZE), Peer("LED", "led")], tcp=tcp)
        self.world.info = self.world.info._replace(remote_library="wire", project_path=str(folder))
        self.simulator, far = socket.socketpair()
        self.near, gate = socket.socketpair()
        self.near.settimeout(60.0)
        self._simulating = threading.Thread(target=self._simulate)
        self._simulating.start()
        # Configured by the simulator itself, before there is a gateway.
        far.sendall(write_request(0))
        received = SocketConnection(far, tcp).receive()
        answer = received if isinstance(received, Answer) else read_answer(received)
        self._serving = threading.Thread(target=serve_sockets, args=(gate, far, tcp))
        self._serving.start()
        self.near.sendall(write_answer(0, answer.data))
        self.connection = Configured(self.near, tcp, answer)
        self.robot = native.attach(LocalLink(self.connection, tcp))
        self.ds, self.motor, self.eye, self.screen = (
            self.robot.get_device(name) for name in ("ds", "motor", "eye", "screen")
        )

    def _simulate(self) -> None:
        reader = RequestReader()
        with suppress(ConnectionError):  # the other end may leave with an answer unread
            while data := self.simulator.recv(1 << 16):
                for request in reader.feed(data):
                    self.simulator.sendall(self.world._answer(request))

    def set_mode(self, mode: int, arg: str = "") -> int:
        """Ask for a mode; the mode that is true."""
        self.connection.send(write_request(0, [(MODE_BLOCK, MODE.pack(mode) + arg.encode() + b"\0")]))
        answer = self.connection.receive()
        data = answer.data if isinstance(answer, Answer) else answer[8:]
        assert HEAD.unpack_from(data) == (0, MODE_MESSAGE)
        self.robot.note_mode(MODE.unpack_from(data, HEAD.size)[0])
        return self.robot.get_mode()

    def said(self) -> list[str]:
        """What the plugin was told."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def close(self) -> None:
        """The controller is gone."""
        self.near.close()
        self._serving.join(20.0)
        assert not self._serving.is_alive()
        self._simulating.join(20.0)
        assert not self._simulating.is_alive()
        self.simulator.close()


@pytest.fixture(params=[False, True], ids=["local", "tcp"])
def far(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Far]:
    made = Far(tmp_path, request.param)
    yield made
    made.close()


def drive(far: Far, velocity: float) -> int:
    """A step with a velocity; the delay."""
    far.robot.device(far.motor).set_velocity(velocity)
    return far.robot.step(32)


def test_in_simulation_it_passes_all(far: Far):
    assert far.set_mode(REMOTE, "elsewhere") == SIMULATION
    far.world["ds"].send("value", 42.0)
    assert drive(far, 2.5) == 0
    assert far.robot.device(far.ds).get_value() == 42.0
    assert far.world["motor"].last("set_velocity") == (2.5,)
    assert far.said() == []


def test_in_remote_control_it_is_the_plugin(far: Far):
    far.robot.device(far.eye).enable(32)
    far.robot.step(0)
    assert far.set_mode(REMOTE, "here") == REMOTE
    for k in range(1, 4):
        far.robot.device(far.screen).draw_pixel(k, 0)
        assert drive(far, float(k)) == 3
        assert far.robot.device(far.ds).get_value() == k + 0.25
        assert far.robot.device(far.eye).get_image() == bytes([k]) * 32
    assert [one for one in far.said() if one.startswith("v")] == [f"velocity {k}.0" for k in range(1, 4)]
    assert "pixel 3 0" in far.said()
    assert far.world["motor"].last("set_velocity") is None
    assert far.world["screen"].last("draw_pixel") == ([3], [0])
    assert far.world.last("remote_on") == ()
    assert far.set_mode(SIMULATION) == SIMULATION
    assert far.said()[-2:] == ["still", "stop"]
    assert drive(far, 9.0) == 0
    assert far.world["motor"].last("set_velocity") == (9.0,)


def test_a_robot_that_is_lost_is_told(far: Far):
    assert far.set_mode(REMOTE, "here") == REMOTE
    for k in range(50):
        assert far.robot.get_mode() == REMOTE
        drive(far, float(k))
    assert far.robot.get_mode() == SIMULATION
    assert far.said()[-2:] == ["still", "stop"]
    drive(far, 7.0)
    assert far.world["motor"].last("set_velocity") == (7.0,)


def test_a_controller_that_dies_lets_the_robot_stop(far: Far):
    assert far.set_mode(REMOTE, "here") == REMOTE
    drive(far, 1.0)
    far.close()
    assert far.said()[-2:] == ["still", "stop"]


NONSENSE = [
    b"\xff" * 64,
    struct.pack("<iI", 4, 0),
    struct.pack("<iIHi", 14, 0, 1, 1000),
    struct.pack("<iIHi", 14, 0, MODE_BLOCK, 0),
    struct.pack("<iIHiH", 16, 32, 2, 2, 0xFFFF),
    struct.pack("<iIHiB", 15, 32, 0, 1, 250),
    random.Random(1).randbytes(4000),
]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_ends_the_gateway_and_stops_the_robot(
    nonsense: bytes, far: Far, capfd: pytest.CaptureFixture[str]
):
    assert far.set_mode(REMOTE, "here") == REMOTE
    drive(far, 1.0)
    far.near.sendall(nonsense)
    far.near.shutdown(socket.SHUT_WR)
    far.close()
    assert far.said()[-2:] == ["still", "stop"]
    assert "Traceback" not in capfd.readouterr().err
