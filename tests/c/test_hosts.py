"""The C library in a program that contains it, as an interpreter would.

Connections by function calls, several robots in one process, ends that return, and waits that a signal
interrupts. The judges are the packets of wbridge.hal.protocol.loopback and the rules in report.h and
connection.h.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import threading
from pathlib import Path

from tests.c.calling import _listen, _packet, converse
from tests.c.sanitizing import link
from wbridge.hal.protocol.loopback import Loopback, Peer

MOST_SIGNALS = 30
HERE = Path(__file__).parent
NAN = "wb_motor_set_velocity() called with an invalid 'velocity' argument (NaN)."


def robot(name: str, value: float) -> Loopback:
    """A robot with a motor and a sensor, which measures the same value in each step."""
    sensor = Peer("DistanceSensor", "sensor", {})
    made = Loopback([Peer("RotationalMotor", "motor", {}), sensor], name=name)
    made.before_answer = lambda _loop: sensor.send("value", value)
    return made


def test_two_robots_of_one_process_do_not_mix(sanitized: list[str], tmp_path: Path):
    program = link(sanitized, HERE / "several.c", tmp_path)
    worlds = [robot("first", 0.25), robot("second", 0.5)]
    pairs = [socket.socketpair() for _ in worlds]
    theirs = [there for _, there in pairs]
    process = subprocess.Popen(
        [program, *(str(one.fileno()) for one in theirs)],
        pass_fds=[one.fileno() for one in theirs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    packets: list[list[bytes]] = [[], []]
    serving = [
        threading.Thread(target=converse, args=(here, world, sent))
        for (here, _), world, sent in zip(pairs, worlds, packets, strict=True)
    ]
    for thread in serving:
        thread.start()
    for one in theirs:
        one.close()
    output, errors = process.communicate(timeout=60)
    for thread, (here, _) in zip(serving, pairs, strict=True):
        thread.join(10)
        here.close()
    assert (process.returncode, errors) == (0, "")
    first = f"first: Error: {NAN}"
    assert output.splitlines() == [
        first,
        f"second: Error: {NAN}",
        *["second 0"] * 3,
        "second 0.5 0.048",
        "first 0",
        "first 0.25 0.032",
        "second: Lost the simulator: it does not read",
        "-1 1",
        "-1 0",
        # Ten times a message is printed: the one of the other robot does not count.
        *[first] * 8,
        f"{first} This message is not repeated.",
        "first 0",
    ]
    assert [len(one) for one in packets] == [5, 4]
    assert worlds[0].closed and not worlds[1].closed


def test_a_signal_interrupts_a_wait_for_the_simulator(sanitized: list[str], tmp_path: Path):
    """The simulator receives the request for a step and never answers it."""
    program = link(sanitized, HERE / "interrupted.c", tmp_path)
    listener, place = _listen(tmp_path, False)
    with listener:
        process = subprocess.Popen(
            [program], env=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        connection, _ = listener.accept()
        with connection:
            world = robot("robot", 0.0)
            world.send(_packet(connection))
            answer = world.answer()
            connection.sendall((len(answer.data) + 8).to_bytes(4, "little") + bytes(4) + answer.data)
            assert _packet(connection) != b""
            for _ in range(MOST_SIGNALS):  # the first may come before the program begins to wait
                process.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(1)
                    break
            process.kill()
            output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert output.splitlines() == ["waits", "-1", "end 0", "-1"]
