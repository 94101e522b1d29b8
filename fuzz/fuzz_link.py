"""Fuzz the robot's end of the robot link: no input may cause a wrong command.

Run by `python -m fuzz.fuzz_link --seconds 60 --seed 1`; equal seeds generate equal bytes.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from fuzz.case import Case, InvariantError
from fuzz.main import main
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.framing import CobsDecoder, LengthDecoder, frame_cobs
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable

__all__ = ["LinkTarget"]

CHANNELS = (
    *(Channel("velocity", "act", "f64", (), ""), Channel("gains", "act", "f64", (3,), "")),
    *(Channel("packets", "act", "packets", ("*",), ""), Channel("text", "act", "text", (), "")),
    *(Channel("value", "sense", "f64", (), "wb_enable"), Channel("on", "act", "bool", (), "")),
    *(Channel("drawing", "act", "commands", ("*",), ""), Channel("seen", "act", "objects", ("*",), "")),
)
TABLE = DeviceTable(
    DeviceEntry(0, "rover", "Robot", "", {}, ()),
    (DeviceEntry(1, "thing", "RotationalMotor", "", {}, CHANNELS),),
)
NUMBERING = Numbering(TABLE)
VELOCITY = NUMBERING.channels[0]
SESSION, CLIENT, WATCHDOG = 77, 99, 500
REQUESTS = 20
ALLOWED = [round(0.25 * k, 2) for k in range(REQUESTS)]
"""The velocities that the real controller commands, in order."""


def frames() -> list[bytes]:
    """The frames of the real controller."""
    hello = m.Hello(m.VERSION, SESSION, CLIENT, WATCHDOG, NUMBERING.hash, "fuzz")
    requests = [
        m.Request(m.ENABLE, SESSION, k + 1, 8, WATCHDOG, m.encode_sample(VELOCITY, speed, 4))
        for k, speed in enumerate(ALLOWED)
    ]
    return [frame_cobs(m.encode(one)) for one in (hello, *requests)]


def forged(rng: random.Random) -> bytes:
    """A frame with valid checksums but an unknown session or invalid content."""
    body = bytes([rng.randrange(9)]) + rng.randbytes(rng.randrange(60))
    if rng.random() < 0.5:
        # An entry that exceeds the message, in the current session.
        start = m.encode(m.Request(m.ENABLE, SESSION, rng.randrange(1, REQUESTS), 8, WATCHDOG))[:-4]
        body = start + bytes([rng.randrange(8), 0]) + b"\xff" * 4 + rng.randbytes(rng.randrange(40))
    return frame_cobs(body + m.CHECK.pack(m.zlib.crc32(body)))


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Flip, delete, repeat or replace some bytes."""
    out = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        if not out:
            break
        at = rng.randrange(len(out))
        piece = [b"", bytes(out[at : at + 1]) * 2, rng.randbytes(3), b"\0", bytes([out[at] ^ 1 << at % 8])]
        out[at : at + 1] = rng.choice(piece)
    return bytes(out)


class LinkTarget:
    """The bytes of one session over a noisy wire with forged frames."""

    name = "link"

    def make(self, random: random.Random) -> Case:
        """The real frames, some damaged, lost or repeated, mixed with forged ones."""
        stream = bytearray()
        for frame in frames():
            while random.random() < 0.4:
                stream += random.choice([forged(random), damaged(random, frame), random.randbytes(9), frame])
            stream += frame if random.random() < 0.8 else b""
        return Case({"wire.bin": bytes(stream)}, main="wire.bin")

    def run(self, main: Path) -> None:
        """Feed the bytes to the robot in chunks."""
        stream = main.read_bytes()
        robot = RecordingRobot()
        slave = Slave(TABLE, robot, SlaveOptions("fuzz", 4, 128, 128))
        decoder, now = CobsDecoder(128), 0.0
        for at in range(0, len(stream), 7):
            for message in decoder.feed(stream[at : at + 7]):
                now += 1.0
                answer = slave.receive(message, now)
                if answer is not None:
                    m.decode(answer)
        check(robot)
        try:
            LengthDecoder(128).feed(stream)
        except MessageError:
            return

    def calls(self, case: Case) -> int:
        """A constant; cases are small."""
        return 100_000


def check(robot: RecordingRobot) -> None:
    """Check that the robot executed only commands of the real controller, in order and at most once.

    Raises:
        InvariantError: it did not.
    """
    speeds = [value for label, value in robot.commands if label == VELOCITY.label]
    others = [one for one in robot.commands if one[0] != VELOCITY.label]
    known = [one for one in speeds if one in ALLOWED]
    if others or known != speeds or sorted(set(speeds)) != speeds:
        raise InvariantError(f"the robot executed {robot.commands}")


if __name__ == "__main__":
    sys.exit(main([LinkTarget()]))
