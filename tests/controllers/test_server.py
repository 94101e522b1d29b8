"""The server: folders, sockets, and peers that do not behave."""

from __future__ import annotations

import math
import os
import random
import selectors
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controllers.project import HEADER
from wbridge.hal.protocol.packet import AnswerReader, write_request
from wbridge.wbcore.controllers import instance
from wbridge.wbcore.controllers.instance import OWNER, Instance, InstanceTaken
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.server import MOST_MISSED, MOST_STRANGERS, Server
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

ROBOT = 'Robot { name "a b" controller "<extern>" supervisor TRUE children [ %s ] }\n'
DEVICES = """
GPS { name "gps" } DistanceSensor { name "ds" } Emitter { name "emitter" } Receiver { name "receiver" }
LED { name "led" } TouchSensor { name "touch" } Gyro { name "gyro" } Accelerometer { name "acc" }
Camera { name "camera" } Lidar { name "lidar" } Display { name "display" } Speaker { name "speaker" }
LightSensor { name "light" } Connector { name "connector" } Pen { name "pen" } Radar { name "radar" }
HingeJoint { device [ RotationalMotor { name "motor" } PositionSensor { name "ps" } Brake { name "brake" } ]
  endPoint Solid { boundingObject Sphere { } physics Physics { } } }
"""
LATER_S = 30.0


class Desk:
    """A world with one extern robot, its server, and plain sockets to it."""

    def __init__(self, devices: str = "", names: tuple[str, ...] = ("a b",)) -> None:
        text = "".join((ROBOT % devices).replace("a b", name) for name in names)
        self.simulation = Simulation(load_text(f"{HEADER}WorldInfo {{ basicTimeStep 16 }}\n{text}"))
        self.lockstep = Lockstep(self.simulation)
        self.server = Server()
        self.server.serve(self.lockstep.sessions)
        self.session = self.lockstep.sessions[0]
        self.sockets: list[socket.socket] = []

    def local(self, name: str = "a%20b", layout: int = 0, kind: str = "extern") -> socket.socket:
        """A connection by the instance's folder."""
        made = socket.socket(socket.AF_UNIX)
        made.connect(str(list(self.server.instance.folders)[layout] / "ipc" / name / kind))
        return self._keep(made)

    def tcp(self, handshake: bytes | None = b"CTR\nRobot-Name: a%20b") -> socket.socket:
        """A connection by TCP."""
        made = self._keep(socket.create_connection(("127.0.0.1", self.server.port)))
        if handshake is not None:
            made.sendall(handshake)
            self.settle()
        return made

    def _keep(self, made: socket.socket) -> socket.socket:
        made.settimeout(LATER_S)
        self.sockets.append(made)
        self.settle()
        return made

    def settle(self) -> None:
        """Handle what has arrived."""
        while self.server.poll(0.02):
            pass

    def step(self) -> None:
        """Make a step, whoever is awaited."""
        if self.lockstep.is_ready:
            self.lockstep.step()

    def ask(self, one: socket.socket, packet: bytes) -> bytes:
        """Send a packet; what is sent back at once."""
        one.sendall(packet)
        self.settle()
        return one.recv(1 << 16)

    def close(self) -> None:
        """End all."""
        for one in self.sockets:
            one.close()
        self.server.close()


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.close()


def test_the_folder_is_for_its_user_alone(desk: Desk):
    for folder in desk.server.instance.folders:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert desk.server.instance.folder.name == str(desk.server.port)
    assert desk.server.instance.folder.parts[:3] == ("/", "tmp", "webots")


def test_nothing_is_left_behind():
    desk = Desk()
    folders = list(desk.server.instance.folders)
    assert all(one.is_dir() for one in folders)
    desk.close()
    assert not any(one.exists() for one in folders)


