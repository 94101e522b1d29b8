"""Interrupts do not nest, the stack's bound counts them, and maps with too many edges are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hal.table import DeviceEntry, DeviceTable
from libcontroller.compiling import BuildError
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import AVOIDER, HEAD
from tests.firmware.test_too_large import LIMITED
from wbfirmware.boards import load_board
from wbfirmware.build import build
from wbfirmware.edges import cycles_per_edge, most_edges
from wbfirmware.hardware import Hardware, load_hardware
from wbfirmware.problems import HardwareError
from wbfirmware.propose import propose
from wbfirmware.stack import stack_bound
from wbfirmware.template_folders import flavor_names
from wbfirmware.tools import run

PROBE = Path(__file__).with_name("stack_probe.c")
UNO = "arduino-uno"
TRACKS = ("D8", "D9", "D12", "D13")
"""Of the left and of the right encoder: all at one interrupt."""
MAP = f"""format = 1
world = "{WORLD}"
robot = "two wheels"
board = "{UNO}"
flavor = "standalone"
controller = "code"
[devices."left wheel motor"]
driver = "hbridge"
pwm = "D3"
forward = "D2"
backward = "D4"
full_speed = 12.0
encoder = "left wheel sensor"
[devices."left wheel sensor"]
driver = "quadrature_encoder"
a = "{TRACKS[0]}"
b = "{TRACKS[1]}"
counts = COUNTS
[devices."right wheel motor"]
driver = "hbridge"
pwm = "D5"
forward = "D6"
backward = "D7"
full_speed = 12.0
[devices."right wheel sensor"]
driver = "quadrature_encoder"
a = "{TRACKS[2]}"
b = "{TRACKS[3]}"
counts = COUNTS
[devices.front]
driver = "analog_distance"
pin = "A0"
curve = [[0.0, 0.8], [5.0, 0.0]]
[devices.status]
driver = "none"
"""
DEEP = (
    HEAD
    + """#include <stdio.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag sensor = wb_robot_get_device("left wheel sensor");
  WbDeviceTag motor = wb_robot_get_device("left wheel motor");
  wb_position_sensor_enable(sensor, 16);
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_motor_set_position(motor, k);
    printf("%8.3f %s %d %e\\n", wb_position_sensor_get_value(sensor), "rad", k, wb_robot_get_time());
  }
}
"""
)


def mapped(folder: Path, counts: float) -> Hardware:
    """A robot with two encoders at an Uno, and a controller that goes deep into the stack."""
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / "robot.c").write_text(DEEP)
    (folder / "hardware.toml").write_text(MAP.replace("COUNTS", str(counts)))
    return load_hardware(folder / "hardware.toml", two_wheels())


def probed(program: Path, folder: Path, interval: int, tracks: tuple[str, ...]) -> dict[str, int]:
    """What the probe measures within 200 ms, with so many microseconds between the edges of each encoder."""
    probe = folder / "probe"
    if not probe.is_file():
        run(["cc", "-O2", "-I/usr/include/simavr", PROBE, "-o", probe, "-lsimavr"], folder)
    numbers = [int(pin[1:]) for pin in tracks]
    said = run([probe, program, str(interval), "200", *map(str, numbers)], folder)
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", said)}


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A program for an Uno with two encoders, and the bound of its stack."""
    require_board(UNO)
    folder = tmp_path_factory.mktemp("deep")
    built = build(mapped(folder, 1440.0), folder / "firmware")
    assert built.size.stack is not None
    return built.program, built.size.stack


def test_the_stack_stays_below_its_bound_with_encoders_at_full_speed(deep: tuple[Path, int], tmp_path: Path):
    """An edge every 40 us at each of two encoders: more than the board can count, and it must not crash.

    Judged by simavr, which counts the bytes of the stack after each instruction.
    """
    program, bound = deep
    for interval in (40, 125):
        found = probed(program, tmp_path, interval, TRACKS)
        assert found["resets"] == 0
        assert found["nested"] == 1
        assert 100 < found["stack"] <= bound


def test_the_cycles_of_an_edge_are_those_that_the_processor_takes(deep: tuple[Path, int], tmp_path: Path):
    found = probed(deep[0], tmp_path, 125, TRACKS)
    known = cycles_per_edge(load_board(UNO), 2)
    assert 0.8 * known <= found["cycles"] <= known
    assert found["locked"] <= known  # nothing else keeps an edge waiting for longer


@pytest.mark.parametrize("board", LIMITED)
@pytest.mark.parametrize("flavor", flavor_names())
def test_no_interrupt_lets_in_another_one(board: str, flavor: str, tmp_path: Path):
    """The disassembly of all boards; such a one would have no bound of its stack."""
    require_board(board)
    text = propose(two_wheels(), str(WORLD), board)
    controller = f'\ncontroller = "{AVOIDER}"' if flavor != "slave" else ""
    (tmp_path / "hardware.toml").write_text(text.replace('"slave"', f'"{flavor}"{controller}'))
    built = build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    assert built.size.why == []
    compiler = built.board.compiler
    listing = run([compiler.tool("objdump"), "-d", built.program], tmp_path)
    ends = re.findall(r"^[0-9a-f]+ <([^>]+)>:(?:\n(?!\n).*)*\t(?:reti|mret)\b", listing, re.MULTILINE)
    for name in ends:
        assert not re.search(rf"\t(?:r?call|r?jmp|jal|j)\b.*<{name}>", _without_vectors(listing)), name


def _without_vectors(listing: str) -> str:
    """A disassembly without the table of an AVR's interrupts."""
    return re.sub(r"^0+ <__vectors>:\n(?:.+\n)*", "", listing, flags=re.MULTILINE)


