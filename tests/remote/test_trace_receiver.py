"""Who looks on while a controller drives: takes what is told, and is harmed by nothing."""

from __future__ import annotations

import json
import math
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bridge.conftest import HEAD, ROVER
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.remote.gap_record import GapRecord
from wbridge.wbcore.remote.model import Model
from wbridge.wbcore.remote.trace_receiver import TraceReceiver
from wbridge.wbcore.scene.load import load_text

MOTOR, ENCODER = 1, 2
ENABLE = [ENCODER, "wb_position_sensor_enable", 8]


class Looking:
    """A shadow with a controller that speaks to it."""

    def __init__(self, folder: Path) -> None:
        world = load_text(HEAD + ROVER)
        self.target = folder / "gap.csv"
        self.model = Model(world, world.nodes[1], follows=False)
        record = GapRecord(self.target, self.model.numbering, has_model=True)
        self.receiver = TraceReceiver(folder / "trace", self.model, record)
        self.server = Server()
        self.receiver.watch(self.server)
        self.speaker = socket.socket(socket.AF_UNIX)
        self.speaker.connect(str(folder / "trace"))

    def tell(self, *lines: bytes) -> None:
        """Say lines, and let them be heard."""
        self.speaker.sendall(b"".join(line + b"\n" for line in lines))
        while self.server.poll(0.05):
            pass

    def next_connection(self) -> list[dict[str, object]]:
        """Connect as another process of the controller; what it is sent at once."""
        self.speaker.close()
        self.speaker = socket.socket(socket.AF_UNIX)
        self.speaker.connect(str(self.target.with_name("trace")))
        self.tell(line())
        return [json.loads(text) for text in self.speaker.recv(1 << 16).splitlines()]

    def close(self) -> None:
        """End it; more than once does no harm."""
        self.speaker.close()
        self.server.close()
        self.receiver.close()


@pytest.fixture
def looking(tmp_path: Path) -> Iterator[Looking]:
    one = Looking(tmp_path)
    yield one
    one.close()


def line(**said: object) -> bytes:
    return json.dumps(
        {"elapsed": 8, "late": 0, "periods": [], "commands": [], "readings": []} | said
    ).encode()


def test_steps_become_rows(looking: Looking):
    start = [[MOTOR, "position", math.inf], [MOTOR, "velocity", 1.0]]
    looking.tell(line(periods=[ENABLE], commands=start), line(late=8, readings=[[ENCODER, "position", 0.5]]))
    assert looking.receiver.time == pytest.approx(0.024)
    assert looking.model.simulation.time_ms == pytest.approx(24)
    looking.close()
    header, first, second = (row.split(",") for row in looking.target.read_text().splitlines())
    rows = [dict(zip(header, row, strict=True)) for row in (first, second)]
    assert [row["real encoder.position"] for row in rows] == ["", "0.5"]
    assert float(rows[1]["model encoder.position"]) == pytest.approx(0.024, abs=1e-4)
    assert rows[0]["command motor.velocity"] == "1.0"


@pytest.mark.parametrize(
    "nonsense",
    [
        b"",
        b"nonsense",
        b"[" * 100_000,
        b"\xff\xfe",
        b"null",
        b"{}",
        line(elapsed=-1),
        line(elapsed=1e300),
        line(elapsed="x"),
        line(elapsed=math.nan),
        line(commands=[[1]]),
        line(commands=[[MOTOR, "velocity", "fast"]]),
        line(commands=[[MOTOR, "controlPID", 1]]),
        line(commands=[[[], {}, 1]]),
        line(readings=[[ENCODER, "position", {}]]),
        line(readings=[[ENCODER, "position", [1, 2, 3, 4, 5, 6, 7, 8]]]),
        line(periods=[[ENCODER, "wb_position_sensor_enable", "often"]]),
    ],
)
def test_nonsense_is_left_out(nonsense: bytes, looking: Looking):
    looking.tell(nonsense, line())
    assert looking.model.simulation.time_ms >= 8
    looking.close()
    rows = looking.target.read_text().splitlines()
    assert len({row.count(",") for row in rows}) == 1


def test_a_line_without_end_ends_the_conversation(looking: Looking, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("wbridge.wbcore.remote.trace_receiver.LONGEST_LINE", 100)
    looking.speaker.sendall(b"x" * 1000)
    looking.server.poll(5.0)
    looking.server.poll(5.0)
    looking.speaker.settimeout(30.0)
    while looking.speaker.recv(1 << 16):
        pass  # requests; the end of the connection follows, or a time-out


def test_another_controller_takes_its_place(looking: Looking, tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as second:
        second.connect(str(tmp_path / "trace"))
        looking.server.poll(0.05)
        second.sendall(line() + b"\n")
        while looking.server.poll(0.05):
            pass
    assert looking.receiver.time == pytest.approx(0.008)


def test_each_connection_learns_who_drives_and_what_is_enabled(looking: Looking):
    looking.tell(line())
    enable = {"do": "enable", "tag": ENCODER, "function": "wb_position_sensor_enable", "period": 8}
    gyro = {"do": "enable", "tag": 3, "function": "wb_gyro_enable", "period": 8}
    for request in ({"do": "drive", "on": True}, enable, gyro, gyro | {"period": 0}):
        assert looking.receiver.request(request)
    assert looking.next_connection() == [{"do": "stop"}, enable]
    assert looking.receiver.request({"do": "leave"})
    assert looking.next_connection() == [{"do": "drive", "on": False}]
