"""Which lines of a firmware ran on the emulated board."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware import onboard
from tests.firmware.conftest import Firmware, boards, families, require_board
from tests.firmware.onboard import HEAD, hardware
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.line_table import line_rows
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.building.thumb import conditional
from wbridge.wbfirmware.emulators import program
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.tools import run
from wbridge.wbverify.coverage import Coverage, coverage_of
from wbridge.wbverify.summary import covered_lines, uncovered_places

RUNS, NEVER = "/* runs */", "/* never */"
CODE = f"""
static volatile int alarms, count;
static int near(double value) {{
  return value > 900;                        {RUNS}
}}
__attribute__((noinline)) static void turn_back(WbDeviceTag motor) {{
  alarms = 2;                                {NEVER}
  wb_motor_set_velocity(motor, -1);          {NEVER}
}}
int main(void) {{
  wb_robot_init();                           {RUNS}
  const WbDeviceTag motor = wb_robot_get_device("left wheel motor");
  const WbDeviceTag front = wb_robot_get_device("front");
  wb_distance_sensor_enable(front, 16);      {RUNS}
  wb_motor_set_position(motor, INFINITY);    {RUNS}
  while (wb_robot_step(16) != -1) {{
    count++;                                 {RUNS}
    if (near(wb_distance_sensor_get_value(front)))
      turn_back(motor);                      {NEVER}
    if (alarms > 1)
      count -= alarms;                       {NEVER}
    wb_motor_set_velocity(motor, 2);         {RUNS}
  }}
  return 0;
}}
"""
GCOV = """#!/bin/sh
case " $* " in *" -r "*) exec cc "$@" ;; *) exec cc --coverage "$@" ;; esac
"""
"""Compiles for gcov. Files that are only joined do not take its library."""
OWN = ("controller/robot.c", "analog_distance.c", "curve.c", "hbridge.c", "quadrature_encoder.c")
VOLTS, TIME_US = (0.5, 2.0, 1.0), 100_000
"""What the sensor gives, one after the other, and for how long."""


@cache
def made(board: str, folder: Path) -> Firmware:
    """The firmware of the code above."""
    require_board(board)
    (folder / "code").mkdir()
    (folder / "code" / "robot.c").write_text(f"#include <math.h>\n{HEAD}{CODE}")
    text = onboard.MAP if board in onboard.OWN else propose(onboard.two_wheels(), "w.wbt", board)
    mapped = hardware(folder, board, "standalone", "code", text.replace('"slave"', onboard.HERE))
    return Firmware(build(mapped, folder / "firmware"), mapped)


def drive(bench: Bench, firmware: Firmware) -> None:
    """Let the board run, with something far away in front."""
    pin = firmware.pin("front", "pin")
    for volts in VOLTS:
        bench.drive(pin, volts)
        bench.run(TIME_US)


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Firmware]:
    """A function that gives the firmware of a board, each built once."""
    return cache(lambda board: made(board, tmp_path_factory.mktemp(board)))


@pytest.fixture(scope="module")
def covered(
    firmware: Callable[[str], Firmware], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Coverage]:
    """A function that runs a board, each once."""

    @cache
    def measure(board: str) -> Coverage:
        one, trace = firmware(board), tmp_path_factory.mktemp("trace") / "trace"
        with Bench(one.built.board, one.built.program, lockstep=True, trace=trace) as bench:
            drive(bench, one)
        found = coverage_of(one.hardware, one.built, [trace])
        assert found is not None
        return found

    return measure


def marked(firmware: Firmware, mark: str) -> set[int]:
    """The lines of the controller that bear a mark."""
    text = (firmware.built.program.parent / "controller" / "robot.c").read_text()
    return {number for number, line in enumerate(text.splitlines(), 1) if mark in line}


@pytest.mark.parametrize("board", boards())
def test_lines_of_the_controller_that_ran(
    firmware: Callable[[str], Firmware], covered: Callable[[str], Coverage], board: str
):
    """Judged by the program: nothing is nearer than the sensor's 900, so no step enters the branch."""
    lines = covered(board).lines["controller/robot.c"]
    assert {line for line in marked(firmware(board), RUNS) if not lines.get(line, True)} == set()
    never = marked(firmware(board), NEVER)
    assert {line for line in never if lines.get(line, False)} == set()
    assert sum(line in lines for line in never) >= len(never) - 1, "the compiler may join two of them"


