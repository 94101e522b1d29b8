"""The robot link in C answers like the one in Python."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.peer import Peer
from wbridge.hal.link import messages as m
from wbridge.hal.link.faults import Fault
from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.values import encode_value
from wbridge.hal.table import DeviceTable

VECTORS: dict[str, Any] = json.loads((CHECKOUT / "hal" / "link" / "vectors.json").read_text())
TABLE = DeviceTable.from_json(VECTORS["table"])
NUMBERING = Numbering(TABLE)
MANY = TABLE._replace(
    devices=(*TABLE.devices, *(TABLE.devices[2]._replace(tag=tag, name=f"imu {tag}") for tag in (5, 6, 7)))
)
"""More sensors than one reply has room for."""
MANY_NUMBERING = Numbering(MANY)


@pytest.fixture(scope="module", params=[4, 8], ids=["reals of 4 bytes", "reals of 8 bytes"])
def peer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Peer, int]]:
    made = Peer(MANY, tmp_path_factory.mktemp("peer"), request.param, 64, "uno")
    yield made, request.param
    made.close()


class Mirror(RecordingRobot):
    """Does and tells in Python what told_robot.c does in C."""

    def __init__(self, real: int) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.real = real

    def set(self, channel: LinkChannel, value: Any) -> None:
        self.calls.append(f"set:{channel.number}:{encode_value(channel, value, self.real).hex()}")

    def set_period(self, slot: Any, period: int) -> None:
        self.calls.append(f"period:{slot.number}:{period}")

    def step(self, elapsed: int) -> bool:
        self.calls.append(f"step:{elapsed}")
        return super().step(elapsed)

    def read(self, channel: LinkChannel) -> Any:
        first = channel.number * 0.5
        return (first, first + 0.25, first + 0.5) if channel.type == "vec3" else first

    def stop(self) -> None:
        self.calls.append("stop")


def slave(real: int, table: DeviceTable) -> tuple[Slave, Mirror]:
    robot = Mirror(real)
    return Slave(table, robot, SlaveOptions("uno", real, 64, 64, shows_table=False)), robot


def test_the_session_of_the_specification(tmp_path: Path):
    """Byte by byte, but for the readings, which told_robot.c makes up in another way."""
    peer, (mirror, robot) = Peer(TABLE, tmp_path, 4, 64, "uno"), slave(4, TABLE)
    for one in VECTORS["session"]:
        told, wanted = peer.tell(one["now"], bytes.fromhex(one["data"])), one["answer"]
        assert told.calls == [shown(call) for call in one["calls"]], one["why"]
        same_but_readings = mirror.receive(bytes.fromhex(one["data"]), one["now"])
        robot.calls.clear()
        assert told.answer == same_but_readings, one["why"]
        assert (told.answer or b"").hex()[:24] == (wanted or "")[:24], one["why"]
        if wanted and not wanted.startswith("05"):
            assert told.answer is not None and told.answer.hex() == wanted, one["why"]
    peer.close()


def shown(call: list[Any]) -> str:
    """A call of the specification as told_robot.c writes it."""
    if call[0] == "set":
        channel = NUMBERING.channels[call[1]]
        return f"set:{call[1]}:{encode_value(channel, call[2], 4).hex()}"
    return ":".join(map(str, call))


def test_any_messages_lead_to_the_same_calls_and_answers(peer: tuple[Peer, int]):
    program, real = peer
    chance = random.Random(real)
    mirror, robot = slave(real, MANY)
    now, seen = 0, set()
    for data, pause in talk(chance, mirror, real):
        now += pause
        wanted = mirror.receive(data, now)
        told = program.tell(now, data)
        assert told.answer == wanted, (data.hex(), now)
        assert sorted(told.calls) == sorted(robot.calls), (data.hex(), now)
        seen.add(wanted[:1] + (wanted[10:11] if wanted[:1] == b"\3" else wanted[1:2]) if wanted else b"")
        robot.calls.clear()
    assert {b"", b"\2\1", b"\5\0", b"\5\1", b"\3\3", b"\3\4", b"\3\5"} <= seen


def talk(chance: random.Random, mirror: Slave, real: int) -> Iterator[tuple[bytes, int]]:
    """Messages to a robot, most of them right, and the time in ms before each."""
    session = 0
    for _ in range(4000):
        if chance.random() < 0.01 or not mirror.session:
            session += chance.choice([0, 1, 1, 1])
            client = 1 if chance.random() < 0.9 else 2
            yield m.encode(m.Hello(1, session, client, 500, MANY_NUMBERING.hash, "wbridge")), 1
            continue
        session, more = mirror.session, bool(mirror._rest)
        number = (mirror.sequence + chance.choice([1] * 15 + [0, 2, 65535])) & 0xFFFF
        flags = m.CONTINUE if more else chance.choice([m.ENABLE] * 12 + [0, m.ENABLE | m.PART, m.PART])
        flags = m.LEAVE if chance.random() < 0.005 else flags
        content = b"" if more else entries(chance, real)
        data = bytearray(m.encode(m.Request(flags, session, number, chance.choice([8, 32, 0]), 500, content)))
        if chance.random() < 0.03:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.02:
            yield m.encode(m.ReadTable(0, chance.randrange(100))), 0
        yield bytes(data), chance.choice([1, 8, 32, 501 if chance.random() < 0.05 else 32])


def entries(chance: random.Random, real: int) -> bytes:
    """A few entries; now and then one is wrong."""
    out = b""
    for _ in range(chance.choice([0, 1, 2, 3])):
        if chance.random() < 0.3:
            slot = chance.choice([*MANY_NUMBERING.slots])
            out += m.encode_period(slot, chance.choice([0, 8, 32, 64]))
            continue
        channel = chance.choice([one for one in MANY_NUMBERING.channels if one.direction == "act"])
        value: Any = chance.choice(
            [0.0, 1.5, -3.25, float("inf"), float("nan") if chance.random() < 0.1 else 2.0]
        )
        if channel.type == "i32":
            value = chance.choice([-1, 0, 7])
        elif channel.elements == 3:
            value = [value] * 3
        out += m.encode_sample(channel, value, real)
    if chance.random() < 0.03:
        out += struct.pack("<H", chance.choice([0xFFFF, 0x7FFF, 7, 0x8000]))
    return out[:44]


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_keeps_the_motors_off_until_it_is_acknowledged(fault: Fault, tmp_path: Path):
    """In C as in Python, over two sessions of one controller; then a press of reset would not matter."""
    program, (mirror, robot) = Peer(MANY, tmp_path, 4, 64, "uno", fault), slave(4, MANY)
    mirror.fault = fault
    speed = m.encode_sample(NUMBERING.channel(1, "velocity"), 1.5, 4)  # type: ignore[arg-type]
    moved = []
    for now, data in enumerate(
        [
            hello(1),
            request(1, 1, m.ENABLE, speed),
            hello(2),
            request(2, 1, m.ENABLE, speed),
            request(2, 2, m.ENABLE | m.ACKNOWLEDGE, speed),
            request(2, 3, 0),
            request(2, 4, m.ENABLE, speed),
            hello(3),
        ]
    ):
        told, wanted = program.tell(now, data), mirror.receive(data, now)
        assert told.answer == wanted
        assert sorted(told.calls) == sorted(robot.calls)
        moved.append(any(call.startswith("set:") for call in robot.calls))
        robot.calls.clear()
    assert moved == [False] * 4 + [True, False, True, False]
    program.close()


def hello(session: int) -> bytes:
    """The start of a session."""
    return m.encode(m.Hello(1, session, 1, 500, MANY_NUMBERING.hash, "wbridge"))


def request(session: int, sequence: int, flags: int, content: bytes = b"") -> bytes:
    """A step."""
    return m.encode(m.Request(flags, session, sequence, 32, 500, content))
