"""The robot link: time of a step over real wires, against an echo of as many bytes over the bare wire."""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from benchmarks.case import Case, Unavailable
from benchmarks.link_peer import ROBOTS, TABLE
from hal.link.master import Master
from hal.link.pipe import Pipe
from hal.link.transports import connect

STEPS = 1000
WARM = 100
PATIENCE = 10.0
ALLOWED = 100e-6
"""Seconds that a step may take beyond 1.5 echoes."""
BYTES = 60
"""About the size of a frame of the step that is measured."""
WIRES = ("pty", "tcp", "mqtt")
RATE, FLEET_STEPS = 20, 100


def cases() -> list[Case]:
    """The measurements of this file."""
    found = []
    for wire in WIRES:
        found += [
            Case(f"step over {wire}, without 100 us", partial(ratio, wire), 1.5, "x bare echo"),
            Case(f"step over {wire}, median", partial(in_us, wire, 0.5), 1000, "us"),
            Case(f"step over {wire}, 99th percentile", partial(in_us, wire, 0.99), 5000, "us"),
        ]
    return [*found, Case("steps lost by 50 robots at 20 Hz on one broker", fleet, 0, "steps")]


@contextmanager
def broker() -> Iterator[int]:
    """The port of a broker."""
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
    """The URL at which the other end serves, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.link_peer", mode, url]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


@contextmanager
def wire_url(wire: str) -> Iterator[str]:
    """The URL at which a peer shall serve."""
    if wire == "mqtt":
        with broker() as port:
            yield f"mqtt://127.0.0.1:{port}/bench/rover"
    else:
        yield {"pty": "pty://", "tcp": "tcp://127.0.0.1"}[wire]


def times_of(work: Callable[[], object]) -> list[float]:
    """How long each of many calls takes, in s, in ascending order."""
    for _ in range(WARM):
        work()
    found = []
    for _ in range(STEPS):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return sorted(found)


def echo(pipe: Pipe) -> None:
    """Some bytes there and back."""
    pipe.send(b"x" * BYTES)
    left = BYTES
    while left > 0:
        data = pipe.receive(PATIENCE)
        assert data is not None
        left -= len(data)


def stepper(master: Master) -> Callable[[], None]:
    """A step with two commands and two samples."""
    left, right = master.numbering.channel(1, "velocity"), master.numbering.channel(2, "velocity")
    assert left is not None
    assert right is not None
    for slot in master.numbering.slots:
        master.set_period(slot, 8)
    speed = 0.0

    def step() -> None:
        nonlocal speed
        speed += 0.125
        master.set(left, speed)
        master.set(right, -speed)
        found = master.step(8, PATIENCE)
        assert found is not None
        assert len(found.values) == 2

    return step


@cache
def measured(wire: str) -> tuple[list[float], list[float]]:
    """Times of echoes and of steps over a wire, in s, in ascending order."""
    with wire_url(wire) as url:
        with peer("echo", url) as where:
            pipe = connect(where)
            echoes = times_of(partial(echo, getattr(pipe, "pipe", pipe)))
            pipe.close()
        with peer("robot", url) as where:
            master = Master(TABLE, partial(connect, where), watchdog=5000)
            master.connect(PATIENCE)
            steps = times_of(stepper(master))
            master.leave(1.0)
    return echoes, steps


def ratio(wire: str) -> float:
    """Median of a step without 100 us, in medians of an echo."""
    echoes, steps = measured(wire)
    return (statistics.median(steps) - ALLOWED) / statistics.median(echoes)


def in_us(wire: str, part: float) -> float:
    """A quantile of the time of a step, in us."""
    steps = measured(wire)[1]
    return 1e6 * steps[int(part * len(steps))]


def fleet() -> float:
    """How many steps have no answer within their period when one program drives 50 robots over one broker."""
    with broker() as port, peer("fleet", f"mqtt://127.0.0.1:{port}/fleet") as url:
        masters = [Master(TABLE, partial(connect, f"{url}/{k}"), watchdog=5000) for k in range(ROBOTS)]
        for master in masters:
            master.connect(PATIENCE)
        lost, due = 0, time.monotonic()
        for _ in range(FLEET_STEPS):
            due += 1 / RATE
            lost += sum(master.step(1000 // RATE, 1 / RATE) is None for master in masters)
            late = time.monotonic() - due
            if late > 0:
                due += late  # counted, as the others' periods have passed meanwhile
                lost += 1
            time.sleep(max(due - time.monotonic(), 0.0))
        for master in masters:
            master.leave(1.0)
    return lost
