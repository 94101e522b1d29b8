"""Wiring diagrams: what they connect, how they are drawn, and what they warn of."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.boards.drivers import drivers
from wbridge.wbfirmware.boards.parts import parts
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import templates_path
from wbridge.wbfirmware.wiring.connections import plan_wiring
from wbridge.wbfirmware.wiring.drawing import draw_wiring
from wbridge.wbfirmware.wiring.electrical import electrical_warnings
from wbridge.wbfirmware.wiring.headers import board_headers
from wbridge.wbfirmware.wiring.layout import arrange
from wbridge.wbfirmware.wiring.symbols import SYMBOLS

HEAD = f'format = 1\nworld = "{WORLD}"\nrobot = "two wheels"\nflavor = "slave"\n'
SVG = "{http://www.w3.org/2000/svg}"


def hardware(folder: Path, board: str, **devices: str) -> Hardware:
    """A hardware map in which only these devices are on the board, with the lines of their tables."""
    head = HEAD.replace("slave", "standalone") if load_board(board).python else HEAD
    text = head + f'board = "{board}"\n'
    for device in two_wheels().devices:
        lines = devices.get(device.name.replace(" ", "_"), 'driver = "none"')
        text += f'[devices."{device.name}"]\n{lines}\n'
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", two_wheels(), needs_controller=False)


def proposed(folder: Path, board: str) -> Hardware:
    """The proposed hardware map of a board."""
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), board))
    return load_hardware(folder / "hardware.toml", two_wheels(), needs_controller=False)


def told(found: Hardware) -> str:
    """All warnings of a hardware map."""
    return "\n".join(one.text for one in electrical_warnings(plan_wiring(found)))


ECHO = 'driver = "ultrasonic"\ntrigger = "{0}"\necho = "{1}"\n'
PINS = {"pico": ("GP2", "GP3"), "arduino-uno": ("D2", "D3")}
BOARDS = (
    *("arduino", "arduino-leonardo", "arduino-mega", "arduino-nano", "microbit-v2", "pico"),
    *("bluepill", "esp32-c3", "esp32-s3-micropython", "nucleo-f401re", "pyboard", "stm32f405"),
)
"""Boards with headers of every shape; the last one has no description of them."""


CORNERS = {
    "arduino-mega": ("IOREF", "SCL"),
    "arduino-nano": ("D13", "D12"),
    "arduino-uno": ("IOREF", "SCL"),
    "bluepill": ("PB12", "GND"),
    "esp32": ("3V3", "GND"),
    "esp32-c3": ("IO5", "5V"),
    "esp32-s3-micropython": ("GND", "GND"),
    "microbit-v2": ("P3", "P2"),
    "nucleo-f401re": ("IOREF", "PB8"),
    "pico": ("GP0", "VBUS"),
    "pyboard": ("Y1", "VIN"),
}
"""The first pins of the left and the right edge, seen from above with the USB port at the top: of the
ESP32-DevKitC the antenna; of the micro:bit the first ones of both halves of the edge. From the pinouts of the
boards' makers; of the BluePill and the Super Mini from Wokwi's boards of these names."""


def test_boards_are_drawn_from_above():
    drawn = {board: board_headers(load_board(board), []) for board in CORNERS}
    assert {board: (one.left[0], one.right[0]) for board, one in drawn.items()} == CORNERS
    assert drawn["esp32-s3-micropython"].side_of("5V") == "right", "its corners are alike"
    described = {file.stem for file in (templates_path() / "headers").glob("*.toml")}
    assert described == {load_board(board).circuit.headers for board in CORNERS}
    for board, one in drawn.items():
        assert {*load_board(board).circuit.names.values()} <= {*one.left, *one.right}


@pytest.mark.parametrize("board", BOARDS)
def test_every_pin_of_the_map_is_wired_to_its_part(board: str, tmp_path: Path):
    found = proposed(tmp_path, board)
    text = draw_wiring(plan_wiring(found))
    titles = [one.text or "" for one in ElementTree.fromstring(text).iter(f"{SVG}title")]
    for wiring in found.wirings:
        pins = [wiring.values[name] for name, one in wiring.driver.parameters.items() if one.kind == "pin"]
        for pin in pins:
            assert any(one.startswith(f"{pin} to ") and wiring.device.name in one for one in titles), pin


@pytest.mark.parametrize("board", ["nucleo-f401re", "nucleo-f446re-micropython"])
def test_pins_have_the_names_that_are_printed_beside_them(board: str, tmp_path: Path):
    """A Nucleo has the headers of an Arduino (UM1724, table "Arduino connectors")."""
    found = proposed(tmp_path, board)
    keys = r'^(?:# )?(?:pwm|forward|backward|a|b|pin) = "(\w+)"'
    names = re.findall(keys, found.path.read_text(), re.MULTILINE)
    assert len(names) == 13
    assert all(re.fullmatch(r"[AD]\d+", one) for one in names)
    found.path.write_text(re.sub('pwm = ".*"', 'pwm = "D10"', found.path.read_text(), count=1))
    found = load_hardware(found.path, two_wheels(), needs_controller=False)
    assert found.wirings[0].values["pwm"] == "PB6"
    assert re.search(r'<text class="w-on-board[^>]*>PB6 D10</text>', draw_wiring(plan_wiring(found)))


@pytest.mark.parametrize("board", BOARDS)
def test_wires_end_at_pins_and_do_not_cover_each_other(board: str, tmp_path: Path):
    diagram = arrange(plan_wiring(proposed(tmp_path, board)))
    pads = {(x, y) for x, y in diagram.board_pins.values()}
    for box in diagram.boxes:
        edge = box.x + box.width if box.side == "left" else box.x
        pads |= {(edge, pin.y) for pin in box.pins}
    solid = [diagram.board, *((box.x, box.y, box.width, box.height) for box in diagram.boxes)]
    segments = [(net.board_pin, tuple(line)) for net in diagram.nets for line in net.lines]
    for net in diagram.nets:
        ends = {end for line in net.lines for end in line}
        assert len(ends & pads) >= 2, f"{net.board_pin} connects a pin of the board with one of a part"
    for pin, (start, end) in segments:
        for x, y, width, height in solid:
            inside = (
                max(min(start[0], end[0]), x) < min(max(start[0], end[0]), x + width)
                and y < start[1] < y + height
            )
            crosses = (
                max(min(start[1], end[1]), y) < min(max(start[1], end[1]), y + height)
                and x < start[0] < x + width
            )
            assert not inside, f"{pin} passes through a part"
            assert not crosses, f"{pin} passes through a part"
    for (pin, one), (other_pin, other) in itertools.combinations(segments, 2):
        assert pin == other_pin or not _cover(one, other), f"{pin} and {other_pin} cover each other"


def _cover(one: tuple[tuple[float, float], ...], other: tuple[tuple[float, float], ...]) -> bool:
    """Two straight wires lie on each other for some length."""
    for along, across in ((0, 1), (1, 0)):
        if one[0][across] == one[1][across] == other[0][across] == other[1][across]:
            low = max(min(end[along] for end in wire) for wire in (one, other))
            high = min(max(end[along] for end in wire) for wire in (one, other))
            return high > low
    return False


def test_parts_do_not_overlap(tmp_path: Path):
    diagram = arrange(plan_wiring(proposed(tmp_path, "arduino-mega")))
    for one, other in itertools.combinations(diagram.boxes, 2):
        assert one.side != other.side or one.y + one.height < other.y or other.y + other.height < one.y
    assert all(box.y + box.height < diagram.height for box in diagram.boxes)


def test_two_motors_share_a_motor_driver_and_two_sensors_a_chip(tmp_path: Path):
    motor = 'driver = "hbridge"\nfull_speed = 12.0\n'
    found = hardware(
        tmp_path,
        "arduino-uno",
        left_wheel_motor=motor + 'pwm = "D3"\nforward = "D2"\nbackward = "D4"',
        right_wheel_motor=motor + 'pwm = "D5"\nforward = "D7"\nbackward = "D8"',
    )
    (placed,) = plan_wiring(found).parts
    ends = {(one.pin, one.board_pin) for one in placed.connections}
    assert ends == {
        *{("12V", ""), ("GND", "GND"), ("ENA", "D3"), ("IN1", "D2"), ("IN2", "D4")},
        *{("ENB", "D5"), ("IN3", "D7"), ("IN4", "D8")},
    }


def test_a_signal_of_5_volts_at_a_pin_for_3_3_volts_is_reported(tmp_path: Path):
    on_pico = hardware(tmp_path, "pico", front=ECHO.format(*PINS["pico"]))
    assert "sends 5 V at Echo, and GP3 withstands 3.3 V" in told(on_pico)
    assert not told(hardware(tmp_path, "arduino-uno", front=ECHO.format(*PINS["arduino-uno"])))
    lower = hardware(tmp_path, "pico", front=ECHO.format(*PINS["pico"]) + 'part = "hc_sr04p"')
    assert not told(lower), "this part runs on 3.3 V"


def test_a_motor_directly_at_a_pin_is_reported(tmp_path: Path):
    lamp = 'driver = "gpio_led"\npin = "D13"\n'
    assert not told(hardware(tmp_path, "arduino-uno", status=lamp))
    found = told(hardware(tmp_path, "arduino-uno", status=lamp + "current = 0.3"))
    assert "(status) draws 300 mA from D13, which supplies at most 20 mA: use a transistor" in found
    assert "all parts together draw 300 mA from the pins" in found


@pytest.mark.parametrize(
    ("board", "pin", "top"),
    [
        ("esp32-c3", "IO0", "2.5"),
        ("esp32", "IO32", "3.1"),
        ("pico", "GP26", None),
        ("arduino-uno", "A0", None),
    ],
)
def test_voltages_above_the_end_of_a_converter_are_reported(
    tmp_path: Path, board: str, pin: str, top: str | None
):
    """Data sheets of the ESP32-C3 and ESP32: the ranges of their converters at the largest attenuation."""
    found = told(hardware(tmp_path, board, front=f'driver = "analog"\npin = "{pin}"\n'))
    text = f"sends up to 3.3 V at output, and {pin} measures up to {top} V"
    assert text in found if top else not found
    given = propose(two_wheels(), str(WORLD), board)
    assert ("measured up to" in given) == bool(top)


@pytest.mark.parametrize(("board", "pin", "other"), [("bluepill", "PC13", "PB12"), ("pyboard", "X18", "Y5")])
def test_a_lamp_at_a_pin_that_supplies_nothing_is_reported(tmp_path: Path, board: str, pin: str, other: str):
    """Data sheets of the STM32F103x8 and F405xx, notes of the pin definitions: PC13 must not be a source."""
    lamp = 'driver = "gpio_led"\npin = "{}"\n'
    found = told(hardware(tmp_path, board, status=lamp.format(pin)))
    assert f"draws 10 mA from {pin}, which supplies at most 0 mA: use another pin, or connect it to" in found
    assert not told(hardware(tmp_path, board, status=lamp.format(pin) + "inverted = true"))
    assert not told(hardware(tmp_path, board, status=lamp.format(other)))


def test_the_sum_of_the_currents_of_a_supply_is_reported(tmp_path: Path):
    front = ECHO.format(*PINS["arduino-uno"]) + "current = 0.45"
    found = told(hardware(tmp_path, "arduino-uno", front=front))
    assert "1 part draws 450 mA from 5V, which supplies at most 400 mA" in found


def test_wrong_parts_and_currents_are_reported_together(tmp_path: Path):
    lines = ECHO.format(*PINS["arduino-uno"]) + 'part = "hc_sr04x"\ncurrent = -1'
    with pytest.raises(HardwareError) as caught:
        hardware(tmp_path, "arduino-uno", front=lines)
    text = str(caught.value)
    assert "part: found 'hc_sr04x'; parts for ultrasonic: hc_sr04, hc_sr04p; did you mean \"hc_sr04\"" in text
    assert "current: found -1; allowed: 0 to 100 A" in text


def test_the_command_writes_the_drawing_and_lists_connections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    hardware(tmp_path, "pico", front=ECHO.format(*PINS["pico"]))
    assert main(["firmware", "wiring", str(tmp_path / "hardware.toml")]) == 0
    out, err = capsys.readouterr()
    printed = out.splitlines()
    assert [line.split()[:2] for line in printed] == [
        *(["VBUS", "VCC"], ["GND", "GND"], ["GP2", "Trig"], ["GP3", "Echo"]),
    ]
    assert "withstands 3.3 V" in err
    root = ElementTree.fromstring((tmp_path / "hardware.svg").read_text())
    texts = [re.sub(r"\s+", " ", "".join(one.itertext())) for one in root.iter(f"{SVG}text")]
    assert {"two wheels on Raspberry Pi Pico", "HC-SR04 ultrasonic sensor", "front"} <= set(texts)
    assert "withstands 3.3 V" in " ".join(texts), "warnings are part of the drawing"


def test_the_picture_in_the_documentation_is_that_of_the_sample(tmp_path: Path):
    sample = CHECKOUT / "worlds" / "two_wheels_uno.toml"
    assert main(["-q", "firmware", "wiring", str(sample), "-o", str(tmp_path / "new.svg")]) == 0
    picture = CHECKOUT / "docs" / "images" / "wiring.svg"
    assert picture.read_text() == (tmp_path / "new.svg").read_text(), (
        "draw it again: wbridge firmware wiring worlds/two_wheels_uno.toml -o docs/images/wiring.svg"
    )


def test_every_part_is_complete():
    served = {name for one in parts().values() for name in one.drivers}
    assert served == set(drivers()), "each driver has a part"
    for part in parts().values():
        assert part.symbol in SYMBOLS
        known = {name for driver in part.drivers for name in drivers()[driver].parameters}
        named = {name for channel in part.channels for name in channel.values()} | set(part.bus.values())
        assert named | set(part.signals) <= known, part.name
        assert set(part.pins.values()) <= {"supply", "ground", "battery"}