FOLDED = """
00000100 <__vector_3>:
 100:\t0e 94 a0 00 \tcall\t0x140\t; 0x140 <__vector_5>
 104:\t18 95       \treti

00000140 <__vector_5>:
 140:\t18 95       \treti

00000180 <main>:
 180:\t08 95       \tret
"""


def test_interrupts_that_nest_have_no_bound(tmp_path: Path):
    """As a compiler folds alike interrupts: one calls another, whose end lets in the next one."""
    (tmp_path / "board.su").write_text(
        "board.c:1:1:__vector_3\t17\tstatic\nboard.c:5:1:__vector_5\t17\tstatic\nm.c:1:5:main\t2\tstatic\n"
    )
    bound = stack_bound(FOLDED, tmp_path.glob("*.su"), "__vector_", 48)
    assert bound.bytes is None
    (why,) = bound.why
    assert why.text == "__vector_3 lets interrupts nest: it calls __vector_5, which enables interrupts"
    enabling = FOLDED.replace("call\t0x140\t; 0x140 <__vector_5>", "sei")
    (why,) = stack_bound(enabling, tmp_path.glob("*.su"), "__vector_", 48).why
    assert why.text == "__vector_3 lets interrupts nest: it enables interrupts"


def test_encoders_with_more_edges_than_the_board_counts_are_refused(tmp_path: Path):
    """12 rad/s are 1.91 turns per second; half of 16 MHz is enough for 20000 edges of 400 cycles."""
    fits = mapped(tmp_path, 5000.0)
    assert fits.board.clock * 0.5 / 400 == pytest.approx(most_edges(fits.board, 2))
    with pytest.raises(HardwareError) as caught:
        mapped(tmp_path, 20000.0)
    (problem,) = caught.value.problems
    assert problem.line == 1 + MAP[: MAP.index("counts")].count("\n")
    assert problem.text == (
        '"left wheel sensor": counts: found 20000.0; at the maxVelocity of "left wheel motor" these are '
        "38197 edges per second, all encoders together 76394, and Arduino Uno serves at most 20000: with 2 "
        "devices that watch pins, an edge takes 400 cycles of its 16 MHz, and edges may take 50 % of "
        "the time; use encoders with fewer counts (at most 5232 here, if the others shrink alike), a "
        "chip that counts edges, or a lower maxVelocity in the world"
    )


def test_what_is_proposed_can_be_counted(tmp_path: Path):
    """Also for a wheel that turns fast: with 1440 counts 200 rad/s would be 45837 edges per second."""

    def faster(one: DeviceEntry) -> DeviceEntry:
        more = {"maxVelocity": 200.0} if "maxVelocity" in one.constants else {}
        return one._replace(constants={**one.constants, **more})

    table = DeviceTable(two_wheels().robot, tuple(map(faster, two_wheels().devices)))
    (tmp_path / "hardware.toml").write_text(propose(table, str(WORLD), UNO))
    made = load_hardware(tmp_path / "hardware.toml", table)
    counts = [one.values["counts"] for one in made.wirings if "counts" in one.values]
    assert counts == [312.0, 312.0]


CHAIN = ("interrupt_pins", "robot_pins_changed")
EACH = ("quadrature_encoder_changed", "phase", "board_level", "board_level")
PINS = 32


@pytest.mark.parametrize("board", boards("microbit", "stm32vldiscovery", "stm32f405"))
def test_the_cycles_of_an_edge_cover_all_instructions(board: str, tmp_path: Path):
    """No emulator counts cycles for these; so each instruction is counted as two, as board.toml says."""
    require_board(board)
    (tmp_path / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), board))
    built = build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    listing = run([built.board.compiler.tool("objdump"), "-d", built.program], tmp_path)
    parts = re.split(r"^[0-9a-f]+ <([^>]+)>:$", listing, flags=re.MULTILINE)
    counts = {
        name: len(re.findall(r"^ +[0-9a-f]+:\t", body, re.MULTILINE))
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    instructions = sum(map(counts.__getitem__, CHAIN)) + 2 * sum(map(counts.__getitem__, EACH))
    if "sense" in counts:
        loop = 7  # for a pin that nobody watches
        instructions += counts["sense"] * 4 + PINS * loop
    assert 2 * instructions <= cycles_per_edge(built.board, 2)


def test_a_missing_bound_is_an_error_with_its_place(tmp_path: Path):
    """A plain refusal with the place of each function; allowed by a key of the hardware map."""
    require_board(UNO)
    (tmp_path / "code").mkdir()
    code = HEAD + (
        "static int think(int n) { return n > 0 ? think(n - 1) + wb_robot_step(16) : 0; }\n"
        "int main(void) { wb_robot_init(); for (;;) think(3); }\n"
    )
    path = tmp_path / "code" / "robot.c"
    path.write_text(code)
    text = MAP.replace("COUNTS", "1440.0")
    (tmp_path / "hardware.toml").write_text(text)
    with pytest.raises(BuildError) as caught:
        build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    line = HEAD.count("\n") + 1
    assert str(caught.value).splitlines() == [
        f"{path}:{line}:12: think calls itself",
        "so the stack has no bound, and Arduino Uno does not notice when it overwrites variables; use loops, "
        "direct calls and arrays of a fixed size, or allow it in hardware.toml: unbounded_stack = true",
    ]
    (tmp_path / "hardware.toml").write_text(text.replace("\n", "\nunbounded_stack = true\n", 1))
    built = build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    assert built.size.stack is None
    assert "stack  no bound: think calls itself" in built.report
