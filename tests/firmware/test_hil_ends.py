"""A board in a robot whose emulator ends while it is compared: verify says so, as of any other board."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from tests.firmware.conftest import WORLD, two_wheels
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.wbfirmware.bench import BenchError
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.hil_run import _BoardLink

SAID = "the emulated board has ended: its emulator ended with signal 11 (SIGSEGV)"


class Ended:
    """An emulator that is gone."""

    def run(self, micros: int) -> bytes:
        """Tell that it has ended."""
        raise BenchError(SAID)

    def send(self, data: bytes) -> None:
        """Tell that it has ended."""
        raise BenchError(SAID)


@pytest.mark.parametrize("call", [_BoardLink.serve_one, lambda link: link._answer(b"answer")])
def test_an_emulator_that_has_ended_is_said(call: Any, tmp_path: Path):
    map_file = tmp_path / "hardware.toml"
    map_file.write_text(propose(two_wheels(), str(WORLD), "arduino-uno"))
    hardware = load_hardware(map_file, two_wheels())
    link = _BoardLink(cast("Any", Ended()), hardware, RecordingRobot())
    with pytest.raises(BenchError, match="signal 11"):
        call(link)
