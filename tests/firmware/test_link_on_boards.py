"""The session of the link's specification, byte by byte, with the real program on every emulated board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import boards, require_board
from tests.firmware.peer import hardware_text
from wbridge.hal.link import messages as m
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench, LockstepPipe, lockstep_pipe
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.flash.flash import build_name
from wbridge.wbfirmware.map.reading import load_hardware

VECTORS: dict[str, Any] = json.loads((CHECKOUT / "hal" / "link" / "vectors.json").read_text())
TABLE = DeviceTable.from_json(VECTORS["table"])
LINK = "real = 4\nmessage = 64\ntable = false"
ANSWER = 20
"""ms that an answer takes at most, at 115200 baud: 64 bytes there and back, and what is computed."""

START = 100
"""ms after which a board listens, also at a USB port that a computer has opened."""


def timeless(data: bytes | None) -> Any:
    """An answer but for the robot's clock, which each has of its own."""
    if data is None:
        return None
    message = m.decode(data)
    return message._replace(time=0) if isinstance(message, m.Reply) else message


@pytest.mark.parametrize("board", boards(host=True))
def test_a_board_answers_the_session_of_the_specification(tmp_path: Path, board: str):
    require_board(board)
    map_file = tmp_path / "hardware.toml"
    map_file.write_text(hardware_text(TABLE, board, LINK))
    built = build(load_hardware(map_file, TABLE), tmp_path / "firmware")
    slave = Slave(TABLE, RecordingRobot(), SlaveOptions(build_name(built), 4, 64, 64, shows_table=False))
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        assert isinstance(pipe.pipe, LockstepPipe)
        late = START  # ms by which the board has begun later than the specification
        pipe.pipe.pass_time(START / 1000)
        answers = 0
        for one in VECTORS["session"]:
            data = bytes.fromhex(one["data"])
            wait = one["now"] / 1000 + late / 1000 - clock.now
            if wait > 0:
                pipe.pipe.pass_time(wait)
            begin = clock.now
            pipe.send(data)
            answer = pipe.receive(ANSWER / 1000)
            late += max(0, round(1000 * (clock.now - begin)))
            assert timeless(answer) == timeless(slave.receive(data, one["now"])), one["why"]
            answers += answer is not None
        assert answers > len(VECTORS["session"]) // 2
