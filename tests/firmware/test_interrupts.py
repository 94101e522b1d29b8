"""Interrupts do not nest, the stack's bound counts them, and maps with too many edges are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.conftest import WORLD, boards, by_interrupts, families, require_board, two_wheels
from tests.firmware.onboard import AVOIDER, HEAD
from tests.firmware.test_limits import LIMITED
from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.stack import stack_bound
from wbridge.wbfirmware.map.edges import cycles_per_edge, most_edges
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import flavor_names
from wbridge.wbfirmware.tools import run

PROBE = Path(__file__).with_name("stack_probe.c")
UNO = "arduino-uno"
TRACKS = ("D8", "D9", "D12", "D13")
"""Of the left and of the right encoder: all at one interrupt."""


class Probed(NamedTuple):
    """A board whose interrupts are measured: where its encoders are, and its vectors of pin changes."""

    tracks: tuple[str, ...]
    motors: tuple[str, ...]
    """PWM, forward and backward of both."""
    vectors: str


PROBED = {
    UNO: Probed(TRACKS, ("D3", "D2", "D4", "D5", "D6", "D7"), "3-5"),
    "arduino-mega": Probed(("D50", "D51", "D52", "D53"), ("D3", "D22", "D4", "D5", "D6", "D7"), "9-11"),
    "arduino-leonardo": Probed(("D8", "D14", "D15", "D16"), ("D9", "D2", "D4", "D5", "D6", "D7"), "9-9"),
}
MAP = f"""format = 1
world = "{WORLD}"
robot = "two wheels"
board = "BOARD"
flavor = "standalone"
controller = "code"
[devices."left wheel motor"]
driver = "hbridge"
pwm = "MOTOR0"
forward = "MOTOR1"
backward = "MOTOR2"
full_speed = 12.0
encoder = "left wheel sensor"
[devices."left wheel sensor"]
driver = "quadrature_encoder"
a = "TRACK0"
b = "TRACK1"
counts = COUNTS
[devices."right wheel motor"]
driver = "hbridge"
pwm = "MOTOR3"
forward = "MOTOR4"
backward = "MOTOR5"
full_speed = 12.0
[devices."right wheel sensor"]
driver = "quadrature_encoder"
a = "TRACK2"
b = "TRACK3"
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


def map_of(board: str, counts: float) -> str:
    """The hardware map of a robot with two encoders."""
    text = MAP.replace("BOARD", board).replace("COUNTS", str(counts))
    for word, pins in (("TRACK", PROBED[board].tracks), ("MOTOR", PROBED[board].motors)):
        for k, pin in enumerate(pins):
            text = text.replace(f"{word}{k}", pin)
    return text


def mapped(folder: Path, counts: float, board: str = UNO) -> Hardware:
    """A robot with two encoders, and a controller that goes deep into the stack."""
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / "robot.c").write_text(DEEP)
    (folder / "hardware.toml").write_text(map_of(board, counts))
    return load_hardware(folder / "hardware.toml", two_wheels())


def probed(built: Built, folder: Path, interval: int) -> dict[str, int]:
    """What the probe measures within 200 ms, with so many microseconds between the edges of each encoder."""
    probe = folder / "probe"
    if not probe.is_file():
        run(["cc", "-O2", "-I/usr/include/simavr", PROBE, "-o", probe, "-lsimavr"], folder)
    board = built.board
    places = [board.emulation["pins"][pin].split()[0] for pin in PROBED[board.name].tracks]
    about = [board.emulation["mcu"], PROBED[board.name].vectors, str(interval), "200"]
    said = run([probe, built.program, *about, *places], folder)
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", said)}


@pytest.fixture(scope="module", params=boards(*PROBED))
def deep(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A program for a board with two encoders."""
    require_board(request.param)
    folder = tmp_path_factory.mktemp("deep")
    return build(mapped(folder, 1440.0, request.param), folder / "firmware")


def test_the_stack_stays_below_its_bound_with_encoders_at_full_speed(deep: Built, tmp_path: Path):
    """An edge every 40 us at each of two encoders: more than the board can count, and it must not crash.

    Judged by simavr, which counts the bytes of the stack after each instruction.
    """
    bound = deep.size.stack
    assert bound is not None
    for interval in (40, 125):
        found = probed(deep, tmp_path, interval)
        assert found["resets"] == 0
        assert found["nested"] == 1
        assert 100 < found["stack"] <= bound


def test_the_cycles_of_an_edge_are_those_that_the_processor_takes(deep: Built, tmp_path: Path):
    found = probed(deep, tmp_path, 125)
    known = cycles_per_edge(deep.board, 2)
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
    functions = _without_labels(listing)
    ends = re.findall(r"^[0-9a-f]+ <([^>]+)>:(?:\n(?!\n).*)*\t(?:reti|mret)\b", functions, re.MULTILINE)
    for name in ends:
        assert not re.search(rf"\t(?:r?call|r?jmp|jal|j)\b.*<{name}>", _without_vectors(listing)), name


def _without_labels(listing: str) -> str:
    """A disassembly without labels within functions."""
    return re.sub(r"\n[0-9a-f]+ <(?:\.L|L\d+\^)[^>]*>:\n", "", listing)


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


LABELED = """
00000100 <main>:
 100:\tcd b7       \tin\tr28, 0x3d

00000102 <.Loc.3>:
 102:\t00 d0       \trcall\t.+0      \t; 0x104 <L0^A>

00000104 <L0^A>:
 104:\t0e 94 90 00 \tcall\t0x120\t; 0x120 <deep>
 108:\tfd cf       \trjmp\t.-6      \t; 0x104 <L0^A>

00000120 <deep>:
 120:\t08 95       \tret
"""


def test_labels_within_a_function_do_not_end_it(tmp_path: Path):
    """As newer linkers for AVR keep them: the call after a label is one of the function before."""
    (tmp_path / "m.su").write_text("m.c:1:5:main\t2\tstatic\nm.c:9:6:deep\t50\tstatic\n")
    assert stack_bound(LABELED, tmp_path.glob("*.su"), "__vector_", 48).bytes == 2 + 4 + 50 + 4


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
PINS, ARM = 4, "arm"
"""On nRF chips, the interrupt disarms the pins that are watched, and arms each: four for two encoders."""


@pytest.mark.parametrize(
    "board", boards(*(name for name in families() if {"nrf", "stm32"} & set(load_board(name).project.parts)))
)
def test_the_cycles_of_an_edge_cover_all_instructions(board: str, tmp_path: Path):
    """No emulator counts cycles for these; so each instruction is counted as two, as board.toml says."""
    require_board(board)
    text = by_interrupts(propose(two_wheels(), str(WORLD), board), board)
    (tmp_path / "hardware.toml").write_text(text)
    built = build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    listing = run([built.board.compiler.tool("objdump"), "-d", built.program], tmp_path)
    parts = re.split(r"^[0-9a-f]+ <([^>]+)>:$", listing, flags=re.MULTILINE)
    counts = {
        name: len(re.findall(r"^ +[0-9a-f]+:\t", body, re.MULTILINE))
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    instructions = sum(map(counts.__getitem__, CHAIN)) + 2 * sum(map(counts.__getitem__, EACH))
    if "nrf" in built.board.project.parts:
        instructions += (PINS - 1) * counts[CHAIN[0]] + PINS * counts[ARM]
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
    text = map_of(UNO, 1440.0)
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
