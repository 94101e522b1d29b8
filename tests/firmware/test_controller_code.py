"""What a controller on a board may say, and what the user is told when it cannot be built in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.firmware import onboard
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import HEAD, compiled, hardware
from tests.firmware.test_drivers import device
from wbridge.hal.table import DeviceTable
from wbridge.libcontroller.compiling import BuildError
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.compiler_messages import notes
from wbridge.wbfirmware.building.missing_functions import unlinked
from wbridge.wbfirmware.map.device_rows import too_many
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

NO_COMPUTER = "firmware does not offer this function: it needs a computer or a simulation"
HEADERS = "camera keyboard supervisor vehicle/car vehicle/driver"
NO_CAR = "firmware does not offer the vehicle library; command the motors by wb_motor_... instead"
CALLS = {
    'wb_motor_set_force(wb_robot_get_device("a"), 2)': "no driver in hardware.toml has force of a "
    "RotationalMotor: hbridge has position, velocity; take the call out, or choose another driver there",
    "wb_camera_enable(1, 32)": "the robot two wheels has no Camera; take the call out, or put one into its "
    "world",
    "wb_keyboard_enable(32)": NO_COMPUTER,
    "wb_robot_battery_sensor_enable(8)": "hardware.toml has no table [battery] with a driver that measures "
    "it; write one there",
    "wb_led_set(1, 1)": "hardware.toml has no driver for the LED status; write there "
    "[devices.'status'] driver = 'DRIVER' with its pins, or take the call out",
    "wb_supervisor_node_get_root()": NO_COMPUTER,
    'wb_supervisor_set_label(1, "a", 0, 0, 1, 0, 0, "Arial")': NO_COMPUTER,
    "wb_motor_set_position(1, 2)": "",
    "wbu_driver_set_cruising_speed(30)": NO_CAR,
    "wbu_car_get_type()": NO_CAR,
}


def coded(folder: Path, code: str, name: str = "robot.c") -> Path:
    """A controller in the folder `code`."""
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / name).write_text(code)
    return folder / "code" / name


def proposed(folder: Path, board: str, without: str = "") -> Hardware:
    """The hardware map that is proposed, with the controller of the folder `code`; a device is left out."""
    text = propose(two_wheels(), str(WORLD), board).replace('"slave"', '"standalone"\ncontroller = "code"')
    table = re.compile(rf'(\[devices."{without}"\]\n).*?(?=\n\[|\n# The)', re.DOTALL)
    text = table.sub(r'\1driver = "none"\n', text)
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", two_wheels())


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "stm32f405", "riscv-virt"))
def test_each_call_that_the_board_cannot_serve_is_told_with_its_place(board: str, tmp_path: Path):
    """By each compiler, all in one pass."""
    onboard.require_board(board)
    lines = "".join(f"  {call};\n" for call in CALLS)
    more = "".join(f"#include <webots/{name}.h>\n" for name in HEADERS.split())
    path = coded(tmp_path, HEAD + more + f"int main(void) {{\n  wb_robot_init();\n{lines}}}\n")
    made = proposed(tmp_path, board, without="status")
    with pytest.raises(BuildError) as caught:
        build(made, tmp_path / "firmware")
    first = HEAD.count("\n") + more.count("\n") + 3
    told = str(caught.value).splitlines()
    wanted = [(k, call, why) for k, (call, why) in enumerate(CALLS.items()) if why]
    assert len(told) == len(wanted)
    for line, (k, call, why) in zip(told, wanted, strict=True):
        place, _, said = line.partition(": ")
        assert place.rpartition(":")[0] == f"{path}:{first + k}"
        driver = re.search(r"driver = '(\w+)'", said)
        assert said == f"{call.partition('(')[0]}: {why}".replace("DRIVER", driver[1] if driver else "")


def test_other_mistakes_are_told_in_the_files_of_the_user(tmp_path: Path):
    path = coded(tmp_path, HEAD + "int main(void) {\n  wb_robot_initialize();\n  int x = y;\n}\n")
    made = hardware(tmp_path, "host", "standalone", "code")
    first = HEAD.count("\n") + 2
    with pytest.raises(BuildError) as caught:
        build(made, tmp_path / "firmware")
    unknown, undeclared = str(caught.value).splitlines()
    why = "unknown function, or its header is not included"
    assert unknown == f"{path}:{first}:3: wb_robot_initialize: {why}"
    assert undeclared.startswith(f"{path}:{first + 1}:11: 'y' undeclared")
    coded(tmp_path, HEAD + "int start(void) {\n  return wb_robot_init();\n}\n")
    with pytest.raises(BuildError, match="the controller has no function main: .*robot.c$"):
        build(made, tmp_path / "firmware")


def test_functions_that_no_board_has_are_told_where_they_are_called(tmp_path: Path):
    require_board("arduino-uno")
    code = (
        HEAD + "#include <stdio.h>\n#include <stdlib.h>\nint helper(int);\nint main(void) {\n"
        '  FILE *log = fopen("fopen(log)", "w"); /* fopen() opens it */\n  volatile int *seen = malloc(40);\n'
        "  while (wb_robot_step(16) != -1)\n    *seen = helper(3);\n  return log == 0;\n}\n"
    )
    path, first = coded(tmp_path, code), HEAD.count("\n") + 5
    made = hardware(tmp_path, "arduino-uno", "standalone", "code")
    with pytest.raises(BuildError) as caught:
        build(made, tmp_path / "firmware")
    needs = "this function of the C library needs a computer, with files, keyboard and date; remove the call"
    file = f"{path}:{first}:15: fopen: {needs}"
    why = "no file of the controller has this function, and the board has none"
    own = f"{path}:{first + 3}:13: helper: {why}"
    heap = "the board has no heap; set heap = BYTES in hardware.toml, or use variables of a fixed size"
    memory = f"{path}:{first + 1}:24: malloc: {heap}"
    assert str(caught.value).splitlines() == [file, memory, own]
    # The library of other processors has the function, and lacks what that needs.
    said = "openr.c:50: undefined reference to `_open'\n"
    assert made.controller is not None
    assert unlinked(said, made.controller).splitlines() == [file]


def test_where_a_controller_is_looked_for(tmp_path: Path):
    def told(value: str, flavor: str = "standalone", default: Path | None = None) -> str:
        text = onboard.MAP.replace('controller = "CONTROLLER"', f"controller = {value}" if value else "")
        with pytest.raises(HardwareError) as caught:
            hardware(tmp_path, "host", flavor, "", text, default)
        (problem,) = caught.value.problems
        return f"{problem.line}: {problem.text}"

    kinds = ".c, .cpp, .cc, .cxx"
    coded(tmp_path, "", "avoider.c")
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "rover.py").write_text("")
    (tmp_path / "outside.h").write_text("")
    coded(tmp_path, '#include "../outside.h"\n', "far.c")
    assert told('"code/avoidr.c"') == (
        '6: controller: "code/avoidr.c" does not exist; there are avoider.c, far.c; did you mean "avoider.c"?'
    )
    assert told('"cod"') == '6: controller: "cod" does not exist; there are code; did you mean "code"?'
    assert told('"python"') == (
        f'6: controller: "python" has no C or C++ file ({kinds}), which this board takes; it has rover.py'
    )
    assert told('"python/rover.py"') == (
        f'6: controller: "python/rover.py" is no C or C++ file ({kinds}), which this board takes'
    )
    assert told("7") == f"6: controller: found 7; expected the path of a file ({kinds}) or a folder"
    assert told('"code"') == (
        '6: controller: far.c includes "../outside.h", which is outside of the folder code'
    )
    assert told("") == (
        "5: flavor: hil and standalone need a controller, and the robot has none in the world; name a "
        '.c or .cpp file or a folder, for example controller = "controllers/rover"'
    )
    assert told("", default=tmp_path / "gone").startswith('1: controller: "') and not told(
        "", default=tmp_path / "gone"
    ).count("robot.c")
    assert told('"code/avoider.c"', "slave") == (
        "6: controller: the flavor slave takes none; these do: hil, standalone"
    )
    assert told('"code/avoider.c"', "standalon").endswith(
        'allowed: slave, hil, standalone; did you mean "standalone"?'
    )
    made = hardware(tmp_path, "host", "hil", "code/avoider.c")
    assert made.controller is not None
    assert [one.name for one in made.controller.sources] == ["avoider.c"]


UNBOUND = """#include <stdlib.h>
static int think(int n) { return n > 0 ? think(n - 1) + (int)wb_robot_get_time() : 0; }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1) + (int)wb_robot_get_time(); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1) + (int)wb_robot_get_time(); }
static int plus(int a) { return a + 1; }
static int minus(int a) { return a - 1; }
int (*volatile chosen)(int) = plus;
static void stretch(int n) { volatile char room[n]; room[0] = 1; wb_robot_step(room[0]); }
int main(void) {
  wb_robot_init();
  int n = (int)(wb_robot_get_time() * 9);
  if (n > 3) chosen = minus;
  n += think(n) + even(n) + chosen(n);
  stretch(n);
  while (wb_robot_step(16 + n) != -1) {
  }
}
"""


def test_why_a_stack_has_no_bound(tmp_path: Path):
    """Recursion, pointers to functions and arrays of any size are named, not guessed."""
    allowing = onboard.MAP.replace("\n", "\nunbounded_stack = true\n", 1)
    built = compiled(tmp_path, "arduino-uno", "standalone", UNBOUND, allowing)
    assert built.size.stack is None
    why = "; ".join(built.size.why)
    assert "think calls itself" in why
    assert re.search("(odd|even) calls itself", why)
    assert "calls through a pointer" in why
    assert re.search(r"(stretch|main) has arrays of a size that varies", why)
    assert f"stack  no bound: {why}" in built.report


def test_the_stack_of_the_controller_is_counted(tmp_path: Path):
    code = """
    static void fill(volatile char *room) { for (int k = 0; k < SIZE; k++) room[k] = 1; wb_robot_step(16); }
    int main(void) { wb_robot_init(); for (;;) { volatile char room[SIZE]; fill(room); } }"""
    small, large = (
        compiled(tmp_path / size, "arduino-uno", "standalone", code.replace("SIZE", size)).size.stack
        for size in ("20", "220")
    )
    assert small is not None and large is not None
    assert large - small == 200


def test_the_sizes_of_the_obstacle_avoider_on_the_uno():
    size = onboard.avoider("arduino-uno", "standalone").built.size
    assert size.stack is not None
    assert size.flash <= 12_000
    assert size.ram + size.stack <= 900
    size = onboard.avoider("arduino-uno", "hil").built.size
    assert size.stack is not None
    assert size.flash <= 12_000
    assert size.ram + size.stack <= 900


def test_what_is_too_large_is_refused(tmp_path: Path):
    code = "static volatile char many[1600];\nint main(void) { for (;;) wb_robot_step(many[5]); }"
    why = "variables take .* has 2048 bytes of RAM; .*use fewer variables in the controller"
    with pytest.raises(BuildError, match=why):
        compiled(tmp_path, "arduino-uno", "standalone", code)


def test_a_robot_with_more_than_a_board_can_reach(tmp_path: Path):
    lamps = tuple(device(k + 1, f"lamp {k}", "LED", {"gradual": False}) for k in range(130))
    longer = (device(131, "x" * 251, "LED", {"gradual": False}),)
    coded(tmp_path, HEAD + "int main(void) { return wb_robot_init(); }\n")
    head = (
        'format = 1\nworld = "w.wbt"\nrobot = "many"\nboard = "host"\nflavor = "hil"\ncontroller = "code"\n'
    )
    text = head + "".join(f'[devices."{one.name}"]\ndriver = "DRIVER"\n' for one in (*lamps, *longer))
    pins = (f'"gpio_led"\npin = "D{k}"' if k < 32 else '"none"' for k in range(131))
    (tmp_path / "hardware.toml").write_text(re.sub('"DRIVER"', lambda match: next(pins), text))
    table = DeviceTable(device(0, "many", "Robot", {"basicTimeStep": 16.0}), lamps + longer)
    with pytest.raises(HardwareError, match='the name "xxxxxxxxxxxxxxxxxxxx..." has more than 250 bytes'):
        load_hardware(tmp_path / "hardware.toml", table)
    made = hardware(tmp_path / "code", "host", "hil", "robot.c")
    (one,) = (wiring for wiring in made.wirings if wiring.device.type == "LED")
    many = made._replace(wirings=[one._replace(device=lamp) for lamp in lamps], table=table)
    assert "the devices on the board have 130 commands, and a controller there can use 127" in [
        *too_many(many)
    ]


def test_what_is_different_on_a_board_is_said_when_it_is_built(tmp_path: Path):
    coded(
        tmp_path, HEAD + '#include <stdio.h>\nint main(void) { printf("x"); for (;;) wb_robot_step(16); }\n'
    )
    assert [*notes(hardware(tmp_path, "host", "hil", "code"))] == [
        "what the controller prints is dropped: the wire of hil belongs to the link"
    ]
    alone = hardware(tmp_path, "host", "standalone", "code")
    assert [*notes(alone)] == []
    table = alone.table
    left = next(one for one in table.devices if one.name == "left wheel motor")
    pair = left._replace(constants={**left.constants, "coupled": [3]})
    coupled = table._replace(devices=tuple(pair if one is left else one for one in table.devices))
    assert [*notes(alone._replace(table=coupled))] == [
        'motors coupled in the world are not coupled on the board; command each one: "left wheel motor"'
    ]


def test_the_controller_of_the_world_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Found as a simulation finds it, when the hardware map names none."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / "controllers" / "rover").mkdir(parents=True)
    text = WORLD.read_text().replace('"<none>"', '"rover"').replace('"../', f'"{WORLD.parent.parent}/')
    (tmp_path / "worlds" / "rover.wbt").write_text(text)
    words = onboard.MAP.replace(str(WORLD), "worlds/rover.wbt").replace('controller = "CONTROLLER"\n', "")
    words = words.replace("BOARD", "host").replace("FLAVOR", "standalone")
    (tmp_path / "hardware.toml").write_text(words)
    command = ["firmware", "build", str(tmp_path / "hardware.toml")]
    assert main(command) == 2
    assert '/controllers/rover" has no C or C++ file' in capsys.readouterr().err
    code = HEAD + "int main(void) {\n  wb_robot_init();\n}\n"
    (tmp_path / "controllers" / "rover" / "rover.c").write_text(code)
    assert main(command) == 0
    assert (tmp_path / "firmware" / "controller" / "rover.c").read_text() == code
