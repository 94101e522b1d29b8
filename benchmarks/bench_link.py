"""Robot link: time of a step over real wires, relative to an echo of equal size.

Steps of a robot with ten devices over networks are compared with those over a serial line, in alternation.

An echo takes 15 to 100 us, depending on scheduling and processor sleep states. So each step is compared with
the preceding echo, to a peer on the same processor.
"""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path

from benchmarks.case import Case, Reading, Unavailable, compare, of_turns
from benchmarks.link_peer import MANY, ROBOTS, TABLE
from benchmarks.processors import processor
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import FramedPipe, Pipe, VirtualClock
from wbridge.hal.link.transports import connect
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.bench import Bench, LockstepPipe
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

WORLD = Path(__file__).parents[1] / "worlds" / "two_wheels.wbt"
STEPS = 1000
WARM = 100
PATIENCE = 10.0
BYTES = 60
"""About the frame size of a measured step."""
WIRES = ("pty", "tcp", "mqtt")
HERE, PEERS = 0, 1
"""Processor numbers, modulo the number of processors."""
RATE, FLEET_STEPS = 20, 100
USB_BOARDS = {"pico": 0.35, "arduino-leonardo": 2.0}
"""Limits of steps on the clocks of boards."""
FRAME_US = 1000
"""Of a USB port at full speed."""
SLICE_US, BOARD_STEPS, BOARD_S = 20, 40, 1.0
"""How exactly a board's clock is read; steps of a measurement; time (s) for an answer on this clock."""
LATE, LATEST = 0.9, 0.99
NETWORKS = {"tcp": 1.1, "mqtt": 2.0}
"""Limits of steps over networks, relative to those over a serial line: a broker takes each message twice."""
SERIAL = "pty"


def cases() -> list[Case]:
    """The measurements of this file."""
    steps = []
    for wire in WIRES:
        steps += [
            Case(f"step over {wire}, median", partial(median_step, wire), 5, "us", f"echo over {wire}"),
            Case(
                f"step over {wire}, 90th percentile", partial(late_step, wire), 5, "us", f"echo over {wire}"
            ),
        ]
    on_boards = [
        Case(
            f"step over usb, {board}, on its clock",
            partial(board_step, board),
            limit,
            "us",
            "a frame of USB",
        )
        for board, limit in USB_BOARDS.items()
    ]
    for wire, limit in NETWORKS.items():
        name = f"step of ten devices over {wire}"
        steps += [
            Case(f"{name}, median", partial(against_serial, wire, 0.5), limit, "us", "over a serial line"),
            Case(
                f"{name}, 99th percentile",
                partial(against_serial, wire, LATEST),
                limit,
                "us",
                "over a serial line",
            ),
        ]
    return [
        *steps,
        *on_boards,
        Case("steps lost by 50 robots at 20 Hz on one broker", lost_steps, 0, "steps", "all steps"),
        Case("round of 50 robots, median", fleet_round, 2.2, "ms", "50 echoes over mqtt"),
    ]


def board_step(board: str) -> Reading:
    """Median time of a step with an emulated board over its USB port, in us of the board's clock, which does
    not depend on this computer."""
    table = device_tables(load_world(WORLD))[0]
    with tempfile.TemporaryDirectory() as folder:
        map_file = Path(folder) / "hardware.toml"
        map_file.write_text(propose(table, str(WORLD), board))
        firmware = build(load_hardware(map_file, table), Path(folder) / "firmware")
        with Bench(firmware.board, firmware.program, lockstep=True) as bench:
            clock = VirtualClock()
            pipe = FramedPipe(_FinePipe(bench, clock), "cobs", clock)
            master = Master(table, lambda: pipe, clock=clock, sleep=lambda seconds: None)
            master.connect(BOARD_S)
            return compare(statistics.median(_board_steps(master, clock)), FRAME_US)


def _board_steps(master: Master, clock: VirtualClock) -> Iterator[float]:
    """Durations in us."""
    velocity = master.numbering.channel(1, "velocity")
    assert velocity is not None
    for k in range(BOARD_STEPS):
        master.set(velocity, 1.0 + k)
        start = clock.now
        assert master.step(8, BOARD_S) is not None
        yield 1e6 * (clock.now - start)


class _FinePipe(LockstepPipe):
    """A wire that reads the clock often."""

    slice_us = SLICE_US


@contextmanager
def broker() -> Iterator[int]:
    """Run an MQTT broker; yields its port."""
    program = shutil.which("mosquitto")
    if program is None:
        raise Unavailable("mosquitto is not installed")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        process = subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL)
        try:
            _wait_for(port)
            yield port
        finally:
            process.kill()
            process.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


@contextmanager
def peer(mode: str, url: str) -> Iterator[str]:
    """Run a peer in another process; yields its URL."""
    command = [sys.executable, "-m", "benchmarks.link_peer", mode, url]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


