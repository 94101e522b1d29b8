"""Emitters and receivers of a controller on a board: over its second serial line, and over the robot link."""

from __future__ import annotations

import random
import struct
import zlib
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_packets import MAP, frame, table
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.values import Packet
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.hil import slave_options
from wbridge.wbfirmware.map.reading import load_hardware

CODE = """#include <stdio.h>
#include <string.h>
#include <webots/emitter.h>
#include <webots/receiver.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  WbDeviceTag mouth = wb_robot_get_device("mouth"), ear = wb_robot_get_device("ear");
  char large[400] = {0};
  wb_receiver_enable(ear, 16);
  wb_emitter_send(mouth, "hello", 5);
  wb_emitter_set_channel(mouth, 7);
  printf("%d %d\\n", wb_emitter_send(mouth, large, 400), wb_emitter_send(mouth, "all", 3));
  printf("%d %d\\n", wb_receiver_get_queue_length(ear), wb_receiver_get_data_size(ear));
  while (wb_robot_step(16) != -1)
    while (wb_receiver_get_queue_length(ear) > 0) {
      const double *way = wb_receiver_get_emitter_direction(ear);
      const char *data = wb_receiver_get_data(ear);
      const int size = wb_receiver_get_data_size(ear);
      printf("%d %c%c %g %g\\n", size, data[0], data[size - 1], wb_receiver_get_signal_strength(ear), way[0]);
      if (data[0] == 'e') wb_receiver_set_channel(ear, -1);
      wb_emitter_send(mouth, data, size);
      wb_receiver_next_packet(ear);
    }
}
"""


EAR = next(one for one in Numbering(table()).channels if one.label == "ear.packets")
SANITIZED = ["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def compiled(folder: Path, flavor: str, *flags: str) -> Built:
    require_board("host")
    (folder / "talk.c").write_text(CODE)
    words = f'board = "host"\nflavor = "{flavor}"\ncontroller = "talk.c"\n[link]\nmessage = 256'
    (folder / "hardware.toml").write_text(MAP.replace('board = "host"', words))
    hardware = load_hardware(folder / "hardware.toml", table())
    compiler = hardware.board.compiler
    compiler = compiler._replace(flags=[*compiler.flags, *flags])
    return build(hardware._replace(board=hardware.board._replace(compiler=compiler)), folder / "firmware")


def test_over_the_second_serial_line(tmp_path: Path):
    """Packets leave with the channel of their time, and come in with the next step; each is sent back."""
    built = compiled(tmp_path, "standalone")
    with Bench(built.board, built.program, lockstep=True) as bench:
        assert bench.run(20_000).decode().splitlines() == [
            "wbridge: packet not sent: empty, too large or queue full",
            "0 1",
            "0 -1",
        ]
        assert bench.taken() == frame(3, b"hello") + frame(7, b"all")
        bench.give(frame(3, b"one") + frame(9, b"not for it") + frame(-1, b"end"))
        assert bench.run(64_000).decode().splitlines() == ["3 oe 1 0", "3 ed 1 0"]
        assert bench.taken() == frame(7, b"one") + frame(7, b"end")
        bench.give(frame(9, b"now"))
        assert bench.run(64_000).decode().splitlines() == ["3 nw 1 0"]


def test_over_the_robot_link(tmp_path: Path):
    """Each packet is said once, in the order of sending; more than a message holds goes in parts."""
    built = compiled(tmp_path, "hil")
    hardware = load_hardware(tmp_path / "hardware.toml", table())
    robot = RecordingRobot()
    slave = Slave(table(), robot, slave_options(hardware))
    many = [Packet(3, bytes([65 + k]) * 60, 0.25, (1.0, 0.0, 0.0)) for k in range(4)]
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        for k in range(30):
            data = pipe.receive(1.0)
            assert data is not None
            if k == 3:
                robot.waiting = [(EAR, [one]) for one in many]
            answer = slave.receive(data, 1000 * clock())
            if answer is not None:
                pipe.send(answer)
    said = [value for label, value in robot.commands if label == "mouth.packets"]
    packets = [packet for value in said for packet in value]
    first, second, *others = [(one.channel, one.data) for one in packets]
    assert (first, second) == ((3, b"hello"), (7, b"all"))
    assert others == [(7, one.data) for one in many]


def test_why_there_is_no_emitter(tmp_path: Path):
    """A robot whose emitter has no driver."""
    from wbridge.libcontroller.compiling import BuildError

    (tmp_path / "talk.c").write_text(CODE)
    words = 'board = "host"\nflavor = "hil"\ncontroller = "talk.c"'
    text = MAP.replace('board = "host"', words).replace(
        'driver = "serial_emitter"\ntx = "D31"', 'driver = "none"'
    )
    (tmp_path / "hardware.toml").write_text(text)
    hardware = load_hardware(tmp_path / "hardware.toml", table())
    with pytest.raises(
        BuildError, match="wb_emitter_send: hardware.toml has no driver for the Emitter mouth"
    ):
        build(hardware, tmp_path / "firmware")


def test_a_robot_that_says_nonsense_does_no_harm(tmp_path: Path):
    """Replies with a right check and entries of any bytes; the program looks at each of its accesses."""
    built = compiled(tmp_path, "hil", *SANITIZED)
    hardware = load_hardware(tmp_path / "hardware.toml", table())
    robot = RecordingRobot()
    slave = Slave(table(), robot, slave_options(hardware))
    chance = random.Random(5)
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        for _ in range(600):
            data = pipe.receive(3.0)
            assert data is not None and bench.running
            robot.waiting = [(EAR, [Packet(3, bytes(chance.randrange(30)))])]
            answer = slave.receive(data, 1000 * clock())
            if answer is not None and answer[0] == REPLY and chance.random() < 0.9:
                answer = nonsense(answer, chance)
            if answer is not None:
                pipe.send(answer)
        steps = robot.now
        assert steps > 16 * 200
        for _ in range(3):
            answer = slave.receive(pipe.receive(3.0) or b"", 1000 * clock())
            assert answer is not None
            pipe.send(answer)
        assert robot.now > steps


REPLY, REPLY_HEAD = 5, 12


def nonsense(reply: bytes, chance: random.Random) -> bytes:
    """A reply with other entries, and the check that belongs to it."""
    body = bytearray(reply[:-4])
    if chance.random() < 0.5:
        body = body[:REPLY_HEAD] + bytes(
            chance.choice([0, 1, 3, 255, 7]) for _ in range(chance.randrange(60))
        )
    for _ in range(chance.randrange(4)):
        if len(body) > REPLY_HEAD:
            body[chance.randrange(REPLY_HEAD, len(body))] = chance.choice([0, 1, 4, 127, 128, 255])
    if chance.random() < 0.2:
        huge = struct.pack("<HI", EAR.number, 0xFFFFFFFF - chance.randrange(8))
        body = body[:REPLY_HEAD] + huge + bytes(chance.randrange(60))
    if chance.random() < 0.2:
        body = body[: chance.randrange(REPLY_HEAD - 4, len(body) + 1)]
    return bytes(body) + struct.pack("<I", zlib.crc32(body))
