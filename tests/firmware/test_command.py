"""`wbridge firmware` from the world to a board that a controller drives over its wire."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, boards, require_board
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board

GUARD = 1200
"""Seconds after which a command hangs: 20 times what compiling the library and a run take."""
CONTROLLER = """
from controller import Robot
robot = Robot()
motor, front = robot.getDevice("left wheel motor"), robot.getDevice("front")
front.enable(32)
motor.setPosition(float("inf"))
motor.setVelocity(6.0)
for _ in range(10):
    robot.step(32)
print("front:", round(front.getValue()))
"""


def test_from_a_world_to_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("arduino-uno")
    map_file = tmp_path / "hardware.toml"
    assert main(["firmware", "new", str(WORLD), "--board", "arduino-uno", "--out", str(map_file)]) == 0
    assert main(["firmware", "new", str(WORLD), "--out", str(map_file)]) == 2  # it exists
    assert main(["firmware", "build", str(map_file)]) == 0
    assert "of 32256 bytes" in capsys.readouterr().out
    map_file.write_text(map_file.read_text().replace('pwm = "D3"', 'pwm = "D4"'))
    assert main(["firmware", "build", str(map_file)]) == 2
    assert "hardware.toml:18: " in capsys.readouterr().err


def test_without_a_controller_in_the_world_a_new_map_says_which_key_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    map_file = tmp_path / "hardware.toml"
    assert main(["firmware", "new", str(WORLD), "--board", "pico-micropython", "--out", str(map_file)]) == 0
    told = capsys.readouterr().err
    assert "before you build: the robot has no controller in the world; name a .py file or a folder" in told
    assert 'for example controller = "controllers/rover"' in told
    assert main(["-q", "firmware", "wiring", str(map_file)]) == 0, "parts can be connected before"
    assert main(["-q", "firmware", "build", str(map_file)]) == 2
    assert main(["firmware", "new", str(WORLD), "--board", "pico", "--out", str(tmp_path / "pico.toml")]) == 0
    assert "before you build" not in capsys.readouterr().err, "as a slave it needs no controller"


@pytest.mark.parametrize("action", ["build", "emulate", "verify", "flash"])
def test_the_nearest_hardware_map_is_named(tmp_path: Path, action: str, capsys: pytest.CaptureFixture[str]):
    """One line, without the words of the operating system."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "yard.wbt").write_text("#VRML_SIM R2025a utf8\n")
    make = f"create one: wbridge firmware new {tmp_path}/worlds/yard.wbt"
    (tmp_path / "rover.toml").write_text("")
    for name, words in (
        ("rovr.toml", "no such file; did you mean 'rover.toml'?; {1} --out {0}/rovr.toml"),
        ("x.toml", "no such file; available: {0}/rover.toml; {1} --out {0}/x.toml"),
        ("", "is a folder, not a hardware map; available: {0}/rover.toml; {1}"),
    ):
        path = tmp_path / name
        assert main(["firmware", action, str(path)]) == 2
        said = words.format(tmp_path, make)
        assert capsys.readouterr().err == f"wbridge: {path}{' ' if not name else ': '}{said}\n"


def test_folders_that_are_not_there_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    absent = tmp_path / "absent"
    made, make = tmp_path / "hardware.toml", f"folder {absent} does not exist; create it: mkdir -p {absent}"
    assert main(["-q", "firmware", "new", str(WORLD), "--out", str(made)]) == 0
    for option, name in (("--table", "steps.csv"), ("--report", "report.html")):
        assert main(["firmware", "verify", str(made), option, str(absent / name)]) == 2
        assert make in capsys.readouterr().err
    assert main(["-q", "firmware", "build", str(made), "--out", str(made)]) == 1
    assert f"the project cannot be written: {made}: " in capsys.readouterr().err


def test_a_new_map_gets_its_folder(tmp_path: Path):
    made = tmp_path / "robots" / "rover" / "hardware.toml"
    assert main(["-q", "firmware", "new", str(WORLD), "--out", str(made)]) == 0
    assert made.is_file()


def test_two_robots_have_folders_of_their_own(tmp_path: Path):
    require_board("arduino-uno")
    for name, board in (("hardware.toml", "host"), ("rover.toml", "arduino-uno")):
        assert (
            main(["-q", "firmware", "new", str(WORLD), "--board", board, "--out", str(tmp_path / name)]) == 0
        )
    for name in ("hardware.toml", "rover.toml", "hardware.toml"):
        assert main(["-q", "firmware", "build", str(tmp_path / name)]) == 0
    for folder, machine in (
        ("firmware", 62),
        ("firmware-rover", 83),
    ):  # EM_X86_64 and EM_AVR of the ELF format
        program = (tmp_path / folder / "firmware.elf").read_bytes()
        assert int.from_bytes(program[18:20], "little") == machine


