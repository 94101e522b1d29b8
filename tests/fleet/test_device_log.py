"""Logs of robots are MCAP files: judged by the format's own reader, and read again by wbridge."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

pytest.importorskip("mcap")
from mcap.reader import make_reader

from tests.fleet.swing import swing
from tests.hal.link.conftest import make_table
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbcore.recordings.device_log import DeviceLog
from wbridge.wbcore.recordings.device_log_reader import LogError, Step, read_log
from wbridge.wbcore.remote.real_step import RealStep

STEPS = [
    Step(0.016, RealStep(16.0, [(2, "wb_distance_sensor_enable", 16)], [(1, "position", math.inf)], [])),
    Step(0.032, RealStep(16.0, [], [(1, "velocity", 0.5)], [(2, "value", 1000.0)])),
    Step(0.05, RealStep(18.0, [], [], [(2, "value", math.nan)], True)),
]


@pytest.fixture
def table() -> DeviceTable:
    return make_table(("drive", "LinearMotor"), ("eye", "DistanceSensor"), name="swing")


def write(path: Path, table: DeviceTable, steps: list[Step]) -> None:
    log = DeviceLog(path, Path("worlds/swing.wbt"), 8.0, [table])
    log.add_model(table)
    eye = Numbering(table).channel(2, "value")
    assert eye is not None
    for time, said in steps:
        log.add_step("swing", time, said, [(eye, 5.0)])
    log.close()
    assert log.problem == ""


def test_what_is_written_is_read(tmp_path: Path, table: DeviceTable) -> None:
    path = tmp_path / "a.mcap"
    write(path, table, STEPS)
    found = read_log(path)["swing"]
    assert found.table == table and found.step_ms == 8.0
    assert found.world == Path("worlds/swing.wbt").absolute()
    assert repr(found.steps) == repr(STEPS)  # NaN differs from itself
    assert found.duration_s == pytest.approx(0.05)


def test_other_tools_find_topics_schemas_and_times(tmp_path: Path, table: DeviceTable) -> None:
    path = tmp_path / "a.mcap"
    write(path, table, STEPS)
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None
        topics = {one.topic for one in summary.channels.values()}
        assert topics == {
            f"/{robot}{end}" for robot in ("swing", "model swing") for end in ("", "/drive", "/eye")
        }
        schemas = {one.name: json.loads(one.data) for one in summary.schemas.values()}
        assert {one.encoding for one in summary.schemas.values()} == {"jsonschema"}
        assert schemas["/swing/eye"]["properties"]["value"]["type"] == "number"
        eye = [
            (message.log_time, json.loads(message.data))
            for _, _, message in reader.iter_messages("/swing/eye")
        ]
        assert eye == [(32_000_000, {"value": 1000.0}), (50_000_000, {"value": "NaN"})]
        assert [one.name for one in reader.iter_attachments()] == ["swing"]


def test_a_log_whose_process_was_killed_is_read(tmp_path: Path, table: DeviceTable) -> None:
    whole, cut = tmp_path / "a.mcap", tmp_path / "b.mcap"
    write(whole, table, [STEPS[1]._replace(time=i / 100) for i in range(3000)])
    data = whole.read_bytes()
    expected = read_log(whole)["swing"].steps
    for end in range(len(data) // 2, len(data) // 2 + 24, 3):
        cut.write_bytes(data[:end])
        steps = read_log(cut)["swing"].steps
        assert 500 < len(steps) < 3000
        assert steps[:-1] == expected[: len(steps) - 1]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a recording of robots"),
        (b"time,x\n1,2\n" * 100, "a.mcap is not an MCAP recording"),
        (b"\x89MCAP0\r\n" + b"\xff" * 100, "a.mcap is damaged: "),
        (b"\x89MCAP0\r\n\x01" + b"\0" * 8 + b"\x0c\x04" + b"\0" * 7 + b"abcd", "not a recording of robots"),
    ],
)
def test_other_files_are_refused(
    tmp_path: Path, data: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mcap"
    path.write_bytes(data)
    with pytest.raises(LogError, match=words):
        read_log(path)
    assert main(["compare", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_damage_is_an_error_of_the_file(tmp_path: Path, table: DeviceTable) -> None:
    """Whatever byte changes, reading ends with steps or with a LogError."""
    path = tmp_path / "a.mcap"
    write(path, table, STEPS)
    data = bytearray(path.read_bytes())
    for at in range(8, len(data), 97):
        damaged = bytearray(data)
        damaged[at] ^= 0xFF
        path.write_bytes(damaged)
        try:
            read_log(path)
        except LogError:
            continue


def test_a_run_is_recorded(tmp_path: Path) -> None:
    world = swing(tmp_path)
    path = tmp_path / "run.mcap"
    assert main(["run", str(world), "--duration", "0.5", "--inline", "--quiet", "--record", str(path)]) == 0
    steps = read_log(path)["swing"].steps
    assert steps[-1].time == pytest.approx(0.496)
    enabled = [one for _, said in steps for one in said.periods]
    assert enabled[0] == (2, "wb_position_sensor_enable", 16) and len(enabled) == 3
    assert [one for _, said in steps for one in said.commands] == [
        (1, "position", math.inf),
        (1, "velocity", 0.7),
    ]
    eye = [value for _, said in steps for tag, _, value in said.readings if tag == 4]
    assert len(eye) == 31 and all(900 > one > 300 for one in eye)


def test_without_controllers_there_is_nothing_to_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.mcap"
    assert main(["run", str(swing(tmp_path)), "--no-controllers", "--record", str(path)]) == 2
    assert "without controllers no device does anything" in capsys.readouterr().err