@contextmanager
def wire_url(wire: str) -> Iterator[str]:
    """The URL for a peer to listen on."""
    if wire == "mqtt":
        with broker() as port:
            yield f"mqtt://127.0.0.1:{port}/bench/rover"
    else:
        yield {"pty": "pty://", "tcp": "tcp://127.0.0.1"}[wire]


def times_of(*works: Callable[[], object]) -> list[list[float]]:
    """Durations in us of many alternating calls of functions."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(WARM + STEPS):
        for work, times in zip(works, found, strict=True):
            start = time.perf_counter()
            work()
            times.append(1e6 * (time.perf_counter() - start))
    return [times[WARM:] for times in found]


def echo(pipe: Pipe) -> None:
    """Send bytes and wait until they come back."""
    pipe.send(b"x" * BYTES)
    left = BYTES
    while left > 0:
        data = pipe.receive(PATIENCE)
        assert data is not None
        left -= len(data)


def stepper(master: Master) -> Callable[[], None]:
    """A function that makes a step with two commands, and samples of all sensors."""
    left, right = master.numbering.channel(1, "velocity"), master.numbering.channel(2, "velocity")
    assert left is not None
    assert right is not None
    for slot in master.numbering.slots:
        master.set_period(slot, 8)
    speed, samples = 0.0, len(master.numbering.slots)

    def step() -> None:
        nonlocal speed
        speed += 0.125
        master.set(left, speed)
        master.set(right, -speed)
        found = master.step(8, PATIENCE)
        assert found is not None
        assert len(found.values) == samples

    return step


@cache
def measured(wire: str) -> tuple[list[float], list[float]]:
    """Times of echoes and of the following steps over a wire, in us."""
    with ExitStack() as stack:
        with processor(PEERS):
            bare = stack.enter_context(peer("echo", stack.enter_context(wire_url(wire))))
            robot = stack.enter_context(peer("robot", stack.enter_context(wire_url(wire))))
        stack.enter_context(processor(HERE))
        pipe = connect(bare)
        master = Master(TABLE, partial(connect, robot), watchdog=5000)
        master.connect(PATIENCE)
        echoes, steps = times_of(partial(echo, getattr(pipe, "pipe", pipe)), stepper(master))
        master.leave(1.0)
        pipe.close()
    return echoes, steps


@cache
def of_ten_devices() -> dict[str, list[float]]:
    """Sorted times of steps over all wires, in us, measured in alternation."""
    steps = []
    with ExitStack() as stack:
        for wire in WIRES:
            with processor(PEERS):
                robot = stack.enter_context(peer("many", stack.enter_context(wire_url(wire))))
            master = Master(MANY, partial(connect, robot), watchdog=5000)
            master.connect(PATIENCE)
            stack.callback(master.leave, 1.0)
            steps.append(stepper(master))
        stack.enter_context(processor(HERE))
        return dict(zip(WIRES, map(sorted, times_of(*steps)), strict=True))


def against_serial(wire: str, part: float) -> Reading:
    """Microseconds of a step over a network and over a serial line that this part of the steps do not
    exceed."""
    own, serial = (of_ten_devices()[name] for name in (wire, SERIAL))
    return compare(own[int(part * len(own))], serial[int(part * len(serial))])


def median_step(wire: str) -> Reading:
    """Microseconds of a step and of an echo, the medians."""
    echoes, steps = measured(wire)
    return of_turns(zip(steps, echoes, strict=True))


def late_step(wire: str) -> Reading:
    """Microseconds of a step and of an echo that 90 % do not exceed."""
    late_echo, late = (sorted(times)[int(LATE * len(times))] for times in measured(wire))
    return compare(late, late_echo)


def lost_steps() -> Reading:
    """Number of lost steps of many robots, and of all their steps."""
    return compare(fleet()[0], ROBOTS * FLEET_STEPS)


def fleet_round() -> Reading:
    """Milliseconds of a step of each of many robots, and of as many echoes."""
    return compare(fleet()[1], ROBOTS * statistics.median(measured("mqtt")[0]) / 1000)


@cache
def fleet() -> tuple[int, float]:
    """Drive 50 robots over one broker; returns the number of lost steps and the median of a round in ms."""
    with broker() as port, peer("fleet", f"mqtt://127.0.0.1:{port}/fleet") as url:
        masters = [Master(TABLE, partial(connect, f"{url}/{k}"), watchdog=5000) for k in range(ROBOTS)]
        for master in masters:
            master.connect(PATIENCE)
        lost, rounds, due = 0, [], time.monotonic()
        for _ in range(FLEET_STEPS):
            start, due = time.monotonic(), due + 1 / RATE
            for master in masters:
                master.begin(1000 // RATE)
            lost += sum(master.end(PATIENCE) is None for master in masters)
            rounds.append(1000 * (time.monotonic() - start))
            time.sleep(max(due - time.monotonic(), 0.0))
        for master in masters:
            master.leave(1.0)
    return lost, statistics.median(rounds)