def test_what_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["firmware", "build", str(tmp_path / "none.toml")]) == 2
    assert "create one: wbridge firmware new" in capsys.readouterr().err
    assert main(["firmware", "new", str(WORLD), "--board", "arduin"]) == 2
    assert "available: arduino, arduino-leonardo, arduino-mega, " in capsys.readouterr().err
    (tmp_path / "firmware-h").mkdir()
    (tmp_path / "firmware-h" / "mine.c").write_text("int mine;")
    assert main(["firmware", "new", str(WORLD), "--out", str(tmp_path / "h.toml")]) == 0
    assert main(["firmware", "build", str(tmp_path / "h.toml")]) == 1
    assert "contains other files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("controller", "name", "verb"),
    [
        ("two_wheels_avoider", "yard", "remote"),
        pytest.param("<none>", "two_wheels", "remote", marks=pytest.mark.slow),
        pytest.param("<none>", "yard", "window", marks=pytest.mark.slow),
    ],
)
def test_the_advice_of_emulate_is_a_command_that_works(tmp_path: Path, controller: str, name: str, verb: str):
    """With a controller in the world, with one that is called like the world, and without any."""
    require_board("host")
    command = [sys.executable, "-m", "wbridge"]
    world = tmp_path / "worlds" / f"{name}.wbt"
    world.parent.mkdir()
    world.write_text(WORLD.read_text().replace('controller "<none>"', f'controller "{controller}"'))
    (tmp_path / "controllers").symlink_to(CHECKOUT / "controllers")
    map_file = tmp_path / "a map.toml"
    subprocess.run([*command, "-q", "firmware", "new", world, "--out", map_file], check=True)
    with subprocess.Popen(
        [*command, "firmware", "emulate", map_file],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as emulation:
        assert emulation.stdin is not None and emulation.stderr is not None
        try:
            said = next(line for line in emulation.stderr if "drive it" in line)
            program, *words = shlex.split(said.partition(": ")[2])
            assert (program, words[0]) == ("wbridge", verb)
            own = [one for one in words if one != "--open"]  # no browser
            run = [*command, *own, "--duration", "0.3"]
            done = subprocess.run(run, capture_output=True, text=True, timeout=GUARD, check=False)
            assert done.returncode == 0, done.stderr
        finally:
            emulation.stdin.close()
            emulation.terminate()


@pytest.mark.parametrize("board", boards())
def test_a_controller_drives_an_emulated_board_by_remote_control(tmp_path: Path, board: str):
    require_board(board)
    command = [sys.executable, "-m", "wbridge"]
    map_file, controller = tmp_path / "hardware.toml", tmp_path / "drive.py"
    controller.write_text(CONTROLLER)
    subprocess.run(
        [*command, "-q", "firmware", "new", WORLD, "--board", board, "--out", map_file], check=True
    )
    with subprocess.Popen(
        [*command, "-q", "firmware", "emulate", map_file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as emulation:
        assert emulation.stdin is not None and emulation.stdout is not None
        try:
            url = emulation.stdout.readline().split(": ")[1].strip()
            text = map_file.read_text()
            front = re.search(r'"front"\][^[]*pin = "(\w+)"', text)
            assert front is not None
            emulation.stdin.write(f"drive {front[1]} {load_board(board).supply / 2}\n")
            assert emulation.stdout.readline() == "ok\n"
            run = [*command, "-q", "remote", WORLD, "--url", url, "--controller", controller]
            done = subprocess.run(run, capture_output=True, text=True, timeout=GUARD, check=False)
            assert done.returncode == 0, done.stderr
            assert "front: 500" in done.stdout or "front: 501" in done.stdout
            emulation.terminate()
            emulation.stdin.close()
            assert emulation.wait(10) == 0
        finally:
            emulation.kill()


def test_a_world_in_the_place_of_a_hardware_map_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "rover.toml").write_text("")
    world = tmp_path / "yard.wbt"
    world.write_text("#VRML_SIM R2025a utf8\n")
    assert main(["firmware", "build", str(world)]) == 2
    said = capsys.readouterr().err
    assert (
        f"{world} is a world, not a hardware map; available: {os.path.relpath(tmp_path)}/rover.toml" in said
    )
    assert f"create one: wbridge firmware new {world}\n" in said


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("world", "nowhere.wbt", "no such file"),
        ("robot", "two wheel", 'no robot named "two wheel"; available: "two wheels"; did you mean'),
    ],
)
def test_a_world_or_robot_that_is_not_there_has_its_line(
    tmp_path: Path, key: str, value: str, words: str, capsys: pytest.CaptureFixture[str]
):
    map_file = tmp_path / "hardware.toml"
    assert main(["-q", "firmware", "new", str(WORLD), "--out", str(map_file)]) == 0
    lines = map_file.read_text().splitlines()
    line = next(k for k, one in enumerate(lines) if one.startswith(f"{key} = "))
    lines[line] = f'{key} = "{value}"'
    map_file.write_text("\n".join(lines))
    assert main(["firmware", "build", str(map_file)]) == 2
    said = capsys.readouterr().err
    assert f"{map_file}:{line + 1}: {key}: " in said
    assert words in said


def test_options_of_the_simulation_need_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["firmware", "emulate", str(tmp_path / "x.toml"), "--fast", "--duration", "3"]) == 2
    assert "--fast and --duration need a simulation: add --simulate" in capsys.readouterr().err


def test_maps_that_are_built_at_once_in_one_folder_wait_for_each_other(tmp_path: Path):
    built = []
    for name in ("host", "arduino-uno"):
        require_board(name)
        map_file = tmp_path / f"{name}.toml"
        assert main(["-q", "firmware", "new", str(WORLD), "--board", name, "--out", str(map_file)]) == 0
        built.append([sys.executable, "-m", "wbridge", "firmware", "build", str(map_file)])
    both = [subprocess.Popen(one, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) for one in built * 2]
    said = [one.communicate()[1].decode() for one in both]
    assert [one.returncode for one in both] == [0] * 4, said
