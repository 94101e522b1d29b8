"""Firmware with a controller on board, for the robot of worlds/two_wheels.wbt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, Firmware, require_board, two_wheels
from tests.tools import folder_for_tests
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

AVOIDER = CHECKOUT / "controllers" / "two_wheels_avoider"
LONGER = 400
"""ms for which it turns when the way is free."""
FULL_SPEED = 16.0
"""rad/s of the wheels at full duty: more than the maxVelocity of 12 in the world."""
LEFT, FORWARD, BACKWARD, RIGHT, LAMP, FRONT = "D3", "D2", "D4", "D5", "D13", "A0"
"""Pins: of the left motor PWM and direction, of the right one PWM."""
TRACKS = "D9", "D10"
"""Of the left encoder."""
OWN = "host", "arduino-uno"
"""Boards with the pins of MAP; for others the map is proposed."""
HERE = '"FLAVOR"\ncontroller = "CONTROLLER"'
MAP = f"""format = 1
world = "{WORLD}"
robot = "two wheels"
board = "BOARD"
flavor = "FLAVOR"
controller = "CONTROLLER"
[battery]
driver = "battery_voltage"
pin = "A5"
ratio = 1.0
curve = [[0.0, 0.0], [5.0, 1000.0]]
[devices."left wheel motor"]
driver = "hbridge"
pwm = "{LEFT}"
forward = "{FORWARD}"
backward = "{BACKWARD}"
full_speed = {FULL_SPEED}
[devices."left wheel sensor"]
driver = "quadrature_encoder"
a = "{TRACKS[0]}"
b = "{TRACKS[1]}"
counts = 4.0
[devices."right wheel motor"]
driver = "hbridge"
pwm = "{RIGHT}"
forward = "D7"
backward = "D8"
full_speed = {FULL_SPEED}
[devices."right wheel sensor"]
driver = "none"
[devices.front]
driver = "analog_distance"
pin = "{FRONT}"
curve = [[0.0, 0.8], [5.0, 0.0]]
[devices.status]
driver = "gpio_led"
pin = "{LAMP}"
"""
HEAD = "".join(
    f"#include <webots/{name}.h>\n"
    for name in "device distance_sensor led motor position_sensor robot".split()
)


def hardware(
    folder: Path, board: str, flavor: str, controller: str, text: str = MAP, default: Path | None = None
) -> Hardware:
    """The hardware map in a folder."""
    words = {"BOARD": board, "FLAVOR": flavor, "CONTROLLER": controller}
    for key, word in words.items():
        text = text.replace(key, word)
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", two_wheels(), default)


def made(folder: Path, board: str, code: str, key: str = "") -> Built:
    """A firmware of C code with the map that is proposed for a board, and with a key at its top."""
    require_board(board)
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / "robot.c").write_text(code)
    flavor = f'"standalone"\ncontroller = "code"\n{key}'
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), board).replace('"slave"', flavor))
    return build(load_hardware(folder / "hardware.toml", two_wheels()), folder / "firmware")


def compiled(folder: Path, board: str, flavor: str, code: str, text: str = MAP) -> Built:
    """A firmware of C code, which the headers of most devices stand in front of."""
    require_board(board)
    (folder / "code").mkdir(parents=True)
    (folder / "code" / "robot.c").write_text(HEAD + code)
    return build(hardware(folder, board, flavor, "code", text), folder / "firmware")


@cache
def avoider(board: str, flavor: str) -> Firmware:
    """The firmware of the obstacle avoider, built once."""
    require_board(board)
    folder = Path(folder_for_tests(f"{board}-{flavor}-"))
    text = MAP if board in OWN else propose(two_wheels(), "w.wbt", board).replace('"slave"', HERE)
    made = hardware(folder, board, flavor, str(AVOIDER), text)
    return Firmware(build(made, folder / "firmware"), made)


def lockstep(built: Built) -> Bench:
    """A board with a firmware; its time passes on demand."""
    return Bench(built.board, built.program, lockstep=True)


def text_of(built: Built, milliseconds: int, **pins: float) -> str:
    """What a controller prints within some time; `pins` are driven before."""
    with lockstep(built) as bench:
        for pin, value in pins.items():
            bench.drive(pin, value)
        return bench.run(1000 * milliseconds).decode()
