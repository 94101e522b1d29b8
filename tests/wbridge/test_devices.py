"""`wbridge devices`: the tables as text and as JSON."""

import json
from pathlib import Path

import pytest

from wbridge.hal.table import DeviceTable
from wbridge.main import main

WORLD = """#VRML_SIM R2023b utf8
WorldInfo {
}
Robot {
  children [
    DistanceSensor {
      name "front"
      lookupTable [ 0 1000 0, 0.1 0 0 ]
    }
    LED {
      name "status"
      color [ 1 0 0 ]
    }
  ]
  name "first"
}
Robot {
  name "second"
  model "Tin"
}
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A world with two robots in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.wbt").write_text(WORLD)
    return "two.wbt"


def test_each_robot_has_a_title_and_a_row_per_device(world: str, capsys: pytest.CaptureFixture[str]):
    assert main(["devices", world]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("first (Robot): 2 devices, table ")
    assert lines[1].split() == ["tag", "name", "type", "channels", "constants"]
    assert lines[2].split()[:6] == ["1", "front", "DistanceSensor", "sense", "value", "f64"]
    assert lines[-1].startswith("second (Robot, Tin): 0 devices, table ")


def test_columns_are_aligned_and_lines_not_longer_than_110_characters(world: str, capsys):
    main(["devices", world])
    _, header, *rows = capsys.readouterr().out.split("\n\n")[0].splitlines()
    starts = [header.index(title) for title in ("name", "type", "channels", "constants")]
    assert all(row[start - 1] == " " for row in rows for start in starts if len(row) > start)
    assert max(map(len, rows)) <= 110


def test_long_constants_are_told_by_their_size(world: str, capsys: pytest.CaptureFixture[str]):
    main(["devices", world])
    text = capsys.readouterr().out
    assert "lookupTable 2 rows" in text
    assert "color 1 row" in text


def test_one_robot_can_be_picked(world: str, capsys: pytest.CaptureFixture[str]):
    assert main(["devices", world, "--robot", "second"]) == 0
    assert capsys.readouterr().out.startswith("second (Robot, Tin)")


def test_a_wrong_robot_names_the_nearest(world: str, capsys: pytest.CaptureFixture[str]):
    assert main(["devices", world, "--robot", "secnd"]) == 2
    assert capsys.readouterr() == (
        "",
        "wbridge: no robot named 'secnd'; available: first, second; did you mean 'second'?\n",
    )


def test_json_is_the_table_itself(world: str, capsys: pytest.CaptureFixture[str]):
    assert main(["devices", world, "--json"]) == 0
    captured = capsys.readouterr()
    first, second = json.loads(captured.out)["robots"]
    table = DeviceTable.from_data(first["table"])
    assert (table.name, table.hash) == ("first", first["hash"])
    assert [device.name for device in table.devices] == ["front", "status"]
    assert second["name"] == "second"
    assert captured.err == ""


def test_a_world_without_robots_has_no_tables(world: str, capsys: pytest.CaptureFixture[str]):
    Path("none.wbt").write_text("#VRML_SIM R2023b utf8\nWorldInfo {\n}\n")
    assert main(["devices", "none.wbt"]) == 0
    assert capsys.readouterr() == ("", "none.wbt: this world has no robot\n")


def test_a_world_with_errors_has_no_tables_and_says_why(world: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.wbt").write_text(WORLD.replace('"second"', "2"))
    assert main(["devices", "bad.wbt"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "bad.wbt:18:8: error: " in captured.err
    assert captured.err.endswith("all findings: wbridge check bad.wbt\n")


def test_stand_ins_for_missing_models_are_told(world: str, capsys: pytest.CaptureFixture[str]):
    Path("lacking.wbt").write_text(WORLD + "NobodyHasThisModel {\n}\n")
    assert main(["devices", "lacking.wbt", "--allow-missing"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("first (Robot)")
    assert "NobodyHasThisModel" in captured.err


def test_a_motor_s_channels_stand_below_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "motor.wbt"
    motor = "HingeJoint {\n device [\n RotationalMotor {\n}\n ]\n}\n"
    path.write_text(f"#VRML_SIM R2023b utf8\nRobot {{\n children [\n {motor} ]\n}}\n")
    assert main(["devices", str(path)]) == 0
    text = capsys.readouterr().out
    assert text.count("act   ") >= 3
    assert "controlPID f64[3]" in text
    assert "controlPID [10 0 0]" in text