@pytest.mark.parametrize("board", boards(*(name for name in families() if name.startswith("stm32"))))
def test_lines_compiled_without_a_jump_are_named_as_not_known(
    firmware: Callable[[str], Firmware], covered: Callable[[str], Coverage], board: str
):
    """Judged by the compiler: it makes `subgt` of the last branch, which is passed through in any case."""
    controller = next(one for one in covered(board).files if one.name == "robot.c")
    assert set(controller.uncertain) == {max(marked(firmware(board), NEVER))}
    (line,) = controller.uncertain
    assert line not in controller.lines
    assert f"controller: robot.c:{line}" in uncovered_places(covered(board)).rpartition("unknown whether")[2]


@pytest.mark.parametrize("board", boards("stm32f405"))
def test_conditional_instructions_are_those_of_the_disassembly(
    firmware: Callable[[str], Firmware], board: str
):
    """Judged by objdump: each letter of `it`, `ite`, `ittt` ... is one conditional instruction."""
    one = firmware(board)
    tool = one.built.board.compiler.tool("objdump")
    said = run([tool, "-d", "--section=.text", one.built.program], one.built.program.parent)
    found = re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)", said, re.MULTILINE)
    code = [(int(place, 16), name) for place, name in found if not name.startswith(".")]
    wanted = set()
    for number, (_, name) in enumerate(code):
        if re.fullmatch("i[te]+", name):
            wanted |= {place for place, _ in code[number : number + len(name)]}
    assert len(wanted) > 50
    assert conditional(Elf(one.built.program), [place for place, _ in code]) == wanted


@pytest.mark.parametrize("board", boards())
def test_functions_and_faults_that_nothing_reached_are_named(covered: Callable[[str], Coverage], board: str):
    """Nobody asks for the battery and nothing stops the board, so drivers hold functions never called."""
    found = covered(board)
    controller, encoder = (
        next(one for one in found.files if one.file.endswith(name))
        for name in ("robot.c", "quadrature_encoder.c")
    )
    assert list(controller.uncalled) == ["turn_back"]
    assert "quadrature_encoder_position" in encoder.uncalled
    told = uncovered_places(found)
    assert "controller: turn_back() (robot.c:" in told
    assert "quadrature_encoder_position() (quadrature_encoder.c:" in told
    lines = [line for file in found.of("controller") for line in file.lines.values()]
    assert f"controller {sum(lines)} of {len(lines)}" in covered_lines(found)


def test_gcov_counts_the_same_lines(
    firmware: Callable[[str], Firmware], covered: Callable[[str], Coverage], tmp_path: Path
):
    """Judged by gcov, for the same sources without optimization, in a run with the same inputs."""
    require_tool("gcov", "apt install gcc")
    one = firmware("host")
    project, compiler = tmp_path / "project", tmp_path / "compile"
    shutil.copytree(one.built.program.parent, project)
    compiler.write_text(GCOV)
    compiler.chmod(0o755)
    for name in ("firmware.elf", *(f"{file}.o" if "/" in file else f"{file[:-2]}.o" for file in OWN)):
        (project / name).unlink()  # the other files are not compared
    subprocess.run(
        ["make", "-j2", f"CC={compiler}", "DEBUG=-O0 -g"], cwd=project, check=True, capture_output=True
    )
    lines = [f"drive {one.pin('front', 'pin')} {volts}\nrun {TIME_US}\n" for volts in VOLTS]
    command = [project / "firmware.elf", "--lockstep", "pty"]
    subprocess.run(command, input="".join(lines), text=True, check=True, capture_output=True)
    counts = counted(project)
    found = covered("host").lines
    for file in OWN:
        theirs = {line: count > 0 for line, count in counts[file].items()}
        common = found[file].keys() & theirs.keys()
        assert {line for line in common if found[file][line] != theirs[line]} == set()
        assert any(found[file].values()), file


def counted(project: Path) -> dict[str, dict[int, int]]:
    """How often each line ran, as gcov counts."""
    files = [str(one.relative_to(project)) for one in project.rglob("*.gcda")]
    said = run(["gcov", "--json-format", "--stdout", *files], project)
    found: dict[str, dict[int, int]] = {}
    for text in said.splitlines():
        for file in json.loads(text)["files"]:
            lines = found.setdefault(file["file"], {})
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, 0) + line["count"]
    return found


