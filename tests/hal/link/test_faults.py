"""A bad wire: no wrong command is executed, none is lost, nothing hangs. Seeded, in virtual time."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hal.link.conftest import Bench
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.framing import CobsDecoder, frame_cobs
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.slave import SlaveOptions
from wbridge.hal.link.transports import connect_bytes
from wbridge.hal.link.transports.fault import Chances, FaultPipe

STEPS = [2_000, pytest.param(10_000, marks=pytest.mark.slow)]
ALL = Chances(*[0.03] * 4)
BYTES = Chances(*[0.0075] * 4)
"""3 % of the bytes; two of three frames of the usual size are damaged then."""
SMALL = SlaveOptions(real=4, request_limit=64, reply_limit=64)


def faulty(chances: Chances, seed: int, unit: str) -> Callable[[Pipe], Pipe]:
    """A wire with faults; each new one has other faults."""
    seeds = random.Random(seed)
    return lambda pipe: FaultPipe(pipe, chances, seeds.getrandbits(32), unit)


def drive(bench: Bench, steps: int) -> None:
    """Give each step another command; the robot answers with what it has got."""
    velocity, position = bench.channel("left motor", "velocity"), bench.channel("left motor", "position")
    bench.master.set_period(bench.slot("ds"), 8)
    bench.master.connect(60.0)
    read = bench.robot.read
    bench.robot.read = lambda channel: (
        float(len(bench.robot.commands)) if channel.name == "value" else read(channel)
    )
    answered = 0
    for k in range(steps):
        bench.master.set(velocity if k % 3 else position, float(k))
        step = bench.master.step(8, 60.0)
        assert step is not None, "a step that is repeated for a minute arrives"
        answered += 1
        assert step.values == [(bench.channel("ds", "value"), float(k + 1))]
    assert bench.robot.commands == [
        (f"left motor.{'velocity' if k % 3 else 'position'}", float(k)) for k in range(steps)
    ]
    assert (answered, bench.robot.now) == (steps, 8 * steps)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("framing", ["cobs", ""])
def test_bad_frames(framing: str, steps: int):
    bench = Bench(wire=faulty(ALL, 1, "message"), framing=framing, options=SMALL, watchdog=10_000)
    drive(bench, steps)
    assert bench.master.repeated > steps // 20
    assert bench.master.sessions == 1


@pytest.mark.parametrize("steps", STEPS)
def test_bad_bytes(steps: int):
    bench = Bench(wire=faulty(BYTES, 3, "byte"), framing="cobs", options=SMALL, watchdog=10_000)
    drive(bench, steps)
    assert bench.master.repeated > steps
    assert bench.master.sessions == 1


@pytest.mark.parametrize("fault", ["corrupt", "lose", "double", "reorder"])
def test_a_wire_where_one_fault_is_the_rule(fault: str):
    chances = Chances(**{fault: 0.5})
    drive(Bench(wire=faulty(chances, 5, "message"), options=SMALL, watchdog=10_000), 300)


def test_a_bad_wire_and_a_short_watchdog_lose_no_state():
    """Sessions end again and again; each step brings the newest command to the robot all the same."""
    bench = Bench(wire=faulty(BYTES, 6, "byte"), framing="cobs", options=SMALL, watchdog=120)
    velocity = bench.channel("left motor", "velocity")
    for k in range(1000):
        bench.master.set(velocity, float(k))
        assert bench.master.step(8, 60.0) is not None
        assert bench.robot.commands[-1] == ("left motor.velocity", float(k))
        assert bench.robot.state in ({}, {"left motor.velocity": float(k)}), "stopped, or at the newest"
    assert bench.master.sessions > 3


def forged(bench: Bench, chance: random.Random) -> bytes:
    """A message with a good check but random content, sometimes about the session that is there."""
    session = chance.choice([bench.slave.session, chance.getrandbits(16)])
    kind = chance.randrange(5)
    if kind == 0:
        return m.encode(m.ReadTable(session, chance.getrandbits(32)))
    if kind == 1:
        head = (chance.randrange(3), session, chance.getrandbits(32), chance.getrandbits(16))
        return m.encode(m.Hello(*head, chance.choice([bench.numbering.hash, bytes(8)]), "x"))
    if kind == 2:
        body = chance.randbytes(chance.randrange(40))
        return body + m.CHECK.pack(m.zlib.crc32(body))
    sequence = chance.choice([bench.slave.sequence + 2, bench.slave.sequence - 1, chance.getrandbits(16)])
    if session == bench.slave.session and (sequence - bench.slave.sequence) % 65536 == 1:
        sequence += 1
    return m.encode(m.Request(chance.getrandbits(8), session, sequence % 65536, 8, 500, chance.randbytes(12)))


def test_hostile_messages_do_nothing():
    chance, bench = random.Random(7), Bench()
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.step(8, 1.0)
    before = ([*bench.robot.commands], bench.robot.now, bench.slave.session)
    for _ in range(20_000):
        bench.slave.receive(forged(bench, chance), 0.0)
    assert ([*bench.robot.commands], bench.robot.now, bench.slave.session) == before
    assert bench.robot.stops == 0


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=100), max_size=20))
def test_garbage_does_nothing(chunks: list[bytes]):
    bench, decoder = Bench(), CobsDecoder()
    for chunk in chunks:
        for message in decoder.feed(chunk + b"\0"):
            assert bench.slave.receive(message, 0.0) is None
        assert bench.slave.receive(chunk, 0.0) is None
    assert not bench.slave.driven
    assert decoder.feed(b"\0" + frame_cobs(b"next")) == [b"next"]


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=100), max_size=20))
def test_garbage_for_the_controller_does_nothing(chunks: list[bytes]):
    bench = Bench()
    bench.master.step(8, 1.0)
    pipe = bench.master._pipe
    assert pipe is not None
    for chunk in chunks:
        pipe._waiting.append(chunk)
    assert bench.master.step(8, 1.0)


def test_the_same_seed_makes_the_same_faults():
    def run(seed: int) -> tuple[int, int]:
        bench = Bench(wire=faulty(BYTES, seed, "byte"), framing="cobs", options=SMALL, watchdog=10_000)
        drive(bench, 50)
        return bench.master.repeated, round(1000 * bench.clock.now)

    assert run(8) == run(8) != run(9)


class Echo:
    """A byte pipe that returns what was sent."""

    retry = 0.1

    def __init__(self) -> None:
        self.data = b""

    def send(self, data: bytes) -> None:
        self.data += data

    def receive(self, timeout: float) -> bytes | None:
        data, self.data = self.data, b""
        return data or None

    def fileno(self) -> int:
        return -1

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("fault", "arrives"),
    [("lose", b"acd"), ("double", b"abbcd"), ("reorder", b"acbd"), ("corrupt", None), ("insert", None)],
)
def test_a_fault_hits_the_named_byte_only(fault: str, arrives: bytes | None):
    results = set()
    for seed in (1, 1, 2):
        pipe = FaultPipe(Echo(), Chances(), seed, "byte", {("send", 1): fault})
        pipe.send(b"abcd")
        data = pipe.receive(0.0) or b""
        results.add(data)
        if arrives is not None:
            assert data == arrives
        else:
            assert (data[:1], data[-2:], len(data)) == (b"a", b"cd", 5 if fault == "insert" else 4)
            assert data != b"abcd"
        pipe.send(b"abcd")
        assert pipe.receive(0.0) == b"abcd"
    assert len(results) == (1 if arrives is not None else 2), "the seed decides what a byte becomes"


@pytest.mark.parametrize(
    "text", ["", "send:1", "sent:1:lose", "send:-1:lose", "send:1:loose", "send:1:lose,"]
)
def test_faults_at_places_are_checked(text: str):
    with pytest.raises(AddressError, match="expected DIRECTION:NUMBER:FAULT of send, receive, corrupt"):
        connect_bytes(f"fault+tcp://127.0.0.1:1?at={text}")
