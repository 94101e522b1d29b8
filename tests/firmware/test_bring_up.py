"""`wbridge firmware test` at an emulated board: wrong signs and calibrations are found and written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.bring_up import FULL_SPEED, Terminal, Wheel
from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.drivers import drivers
from wbridge.wbfirmware.bringup.map_editing import EditError, changed
from wbridge.wbfirmware.bringup.routines import routine_names
from wbridge.wbfirmware.bringup.session import as_slave, build_of
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import read_toml

MAP = f"""# My robot: do not lose this comment.
format = 1
world = "{WORLD}"
robot = "two wheels"
board = "arduino-uno"
flavor = "slave"

[devices."left wheel motor"]
driver = "hbridge"
pwm      = "D3"   # green wire
forward  = "D2"   # white wire
backward = "D4"
full_speed = 16.0

[devices."left wheel sensor"]
driver = "quadrature_encoder"
a = "D9"
b = "D10"
counts = 48.0

[devices."right wheel motor"]
driver = "none"
[devices."right wheel sensor"]
driver = "none"

[devices.front]   # on the bumper
driver = "analog_distance"
pin = "A0"
curve = [
  [0.5, 0.8],     # far
  [4.5, 0.1],     # near
]

[devices.status]
driver = "gpio_led"
pin = "D13"
# the end
"""
PINS = {"pwm": "D3", "in1": "D2", "in2": "D4", "a": "D9", "b": "D10"}
ENTER = r"Enter.*then press Enter|press Enter"


def volts(distance: float) -> float:
    """What the sensor really gives."""
    return 4.0 - 4.0 * distance


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The firmware of the map for an emulated Uno."""
    require_board("arduino-uno")
    folder = tmp_path_factory.mktemp("bring_up")
    return build(_load(folder), folder / "firmware")


def _load(folder: Path) -> Hardware:
    (folder / "hardware.toml").write_text(MAP)
    return load_hardware(folder / "hardware.toml", two_wheels())


@pytest.fixture
def board(firmware: Built) -> Iterator[Bench]:
    """The board, running in real time."""
    with Bench(firmware.board, firmware.program) as bench:
        for pin in ("D9", "D10"):
            bench.drive(pin, 0)
        bench.drive("A0", volts(0.5))
        yield bench


def _terminal(board: Bench, folder: Path, *more: str) -> Terminal:
    (folder / "hardware.toml").exists() or (folder / "hardware.toml").write_text(MAP)
    return Terminal("firmware", "test", "hardware.toml", "--url", board.url, *more, cwd=folder)


@pytest.mark.boards
@pytest.mark.parametrize("exchanged", [False, True], ids=["", "and-its-encoder"])
def test_a_reversed_motor_and_a_wrong_curve_are_found_and_written(
    board: Bench, tmp_path: Path, exchanged: bool
):
    """`exchanged`: the tracks of the encoder are, too, and it has 40 counts per turn."""
    tracks, counts = ({"a": "D10", "b": "D9"}, 40.0) if exchanged else ({}, 48.0)
    wheel = Wheel(board, PINS | tracks, -1, counts)
    wheel.start()
    try:
        terminal = _terminal(board, tmp_path)
        distances = [0.2, 0.6]
        held: list[float] = []

        def hold() -> str:
            """Enter the distance at which the object is; then no more."""
            if len(held) == len(distances):
                return ""
            held.append(distances[len(held)])
            with wheel.lock:
                board.drive("A0", volts(held[-1]))
            return str(held[-1])

        def turn() -> str:
            wheel.turn_by_hand(2 * math.pi)
            return ""

        def lamp() -> str:
            with wheel.lock:
                return "y" if board.show("D13").value else "n"

        replies = {
            r"Is it on now\?.*\) $": lamp,
            r"And now, is it on\?.*\) $": lamp,
            r"By hand, turn.*\)": turn,
            r"write counts.*\) $": lambda: "y",
            r"Which way did it turn\?.*\) $": lambda: "f" if wheel.turned[-1] > 0 else "b",
            r"And now, which way did it turn\?.*\) $": lambda: "f" if wheel.turned[-1] > 0 else "b",
            r"write full_speed.*\) $": lambda: "n",
            r"True distance in m.*\)": hold,
            r"Write the curve.*\) $": lambda: "y",
        }
        talk = terminal.converse(replies, r"results")
        code, text = terminal.finish()
    finally:
        wheel.stop()
    assert code == 1, "corrections were made"
    assert "corrected  left wheel motor" in text and "passed     status" in text
    new = (tmp_path / "hardware.toml").read_text()
    data = read_toml(new)["devices"]
    motor, front = data["left wheel motor"], data["front"]
    assert (motor["forward"], motor["backward"]) == ("D4", "D2")
    sensor = data["left wheel sensor"]
    assert (sensor["a"], sensor["b"], sensor["counts"]) == (
        tracks.get("a", "D9"),
        tracks.get("b", "D10"),
        counts,
    )
    told = re.search(r"Its full speed is ([\d.]+) rad/s, less than its maxVelocity of 12", talk)
    assert told and float(told[1]) == pytest.approx(FULL_SPEED, rel=0.05)
    assert (tmp_path / "hardware.toml.bak").read_text() == MAP
    for measured, distance in zip(front["curve"], sorted(distances, reverse=True), strict=True):
        assert measured == [pytest.approx(volts(distance), abs=0.02), distance]
    for comment in (
        "do not lose this comment",
        "# green wire",
        "# white wire",
        "# on the bumper",
        "# the end",
    ):
        assert comment in new


