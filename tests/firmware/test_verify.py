"""`wbridge firmware verify`: the controller on the desktop and on emulated boards, step by step."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbverify import rounding

CONTROLLER = Path(__file__).with_name("cruise")
STEPS = 200
FIRST_BOX, NEARER = "translation 0.88 0.05 0.1", "translation 0.43 0.05 0.1"
"""Where the robot sees it from the start."""
EMULATED = ["stm32f405", "riscv-virt"]
"""Boards under QEMU, of two C libraries; scripts.firmware_verified compares this controller on all boards."""


class Done(NamedTuple):
    """What a comparison has left."""

    map_file: Path
    code: int
    out: str

    @property
    def folder(self) -> Path:
        """Where everything lies."""
        return self.map_file.parent

    def rows(self, place: str) -> list[dict[str, str]]:
        """The step table of a flavor."""
        with (self.folder / "table.csv").open(newline="") as file:
            return [row for row in csv.DictReader(file) if row["place"] == place]


def hardware_map(folder: Path, board: str, flavor: str = "hil") -> Path:
    """Write a hardware map for the controller of these tests."""
    world = folder / "near.wbt"
    near = WORLD.read_text().replace(FIRST_BOX, NEARER).replace("../protos", f"{CHECKOUT}/protos")
    assert NEARER in near
    world.write_text(near)
    text = propose(two_wheels(), str(world), board)
    text = text.replace('flavor = "slave"', f'flavor = "{flavor}"\ncontroller = "{CONTROLLER}"')
    path = folder / "hardware.toml"
    path.write_text(text)
    return path


def verify(map_file: Path, *more: str, steps: int = STEPS) -> int:
    """Run the command."""
    return main(["-q", "firmware", "verify", str(map_file), "--steps", str(steps), *more])


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Done]:
    """A function that compares a board, each once."""

    @cache
    def make(board: str) -> Done:
        require_board(board)
        map_file = hardware_map(tmp_path_factory.mktemp(board), board)
        table, report = map_file.with_name("table.csv"), map_file.with_name("report.html")
        with pytest.MonkeyPatch.context() as patch:
            said: list[str] = []
            patch.setattr("builtins.print", lambda *words, **options: said.append(" ".join(map(str, words))))
            code = verify(map_file, "--table", str(table), "--report", str(report))
        return Done(map_file, code, "\n".join(said))

    return make


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "pico", *EMULATED, host=True))
def test_an_unchanged_controller_does_the_same_on_a_board(verified: Callable[[str], Done], board: str):
    done = verified(board)
    assert done.code == 0, done.out
    rows = done.rows("hil")
    assert {row["result"] for row in rows} == {"agrees", "given"}
    commanded = [row for row in rows if row["value"] == "set_velocity"]
    # Two motors, a step of the controller is two of the simulation, and none is left out.
    assert len(commanded) == 2 * STEPS // 2
    assert len({row["desktop"] for row in commanded}) > STEPS // 4
    blinks = [row["board"] for row in rows if row["device"] == "status"]
    assert {"0.0", "1.0"} <= set(blinks)


def test_the_sample_map_fits_its_world(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    require_board("arduino-uno")
    sample = WORLD.with_name("two_wheels_uno.toml")
    assert verify(sample, "--out", str(tmp_path / "uno"), "--flavor", "standalone", steps=100) == 0
    # Two velocities, sensor and LED in each step, and the PWM frequency of two pins once; both motors before
    # the start, after the end and after a hang, the reset, watchdog (2), sleep, ADC (2) and wire (2).
    assert "agrees in 417 comparisons of 21 values, 100 steps" in capsys.readouterr().out


def test_a_board_that_rounds_otherwise_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    map_file, own = hardware_map(tmp_path, "host"), tmp_path / "numbers.c"
    text = rounding.SOURCE.read_text()
    own.write_text(
        text.replace("int main(void) {", "#include <fenv.h>\nint main(void) {\n  fesetround(FE_UPWARD);")
    )
    monkeypatch.setattr(rounding, "SOURCE", own)
    assert verify(map_file, steps=10) == 1
    assert "float 2^24 + 1 is 0100804b in its memory, and 0000804b on the desktop" in capsys.readouterr().err


def test_where_numbers_are_those_of_the_desktop_all_bits_are_equal(verified: Callable[[str], Done]):
    done = verified("host")
    assert all(row["desktop"] == row["board"] for row in done.rows("hil"))
    assert "run alone, it gives a bit-identical world" in done.out


def test_where_numbers_are_shorter_the_last_digits_may_differ(verified: Callable[[str], Done]):
    rows = [row for row in verified("arduino-uno").rows("hil") if row["value"] == "set_velocity"]
    apart = [abs(float(row["desktop"]) - float(row["board"])) for row in rows]
    # Less than 64 roundings by half a unit in the last of 24 binary digits of a number below 8.
    assert 0 < max(apart) < 64 * 2**-24 * 8
    assert "run alone" not in verified("arduino-uno").out


@pytest.mark.parametrize("board", boards(*EMULATED))
def test_functions_of_another_library_may_differ_in_the_last_digits(
    verified: Callable[[str], Done], board: str
):
    done = verified(board)
    rows = [row for row in done.rows("hil") if row["value"] == "set_velocity"]
    assert all(float(row["bound"]) <= 64 * 2**-53 * 8 for row in rows)
    assert all(row["desktop"] == row["board"] for row in done.rows("hil") if row not in rows)
    report = (done.folder / "report.html").read_text()
    assert "last digits may differ: sin on the board are from another library" in report
    assert "run alone" not in done.out


@pytest.mark.parametrize("board", ["host", "arduino-uno"])
def test_the_pins_do_what_the_controller_commands(verified: Callable[[str], Done], board: str):
    rows = verified(board).rows("standalone")
    velocities = [row for row in rows if row["value"] == "velocity"]
    assert len(velocities) == 2 * STEPS  # the pins are looked at in each step of the simulation
    step = 12 / 255  # rad/s: full speed over the steps of PWM
    for row in velocities:
        duty = float(row["board"]) / step
        assert duty == pytest.approx(round(duty), abs=1e-9)
        assert abs(float(row["desktop"]) - float(row["board"])) <= 0.501 * step
    # What the controller saw was a voltage: one that the converter tells apart, linear over 0 to 1000.
    seen = {float(row["board"]) for row in rows if row["device"] == "front"}
    assert len(seen) > 1
    # The table of the sensor and the curve of the wiring are both linear.
    header = load_board(board).pins_header
    assert header is not None
    top = int(re.findall(r"#define BOARD_ADC_TOP (\d+)", header.read_text())[0])
    for value in seen:
        assert value * top / 1000 == pytest.approx(round(value * top / 1000), abs=0.01)


def test_twice_the_same_is_found(verified: Callable[[str], Done], tmp_path: Path):
    done = verified("arduino-uno")
    again = tmp_path / "again.csv"
    assert verify(done.map_file, "--table", str(again)) == 0
    assert again.read_bytes() == (done.folder / "table.csv").read_bytes()


def changed(done: Done, project: str, file: str, old: str, new: str) -> Path:
    """The program of a project in which somebody has changed a line."""
    folder = done.folder / f"changed-{project}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(done.folder / project, folder)
    source = folder / file
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new, 1))
    subprocess.run(["make", "-s"], cwd=folder, check=True, capture_output=True)
    return folder / "firmware.elf"


@pytest.mark.parametrize("board", [pytest.param("host", marks=pytest.mark.slow), "arduino-uno"])
def test_a_changed_gain_is_found(
    verified: Callable[[str], Done], board: str, capsys: pytest.CaptureFixture[str]
):
    done = verified(board)
    program = changed(done, "firmware", "controller/cruise.c", "SMOOTH 0.3", "SMOOTH 0.3003")
    assert verify(done.map_file, "--flavor", "hil", "--firmware", str(program)) == 1
    out = capsys.readouterr().out
    # near is 0.3 of the first reading; a thousandth more of it slows the left wheel by 0.3 of that over 300.
    reading = float(
        next(row for row in done.rows("hil") if row["device"] == "front" and row["value"] == "value")[
            "desktop"
        ]
    )
    found = re.search(r"first: step (\d+) .*left wheel motor.set_velocity.*they differ by ([^,]+),", out)
    assert found is not None, out
    assert int(found[1]) == 2  # where the first reading has come
    assert float(found[2]) == pytest.approx(0.0003 * reading / 300, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("flavor", "largest"), [("hil", 0.01), ("standalone", 0.1)])
def test_a_tolerance_of_the_map_lets_values_differ(
    verified: Callable[[str], Done], flavor: str, largest: float, capsys: pytest.CaptureFixture[str]
):
    done = verified("host")
    project = "firmware" if flavor == "hil" else "firmware-standalone"
    gain = "0.3003" if flavor == "hil" else "0.306"
    program = changed(done, project, "controller/cruise.c", "SMOOTH 0.3", f"SMOOTH {gain}")
    own, why = done.map_file.with_name("tolerant.toml"), "its gain was trimmed on the robot"
    stated = f' wheel motor"]\ntolerance = {largest}\nreason = "{why}"\n'
    own.write_text(done.map_file.read_text().replace(' wheel motor"]\n', stated))
    words = ("--flavor", flavor, "--firmware", str(program), "--overwrite")
    assert verify(done.map_file, *words) == 1
    report = own.with_suffix(".html")
    capsys.readouterr()
    assert verify(own, *words, "--report", str(report)) == 0
    out = capsys.readouterr().out
    needed = re.search(
        rf'"left wheel motor" may differ by {largest} \({flavor}\), because: {why}; needed', out
    )
    assert needed is not None, out
    assert "run alone" not in out
    assert f'<td class="why">{why}</td>' in report.read_text()
    assert verify(own, "--flavor", flavor, "--report", str(report)) == 0
    assert f"because: {why}; not needed, " in capsys.readouterr().out
    assert f"tolerance = {largest} was not needed ({flavor})" in report.read_text()


@pytest.mark.parametrize("board", ["host", pytest.param("arduino-uno", marks=pytest.mark.slow)])
def test_a_wrong_pin_is_found(
    verified: Callable[[str], Done], board: str, capsys: pytest.CaptureFixture[str]
):
    done = verified(board)
    project = "firmware-standalone"
    text = (done.folder / project / "drivers.c").read_text()
    forward = re.search(r"\.forward = (PIN_\w+)", text)
    backward = re.search(r"\.backward = (PIN_\w+)", text)
    assert forward is not None and backward is not None
    program = changed(done, project, "drivers.c", forward[0], f".forward = {backward[1]}")
    assert verify(done.map_file, "--flavor", "standalone", "--firmware", str(program)) == 1
    out = capsys.readouterr().out
    assert re.search(r"DIFFERS.*first: step \d+ .*left wheel motor.velocity", out), out


def test_the_report_needs_nothing_else(verified: Callable[[str], Done]):
    text = (verified("host").folder / "report.html").read_text()
    assert "The board does what the controller does on the desktop" in text
    assert not re.search(r"(?:src|href)=|https?://(?!www\.w3\.org)|<script|@import|url\(", text)
    assert text.count("<polyline") >= 8
    assert "host " in text  # the build's name


def test_what_cannot_be_compared_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    map_file = hardware_map(tmp_path, "host", "slave")
    assert verify(map_file) == 2
    assert "the flavor slave takes none" in capsys.readouterr().err
    map_file = hardware_map(tmp_path, "host")
    assert verify(map_file, "--firmware", str(tmp_path / "none.elf"), steps=10) == 2
    assert "no such program" in capsys.readouterr().err
    (tmp_path / "nine.elf").write_text("no program")
    make = f"build one: wbridge firmware build {map_file}"
    for name, words in (
        ("nien.elf", f"no such program; did you mean 'nine.elf'?; {make}"),
        ("nine.elf", f"expected a program in ELF format; {make}"),
    ):
        assert verify(map_file, "--firmware", str(tmp_path / name), steps=10) == 2
        assert f"{name}: {words}" in capsys.readouterr().err
    assert verify(map_file, "--world", str(WORLD.with_name("arm.wbt"))) == 2
    assert 'no robot named "two wheels"' in capsys.readouterr().err


def test_a_board_drives_the_simulated_robot_by_its_pins(tmp_path: Path):
    map_file = hardware_map(tmp_path, "host", "standalone")
    record = tmp_path / "way.csv"
    words = ["--simulate", "--fast", "--duration", "1.6", "--record", str(record)]
    assert main(["-q", "firmware", "emulate", str(map_file), *words]) == 0
    with record.open(newline="") as file:
        rows = list(csv.DictReader(file))
    velocities = [float(row["two wheels/left wheel motor.set_velocity"]) for row in rows[5:]]
    assert all(one * 255 / 12 == pytest.approx(round(one * 255 / 12), abs=1e-6) for one in velocities)
    assert len(set(velocities)) > 10
    assert float(rows[-1]["two wheels.x"]) != 0


def test_a_controller_that_makes_no_step_ends_the_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("wbridge.wbverify.reference.LONGEST_STEP_S", 0.5)
    map_file = hardware_map(tmp_path, "host")
    (tmp_path / "stuck").mkdir()
    (tmp_path / "stuck" / "stuck.c").write_text(
        "#include <webots/robot.h>\nint main(void) {\n  wb_robot_init();\n  wb_robot_step(16);\n"
        "  for (volatile int k = 0;; k = !k) {\n  }\n}\n"
    )
    map_file.write_text(map_file.read_text().replace(f'"{CONTROLLER}"', '"stuck"'))
    assert verify(map_file, "--flavor", "hil") == 1
    assert "a controller made no step for 0.5 s" in capsys.readouterr().err