@pytest.mark.parametrize("board", boards())
def test_the_line_table_is_that_of_the_compilers_tools(firmware: Callable[[str], Firmware], board: str):
    """Judged by addr2line of the board's compiler, for the last row at each address."""
    one = firmware(board)
    last = {row.address: row for row in line_rows(one.built.program) if row.owns}
    wanted = sorted(place for place, row in last.items() if row.file in OWN)
    tool = one.built.board.compiler.tool("addr2line")
    said = run([tool, "-e", one.built.program, *map(hex, wanted)], one.built.program.parent).splitlines()
    places = [text.partition(" (")[0].rpartition(":") for text in said]
    assert len(places) == len(wanted) > 50
    for place, (path, _, line) in zip(wanted, places, strict=True):
        assert path.endswith(last[place].file)
        assert int(line) == last[place].line


JUMP = 4
"""Bytes of an AVR's `jmp`."""


def jumps_apart(elf: Path, board: Board, flash: bytes) -> tuple[bytes, list[bytes]]:
    """Bytes for the flash without the linker's jumps to functions beyond the reach of pointers, and these.

    The linker makes one for each function of which a pointer exists, in an order by the numbers of all
    sections. Programs of less than 128 kB do not use them: these pointers hold the functions' own addresses
    (GNU ld, "Command-line Options", --no-stubs of AVR).
    """
    known = symbols(board, elf)
    start, end = known.get("__trampolines_start", 0), known.get("__trampolines_end", 0)
    if start == end:
        return flash, []
    assert len(flash) < 1 << 17, "jumps are used: their order matters"
    return flash[:start] + flash[end:], [flash[k : k + JUMP] for k in range(start, end, JUMP)]


@pytest.mark.slow
@pytest.mark.parametrize("board", boards(*(name for name in families() if name != "host")))
def test_debug_information_does_not_go_to_the_board(
    firmware: Callable[[str], Firmware], board: str, tmp_path: Path
):
    """Judged by objcopy: without it the bytes for the flash are the same."""
    one = firmware(board)
    project = tmp_path / "project"
    shutil.copytree(one.built.program.parent, project)
    subprocess.run(["make", "clean"], cwd=project, check=True, capture_output=True)
    subprocess.run(["make", "-j2", "DEBUG="], cwd=project, check=True, capture_output=True)
    assert line_rows(one.built.program)
    mine = [row for row in line_rows(project / "firmware.elf") if row.file in OWN]
    assert mine == []
    objcopy = one.built.board.compiler.tool("objcopy")
    flashed = []
    for number, elf in enumerate((one.built.program, project / "firmware.elf")):
        parts = [f"--only-section={name}" for name in (".text", ".data", ".rodata*")]
        run([objcopy, *parts, "-O", "binary", elf, tmp_path / str(number)], tmp_path)
        flashed.append(jumps_apart(elf, one.built.board, (tmp_path / str(number)).read_bytes()))
    assert flashed[0][0] == flashed[1][0]
    assert sorted(flashed[0][1]) == sorted(flashed[1][1])
    assert bool(flashed[0][1]) == (board == "arduino-mega")


def test_a_traced_run_is_the_same(firmware: Callable[[str], Firmware], tmp_path: Path):
    """Nothing that the program keeps changes when somebody looks on, nor its time."""
    for board in ("host", "arduino-uno"):
        one = firmware(board)
        known = symbols(one.built.board, one.built.program)
        clock = known["flavor_schedule"] - known.get("__executable_start", 0)
        ends = []
        for trace in (None, tmp_path / board):
            with Bench(one.built.board, one.built.program, lockstep=True, trace=trace) as bench:
                drive(bench, one)
                ends.append((bench.show(onboard.LEFT), bench.memory(clock, 4), bench.run(1000)))
        assert ends[0] == ends[1]


def test_where_programs_cannot_be_traced_nothing_is_claimed(
    firmware: Callable[[str], Firmware], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """On a computer whose processor the tracer does not know."""
    monkeypatch.setattr(program, "MACHINES", ())
    one, trace = firmware("host"), tmp_path / "trace"
    with Bench(one.built.board, one.built.program, lockstep=True, trace=trace) as bench:
        drive(bench, one)
    assert coverage_of(one.hardware, one.built, [trace]) is None
    assert "unknown which lines" in covered_lines(None)
    assert uncovered_places(None) == ""


@pytest.mark.parametrize("board", boards("pico"))
def test_functions_called_by_registers_have_run(built: Callable[..., Firmware], board: str, tmp_path: Path):
    """The address in the register is odd (ARMv6-M manual, BLX), those of instructions are even."""
    firmware, trace = built(board).built, tmp_path / "trace"
    with Bench(firmware.board, firmware.program, lockstep=True, trace=trace) as bench:
        bench.run(20_000)
    ran = {int(one) for one in trace.read_text().split()}
    assert symbols(firmware.board, firmware.program)["main"] & ~1 in ran
    assert not {one for one in ran if one % 2}