def test_who_looks_for_a_free_number_looks_at_all_folders_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    running = [Instance(number, tmp_path) for number in range(4001, 4021)]
    seen: list[Path] = []
    monkeypatch.setattr(instance, "_remove_stale", seen.append)
    for one in running:
        with pytest.raises(InstanceTaken):
            Instance(one.number, tmp_path)
    assert len(seen) == 2 * len(running)  # its own two folders each time
    running.append(Instance(4021, tmp_path))
    assert len(set(seen)) == 2 * len(running)
    for one in running:
        one.remove()


def test_folders_of_killed_processes_are_removed_and_those_of_others_stay(tmp_path: Path):
    code = (
        "import os, signal, sys, pathlib\nfrom wbridge.wbcore.controllers.instance import Instance\n"
        "Instance(4001, pathlib.Path(sys.argv[1]))\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env={**os.environ, "PYTHONPATH": str(root)}
    )
    assert done.returncode == -9
    (killed,) = tmp_path.glob("webots/*/4001")
    foreign = killed.with_name("4002")
    foreign.mkdir()
    own = Instance(4003, tmp_path)
    assert not killed.exists()
    assert not (tmp_path / "webots-4001").exists()
    assert foreign.is_dir()
    assert own.folder.is_dir()


CROWD = """
import pathlib, sys
from wbridge.wbcore.controllers import instance
from wbridge.wbcore.controllers.instance import Instance, InstanceTaken
print("ready", flush=True)
sys.stdin.readline()
for turn in range(100):
    for number in range(4001, 4010):
        try:
            one = Instance(number, pathlib.Path(sys.argv[1]))
        except InstanceTaken:
            continue
        assert all((folder / "ipc").is_dir() for folder in one.folders)
        one.remove()
        break
print("done")
"""


def test_runs_that_start_and_end_together_keep_their_folders(tmp_path: Path):
    root = Path(__file__).parents[2]
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", CROWD, str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for one in crowd:
        assert one.stdout is not None and one.stdout.readline() == "ready\n"
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate()[0] for one in crowd] == ["done\n"] * 4