@pytest.mark.boards
def test_ctrl_c_stops_the_motor_and_the_next_run_goes_on(board: Bench, tmp_path: Path):
    terminal = _terminal(board, tmp_path)
    replies = {
        r"Is it on now\?.*\) $": lambda: "y" if board.show("D13").value else "n",
        r"And now, is it on\?.*\) $": lambda: "y" if board.show("D13").value else "n",
        r"By hand, turn.*\) ": lambda: "s",
    }
    terminal.converse(replies, r"It turns at")
    end = 500
    while not (board.show("D3").use == "pwm" and board.show("D3").value > 0) and end:
        end -= 1
    assert board.show("D3").value > 0, "the motor turns"
    terminal.interrupt()
    code, text = terminal.finish()
    assert code == 130 and "the motors are off" in text
    assert not board.show("D2").value and not board.show("D4").value
    assert board.show("D3").value == 0
    again = _terminal(board, tmp_path, "--device", "status")
    code, text = again.finish()
    assert code == 0
    assert "passed     status: before" in text
    with (tmp_path / "results.json").open("wb") as file:
        words = ("firmware", "test", "hardware.toml", "--url", board.url, "--device", "status", "--json")
        code, text = Terminal(*words, cwd=tmp_path, output=file).finish()
    assert code == 0 and "answers. Put it on blocks" in text
    assert json.loads((tmp_path / "results.json").read_text()) == {
        "results": [{"device": "status", "result": "passed", "text": "before"}],
        "former_map": None,
    }


def test_without_a_terminal_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "hardware.toml").write_text(MAP)
    assert main(["firmware", "test", str(tmp_path / "hardware.toml"), "--port", "/dev/null"]) == 2
    assert "run it in a terminal" in capsys.readouterr().err


def test_results_as_json_do_not_go_with_a_checklist(capsys: pytest.CaptureFixture[str]):
    assert main(["firmware", "test", "--port", "/dev/null", "--checklist", "--json"]) == 2
    assert "--json does not work with --checklist" in capsys.readouterr().err


@pytest.mark.boards
def test_a_board_with_another_firmware_is_refused(board: Bench, tmp_path: Path):
    (tmp_path / "hardware.toml").write_text(MAP.replace("full_speed = 16.0", "full_speed = 17.0"))
    code, text = _terminal(board, tmp_path).finish()
    assert code == 2
    assert "flash it: wbridge firmware flash hardware.toml --slave" in text


def test_the_build_is_that_of_the_map(firmware: Built, tmp_path: Path):
    config = (firmware.program.parent / "config.h").read_text()
    assert f'"{build_of(as_slave(_load(tmp_path)))}"' in config


def test_every_driver_names_a_test():
    assert {one.bring_up for one in drivers().values()} <= set(routine_names())


EDITS = {
    ("devices", "front", "curve"): [[1.0, 0.5], [2.0, 0.2]],
    ("devices", "status", "inverted"): True,
    ("devices", "left wheel motor", "forward"): "D4",
}


def test_values_are_changed_and_all_else_stays():
    new = changed(Path("hardware.toml"), MAP, EDITS)
    before, after = read_toml(MAP), read_toml(new)
    for keys, value in EDITS.items():
        table, old = after, before
        for key in keys[:-1]:
            table, old = table[key], old[key]
        assert table[keys[-1]] == value
        old[keys[-1]] = value
    assert before == after
    kept = [line for line in MAP.splitlines() if "forward" not in line and "# far" not in line]
    kept = [line for line in kept if "# near" not in line and "curve" not in line and line != "]"]
    assert [line for line in new.splitlines() if line in kept] == kept
    assert 'forward  = "D4"   # white wire' in new


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x.y = 1 # = 2\n[x2]\n", "x.y = 7 # = 2\n[x2]\n"),
        ("[x]\ny = 'a # b' # c\nz = 2\n", "[x]\ny = 7 # c\nz = 2\n"),
        ('[x]\ny = "a \\" # b"\n', "[x]\ny = 7\n"),
        ("[x]\nz = 1\n\n# about w\n[w]\ny = 3", "[x]\nz = 1\ny = 7\n\n# about w\n[w]\ny = 3"),
        ("[x]\ny = [\n 1, # one\n 2] # end\n", "[x]\ny = 7 # end\n"),
        ("[x]", "[x]\ny = 7\n"),
        ("[x]\r\ny = 1\r\n", "[x]\r\ny = 7\r\n"),
    ],
)
def test_forms_of_values(text: str, wanted: str):
    assert changed(Path("a"), text, {("x", "y"): 7}) == wanted


def test_a_table_that_cannot_be_edited_is_left_alone():
    with pytest.raises(EditError, match="change it yourself: x.y = 7"):
        changed(Path("a"), "x = {z = 1}\n", {("x", "y"): 7})