def test_what_a_run_that_was_killed_while_it_ended_has_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = Instance(4242, tmp_path)
    with monkeypatch.context() as killed:
        killed.setattr(instance.shutil, "rmtree", lambda *_, **__: None)
        first.remove()
    second = Instance(4242, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["webots", "webots-4242"]
    assert [path.name for path in second.folder.parent.iterdir() if path.is_dir()] == ["4242"]
    second.remove()


def test_a_number_that_is_taken_is_refused(tmp_path: Path):
    first = Instance(4001, tmp_path)
    with pytest.raises(InstanceTaken, match="another simulator"):
        Instance(4001, tmp_path)
    first.remove()
    Instance(4001, tmp_path).remove()


def test_a_process_number_that_was_given_anew_is_no_owner(tmp_path: Path):
    first = Instance(4001, tmp_path)
    (first.folder / OWNER).write_text(f"{os.getpid()} 12345")
    Instance(4001 + 1, tmp_path).remove()
    assert not first.folder.exists()


def test_two_servers_live_side_by_side(desk: Desk):
    other = Desk()
    assert other.server.port != desk.server.port
    other.close()


def test_a_port_that_is_taken_is_refused(desk: Desk):
    with pytest.raises(OSError):
        Server(port=desk.server.port)


def _own_address() -> str:
    """The address of this machine for others, else a second one for itself."""
    try:
        own = socket.gethostbyname(socket.gethostname())
    except OSError:  # a machine whose name nobody knows
        return "127.0.0.2"
    return "127.0.0.2" if own.startswith("127.") else own


def test_tcp_is_reachable_from_this_machine_only(desk: Desk):
    made = socket.socket()
    made.settimeout(LATER_S)
    assert made.connect_ex((_own_address(), desk.server.port)) != 0
    made.close()


@pytest.mark.parametrize(
    "handshake", [b"CTR\nRobot-Name: a%20b", b"CTR\nRobot-Name: a b", b"CTR\nRobot-Name: a%2520b", b"CTR"]
)
def test_names_are_understood_in_any_spelling(desk: Desk, handshake: bytes):
    assert desk.tcp(handshake).recv(10) == b"CONNECTED"
    assert desk.session.exchange is not None


@pytest.mark.parametrize("handshake", [b"GET / HTTP/1.1\r\n\r\n", b"\0" * 5000])
def test_strangers_are_turned_away(desk: Desk, handshake: bytes):
    assert desk.tcp(handshake).recv(10) == b"FAILED"
    assert desk.session.exchange is None


def test_a_robot_that_is_not_named_must_be_the_only_one():
    desk = Desk(names=("a b", "c"))
    assert desk.tcp(b"CTR").recv(100) == b"FAILED\na%20b\nc"
    desk.close()


def test_who_asks_for_another_robot_is_told_those_that_wait(caplog: pytest.LogCaptureFixture):
    desk = Desk(names=("a b", "c", "d"))
    desk.tcp(b"CTR\nRobot-Name: c")
    for name in (b"a%20bb", b"a bb", b"a%20bb", b"\x1b\n\xff"):
        assert desk.tcp(b"CTR\nRobot-Name: " + name).recv(100) == b"FAILED\na%20b\nd"
    desk.close()
    first, second = (one for one in caplog.messages if "TCP controller" in one)
    assert "wants robot 'a bb'; robots waiting for a controller: \"a b\", \"d\"; did you mean 'a b'?" in first
    assert "\x1b" not in second
    assert "\n" not in second
    assert [one.exchange is not None for one in desk.lockstep.sessions] == [False, True, False]


def test_names_that_are_asked_for_without_end_are_not_all_told(caplog: pytest.LogCaptureFixture):
    desk = Desk()
    for number in range(MOST_MISSED + 5):
        assert desk.tcp(b"CTR\nRobot-Name: r%d" % number).recv(6) == b"FAILED"
    desk.close()
    assert sum("TCP controller" in one for one in caplog.messages) == MOST_MISSED


def test_a_second_controller_is_refused(desk: Desk, caplog: pytest.LogCaptureFixture):
    first = desk.local()
    assert desk.local().recv(1) == b""
    assert desk.tcp().recv(10) == b"FORBIDDEN"
    assert sum("a second controller was refused" in one for one in caplog.messages) == 2, "by both wires"
    assert len(desk.ask(first, write_request(0))) > 8


def test_who_leaves_by_tcp_before_a_step_hears_of_dialects(desk: Desk, caplog: pytest.LogCaptureFixture):
    """Libraries of R2023a end with "node not handled" when they read devices of R2025a (their robot.c)."""
    made = desk.tcp()
    assert made.recv(9) == b"CONNECTED"
    made.close()
    desk.settle()
    (said,) = (one for one in caplog.messages if "before its first step" in one)
    assert "--dialect R2023a" in said and "--dialect R2025a" not in said


def test_a_new_controller_may_come_when_the_first_has_left(desk: Desk):
    first = desk.local()
    first.close()
    desk.settle()
    assert desk.session.exchange is None
    assert len(desk.ask(desk.local(), write_request(0))) > 8


def test_the_folder_tells_the_dialect(desk: Desk):
    desk.local(layout=1)
    assert desk.session.robot.dialect.name == "R2023a"
    desk.sockets.pop().close()
    desk.settle()
    desk.local(layout=0)
    assert desk.session.robot.dialect.name == "R2025a"


def test_silent_peers_make_way_for_others(desk: Desk):
    silent = [desk.tcp(None) for _ in range(MOST_STRANGERS + 5)]
    assert desk.tcp().recv(10) == b"CONNECTED"
    assert silent[0].recv(1) == b""


def test_a_peer_that_does_not_read_cannot_fill_the_memory(desk: Desk):
    one = desk.local()
    one.setblocking(False)
    packet = write_request(0) * 1000
    sent = 0
    for _ in range(500):
        try:
            sent += one.send(packet)
        except BlockingIOError:
            desk.server.poll(0)
    (connection,) = desk.server._connections
    assert len(connection._waiting) < 2**20
    assert sent < 2**24


def test_a_request_before_the_answer_ends_the_connection(desk: Desk, caplog: pytest.LogCaptureFixture):
    one = desk.local()
    desk.ask(one, write_request(0))
    one.sendall(write_request(16) * 2)
    desk.settle()
    assert desk.session.exchange is None
    assert any("before the previous one was answered" in message for message in caplog.messages)


def test_requests_arrive_in_any_pieces(desk: Desk):
    one = desk.local()
    for byte in write_request(0, [(0, bytes([35, 0, 0]))]):
        one.sendall(bytes([byte]))
        desk.settle()
    assert len(one.recv(1 << 16)) > 8


@pytest.mark.parametrize("seed", range(4))
def test_garbage_ends_the_connection_at_most(seed: int):
    """Random bytes, random blocks, and real commands with random content: the simulation goes on."""
    chance = random.Random(seed)
    desk = Desk(DEVICES)
    peer = None
    for _ in range(400):
        if peer is None or desk.session.exchange is None:
            peer = desk.local()
            reader = AnswerReader()
            reader.feed(desk.ask(peer, write_request(0)))
        try:
            peer.sendall(packet(chance, desk))
        except OSError:
            peer = None
            continue
        desk.server.poll(LATER_S)
        desk.step()
    assert desk.simulation.time > 0.1
    desk.close()


def packet(chance: random.Random, desk: Desk) -> bytes:
    """A packet that is more or less wrong."""
    kind = chance.random()
    if kind < 0.05:
        return chance.randbytes(chance.randint(1, 40))
    if kind < 0.1:
        return struct.pack("<iI", chance.choice([7, 12, 2**30, -5]), 16) + chance.randbytes(4)
    tag = chance.randint(0, len(desk.session.robot.devices) + 1)
    return write_request(
        chance.choice([0, 16, 16, 2**32 - 1 if kind > 0.99 else 5]), [(tag, block(chance, desk, tag))]
    )


def block(chance: random.Random, desk: Desk, tag: int) -> bytes:
    """Commands of a device with random values, cut off at times."""
    robot = desk.session.robot
    codec = robot.codec if tag == 0 else robot.devices[tag - 1].codec if tag <= len(robot.devices) else None
    if codec is None or not codec.commands or chance.random() < 0.2:
        return chance.randbytes(chance.randint(0, 30))
    code = chance.choice(list(codec.commands))
    numbers = [struct.pack("<d", one) for one in (math.nan, math.inf, -1e300, 1.0)]
    special = [b"\0" * 8, b"\xff" * 8, *numbers]
    content = b"".join(chance.choice([*special, chance.randbytes(8)]) for _ in range(chance.randint(0, 8)))
    return codec.head.pack(code) + content[: max(0, len(content) - chance.choice([0, 0, 1, 4, 6, 7]))]


@pytest.mark.parametrize(("processors", "spins"), [({0, 1}, False), ({0, 1, 2}, True)])
def test_the_server_spins_for_two_controllers_only_with_three_processors(
    monkeypatch: pytest.MonkeyPatch, processors: set[int], spins: bool
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: processors, raising=False)
    timeouts: list[float | None] = []
    select = selectors.DefaultSelector.select
    monkeypatch.setattr(
        selectors.DefaultSelector, "select", lambda self, t=None: [timeouts.append(t), select(self, t)][1]
    )
    desk = Desk(names=("one", "two"))
    try:
        desk.local("one")
        desk.local("two")
        assert not desk.server.poll(0.01)
        assert timeouts[-1] == 0.01
        assert (0 in timeouts) is spins
    finally:
        desk.close()
