"""Firmata: messages byte by byte, wirings, and a controller that drives the emulated board."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.remote.emulated import REMOTE, Serving, controlled, serving, tags, until
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.link.errors import AddressError
from wbridge.hal.protocol.loopback import Peer
from wbridge.remote_controls.emulators.firmata import Emulator
from wbridge.remote_controls.protocols.firmata import FirmataMessage, Parser, analog_write, pairs
from wbridge.remote_controls.wiring.firmata_board import FirmataBoard
from wbridge.remote_controls.wiring.read import kinds, read_wirings

STEP = 16
PINS = """
sampling = 10

[devices."left motor"]
pwm = 5
forward = 4
backward = 7
max_velocity = 10.0

[devices."right motor"]
spin = 9
max_velocity = 5

[devices.arm]
servo = 10

[devices.lamp]
led = 13

[devices.ds]
analog = "A0"
scale = 2
offset = -10

[devices.sharp]
analog = "A1"
curve = [[100, 0.8], [200, 0.4], [600, 0.1]]

[devices.bumper]
digital = 2
pullup = true

[devices.pot]
analog = "A2"
"""
TYPES = {
    "left motor": "RotationalMotor",
    "right motor": "RotationalMotor",
    "arm": "RotationalMotor",
    "lamp": "LED",
    "ds": "DistanceSensor",
    "sharp": "DistanceSensor",
    "bumper": "TouchSensor",
    "pot": "PositionSensor",
}
CAPABILITIES = bytes(
    [0xF0, 0x6C, 0x7F, 0x7F]
    + [0, 1, 11, 1, 1, 1, 4, 14, 0x7F]  # 2
    + [0, 1, 11, 1, 1, 1, 3, 8, 4, 14, 0x7F]  # 3
)


def peers() -> list[Peer]:
    """Devices that are wired."""
    limits = {"max_velocity": 10.0}
    return [Peer(kind, name, limits if "Motor" in kind else {}) for name, kind in TYPES.items()]


# The protocol, as the Firmata project publishes it.

SAID = [
    (b"\xf9", b"\xf9\x02\x05"),
    (b"\xf0\x79\xf7", b"\xf0\x79\x02\x05S\0t\0a\0n\0d\0a\0r\0d\0F\0i\0r\0m\0a\0t\0a\0.\0i\0n\0o\0\xf7"),
    (b"\xf0\x69\xf7", b"\xf0\x6a" + b"\x7f" * 14 + bytes(range(6)) + b"\xf7"),
    (b"\xf0\x6d\x0d\xf7", b"\xf0\x6e\x0d\x01\x00\xf7"),
    (b"\x91\x20\x00\xf0\x6d\x0d\xf7", b"\xf0\x6e\x0d\x01\x01\xf7"),
    (b"\xf5\x0d\x01\xf0\x6d\x0d\xf7", b"\xf0\x6e\x0d\x01\x01\xf7"),
    (b"\xf4\x05\x03\xe5\x48\x01\xf0\x6d\x05\xf7", b"\xf0\x6e\x05\x03\x48\x01\xf7"),
    (b"\xf4\x0b\x03\xf0\x6f\x0b\x7f\x01\xf7\xf0\x6d\x0b\xf7", b"\xf0\x6e\x0b\x03\x7f\x01\xf7"),
    (b"\xf4\x09\x04\xe9\x5a\x00\xf0\x6d\x09\xf7", b"\xf0\x6e\x09\x04\x5a\xf7"),
    (b"\xf0\x70\x09\x20\x04\x60\x12\xf7\xf0\x6d\x09\xf7", b"\xf0\x6e\x09\x04\x00\xf7"),
    (b"\xf4\x04\x03\xf0\x6d\x04\xf7", b"\xf0\x6e\x04\x01\x00\xf7"),  # 4 has no PWM
    (b"\xf7\xf7\x12\x34\xf9", b"\xf9\x02\x05"),
    (b"\xf0\x7a\x0a\xf9\xf9\xf7\xf9", b"\xf9\x02\x05"),  # nothing else ends a sysex
    (b"\xf0\xf7\xf0\x01\xf7\xe5\xff\xf9", b"\xf9\x02\x05"),
]


@pytest.mark.parametrize(("said", "answer"), SAID)
def test_the_emulator_answers_as_standard_firmata(said: bytes, answer: bytes):
    assert Emulator().receive(said) == answer


def test_capabilities_are_those_of_an_uno():
    assert Emulator().receive(b"\xf0\x6b\xf7").startswith(CAPABILITIES)


def test_reported_pins_are_told():
    board = Emulator()
    board.receive(b"\xc0\x01\xf0\x7a\x0a\x00\xf7\xf4\x02\x0b\xd0\x01")
    board.set("A0", 777)
    assert board.pass_time(0.01) == b"\x90\x00\x00" + b"\xe0\x09\x06"
    board.set("D2", 1)
    assert board.pass_time(0.009) == b"\x90\x04\x00"
    assert board.pass_time(0.002) == b"\xe0\x09\x06"
    board.receive(b"\xc0\x00\xd0\x00")
    board.set("D2", 0)
    assert board.pass_time(1.0) == b""
    board.receive(b"\xc0\x01\xff")
    assert board.pass_time(1.0) == b""


def test_messages_are_found_in_noise():
    parser = Parser(at_board=False)
    assert parser.feed(b"\x01\x02\xe3\x01") == []
    assert parser.feed(b"\x02\x03\xf0\x71\x01\x00\xf7") == [
        FirmataMessage(0xE0, 3, b"\x01\x02"),
        FirmataMessage(0xF0, 0x71, b"\x01\x00"),
    ]
    assert parser.feed(b"\xf0\x71\x01\xf9\x02\x05") == [FirmataMessage(0xF9, 0, b"\x02\x05")]
    assert parser.feed(b"\xf0" + bytes(5000) + b"\xf7\xf9\x02\x06")[-1] == FirmataMessage(
        0xF9, 0, b"\x02\x06"
    )


def test_writes_to_high_pins_take_the_long_form():
    assert analog_write(5, 200) == b"\xe5\x48\x01"
    assert analog_write(44, 200) == b"\xf0\x6f\x2c\x48\x01\xf7"
    assert pairs(0x3FFF, 1) == b"\x7f\x7f\x01\x00"


# A public client is the judge of the emulator.


def test_pyfirmata2_drives_the_emulator(monkeypatch: pytest.MonkeyPatch):
    client = pytest.importorskip("pyfirmata2", reason="the client pyFirmata2 is not installed")
    monkeypatch.setattr("pyfirmata2.pyfirmata2.BOARD_SETUP_WAIT_TIME", 0.2)
    with serving(Emulator()) as robot:
        board = emulator_of(robot)
        board.set("A0", 341)
        uno = client.Arduino(robot.url.removeprefix("serial://"))
        try:
            uno.samplingOn(10)
            seen: dict[str, float] = {}
            analog = uno.get_pin("a:0:i")
            analog.register_callback(lambda value: seen.update(a0=value))
            analog.enable_reporting()
            switch = uno.get_pin("d:2:u")
            switch.register_callback(lambda value: seen.update(d2=value))
            switch.enable_reporting()
            uno.get_pin("d:13:o").write(1)
            uno.get_pin("d:5:p").write(0.5)
            uno.get_pin("d:9:s").write(45)
            wait_for(lambda: seen.get("a0") == round(341 / 1023, 4))
            board.set("D2", 1)
            wait_for(lambda: seen.get("d2"))
            wait_for(lambda: (board.outputs[13], board.outputs[5], board.outputs[9]) == (1, 128, 45))
            uno.sp.write(b"\xf9")
            uno.send_sysex(0x79, [])
            wait_for(lambda: uno.firmware == "StandardFirmata.ino")
            assert uno.get_firmata_version() == (2, 5)
        finally:
            uno.exit()


# The file.


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    """The file next to a world."""
    (tmp_path / "rover.wbt").write_text("")
    path = tmp_path / "rover.pins.toml"
    path.write_text(PINS)
    return path


def test_parts_convert_both_ways(pins: Path):
    parts = read_wirings(pins, TYPES).parts
    assert parts["ds"].value({"A0": 100}) == 190.0
    assert parts["ds"].value({}) is None
    assert [parts["sharp"].value({"A1": raw}) for raw in (50, 150, 400, 700)] == pytest.approx(
        [0.8, 0.6, 0.25, 0.1]
    )
    assert [parts["bumper"].value({"D2": level}) for level in (0, 1)] == [1.0, 0.0]
    left = parts["left motor"]
    assert left.outputs() == {"D5": 0, "D4": 0, "D7": 0}
    left.set_velocity(-5.0)
    assert left.outputs() == {"D5": 0, "D4": 0, "D7": 0}  # it is not told to turn
    left.set_position(math.inf)
    assert left.outputs() == {"D5": 128, "D4": 0, "D7": 1}
    left.set_velocity(50.0)
    assert left.outputs() == {"D5": 255, "D4": 1, "D7": 0}
    assert left.stopped() == {"D5": 0, "D4": 0, "D7": 0}
    arm = parts["arm"]
    assert arm.outputs() == {}
    arm.set_position(math.pi / 4)
    assert (arm.outputs(), arm.stopped()) == ({"D10": 135}, {})
    arm.set_position(10.0)
    assert arm.outputs() == {"D10": 180}
    spin = parts["right motor"]
    spin.set_position(math.inf)
    spin.set_velocity(-2.5)
    assert (spin.outputs(), spin.stopped()) == ({"D9": 45}, {"D9": 90})


def test_all_that_is_wrong_with_a_file_is_told_at_once(pins: Path):
    pins.write_text(
        """
        sampling = 0
        speed = 1
        [devices.lamb]
        led = 3
        [devices.lamp]
        analog = "A0"
        [devices.ds]
        analog = "B0"
        scal = 2
        [devices.sharp]
        analog = "A1"
        curve = [[1, 2], [1, 3]]
        [devices.bumper]
        pullup = true
        [devices.arm]
        servo = 3
        [devices."left motor"]
        pwm = 3
        max_velocity = -1
        [devices."right motor"]
        spin = 3
        """
    )
    with pytest.raises(AddressError) as caught:
        read_wirings(pins, TYPES)
    told = str(caught.value)
    for one in [
        "sampling: found 0; expected 1 to 16383 ms",
        "speed: unknown key; allowed: devices, sampling",
        'devices.lamb: the robot has no such device, did you mean "lamp"?',
        "devices.lamp: a LED cannot be wired as analog",
        "devices.ds.analog: found 'B0'; expected a pin",
        'devices.ds.scal: unknown key, did you mean "scale"?',
        "devices.sharp.curve: found [[1, 2], [1, 3]]; expected at least two points",
        f"devices.bumper: expected one of the keys {', '.join(kinds())}",
        "devices.left motor.max_velocity: found -1; expected a number above 0",
        "devices.right motor: pin D3 is already used by devices.arm",
    ]:
        assert one in told, one


@pytest.mark.parametrize(
    ("text", "told"),
    [("x = ", "Invalid value"), ("", "devices: expected a table"), ("devices = 1", "expected a table")],
)
def test_files_that_are_none(pins: Path, text: str, told: str):
    pins.write_text(text)
    with pytest.raises(AddressError, match=told):
        read_wirings(pins, TYPES)


def test_pins_of_a_board():
    board = FirmataBoard(CAPABILITIES[2:] + bytes([2, 10, 0x7F]), bytes([127, 127, 127, 127, 0]))
    assert board.pins == {"D0": 0, "D1": 1, "D2": 2, "D3": 3, "D4": 4, "A0": 4}
    assert board.limit("A0") == 1024
    assert board.problem("D3", 3) == ""
    assert (
        board.problem("D2", 3)
        == "the pin D2 does not support pwm, only input, pullup, output, servo; these do: D3"
    )
    assert "has no pin D9" in board.problem("D9", 1)


# The plugin.


@pytest.fixture(params=["pty://", "tcp://127.0.0.1:0"])
def robot(request):
    """An emulated board at a wire."""
    with serving(Emulator(), request.param) as found:
        yield found


def emulator_of(robot: Serving) -> Emulator:
    """The board itself."""
    assert isinstance(robot.robot, Emulator)
    return robot.robot


def outputs(board: Emulator, *pins: int) -> tuple[int, ...]:
    """What some pins put out."""
    return tuple(board.outputs[pin] for pin in pins)


def drive(left: float, right: float) -> None:
    """Turn the wheels."""
    for name, velocity in (("left motor", left), ("right motor", right)):
        api.wb_motor_set_position(tags()[name], math.inf)
        api.wb_motor_set_velocity(tags()[name], velocity)


def world_of(pins: Path) -> Path:
    """The world next to the file."""
    return pins.with_name("rover.wbt")


def test_the_robot_obeys_and_tells(robot: Serving, pins: Path):
    board = emulator_of(robot)
    with controlled(peers(), "firmata", world_of(pins)):
        tag = tags()
        api.wb_distance_sensor_enable(tag["ds"], STEP)
        api.wb_distance_sensor_enable(tag["sharp"], STEP)
        api.wb_touch_sensor_enable(tag["bumper"], STEP)
        api.wb_position_sensor_enable(tag["pot"], STEP)
        for name, value in [("A0", 100), ("A1", 200), ("A2", 512), ("D2", 0)]:
            board.set(name, value)
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == REMOTE
        drive(5.0, 2.5)
        api.wb_motor_set_position(tag["arm"], -math.pi / 4)
        api.wb_led_set(tag["lamp"], 1)
        until(lambda: api.wb_distance_sensor_get_value(tag["ds"]) == 190.0, STEP)
        until(lambda: outputs(board, 5, 4, 7, 9, 10, 13) == (128, 1, 0, 135, 45, 1), STEP)
        assert board.period == 10
        until(lambda: api.wb_position_sensor_get_value(tag["pot"]) == 512.0, STEP)
        assert api.wb_distance_sensor_get_value(tag["sharp"]) == pytest.approx(0.4)
        until(lambda: api.wb_touch_sensor_get_value(tag["bumper"]) == 1.0, STEP)
        board.set("D2", 1)
        until(lambda: api.wb_touch_sensor_get_value(tag["bumper"]) == 0.0, STEP)
        assert board.modes[2] == 11
        drive(-5.0, 0.0)
        until(lambda: outputs(board, 5, 4, 7, 9) == (128, 0, 1, 90), STEP)
        api.wb_robot_set_mode(0, "")
        wait_for(lambda: not any(board.outputs.values()))


def look(k: int) -> int:
    """What the distance sensor says in step k."""
    return 40 * k % 600


def avoider(see, said) -> list[tuple[int, ...]]:
    """Turns away from what is near; what it commands."""
    tag, out = tags(), []
    api.wb_distance_sensor_enable(tag["ds"], 2 * STEP)
    drive(0.0, 0.0)
    for k in range(15):
        see(k)
        until(lambda k=k: api.wb_distance_sensor_get_value(tag["ds"]) == 2 * look(k) - 10, 2 * STEP)
        near = max(api.wb_distance_sensor_get_value(tag["ds"]), 0.0) / 1190
        left, right, lamp = 10 * near - 5, 5 - 5 * near, int(near > 0.5)
        drive(left, right)
        api.wb_led_set(tag["lamp"], lamp)
        api.wb_robot_step(2 * STEP)
        pins = (round(25.5 * abs(left)), int(left < 0), round(90 + 18 * right), lamp)
        until(lambda pins=pins: said() == pins, 2 * STEP)  # a busy machine may take more than one step
        out.append(said())
    return out


def test_one_controller_drives_the_simulated_and_the_real_robot_alike(robot: Serving, pins: Path):
    board = emulator_of(robot)
    with controlled(peers(), "firmata", world_of(pins)) as world:

        def show(k: int) -> None:
            world.before_answer = lambda loopback: loopback["ds"].send("value", 2.0 * look(k) - 10)

        def commanded() -> tuple[int, ...]:
            left, right = (world[name].last("set_velocity") for name in ("left motor", "right motor"))
            lamp = world["lamp"].last("set")
            assert left is not None and right is not None and lamp is not None
            return round(25.5 * abs(left[0])), int(left[0] < 0), round(90 + 18 * right[0]), lamp[0]

        simulated = avoider(show, commanded)
    with controlled(peers(), "firmata", world_of(pins)):
        api.wb_robot_set_mode(REMOTE, robot.url)
        real = avoider(lambda k: board.set("A0", look(k)), lambda: outputs(board, 5, 7, 9, 13))
        assert api.wb_robot_get_mode() == REMOTE
    assert len(set(simulated)) > 10
    assert real == simulated


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bad_line_neither_moves_nor_stops_the_robot_for_good(seed: int, pins: Path):
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        board, tag = emulator_of(robot), tags()
        api.wb_distance_sensor_enable(tag["ds"], STEP)
        board.set("A0", 100)
        bad = f"fault+{robot.url}?seed={seed}&corrupt=0.001&lose=0.001&double=0.001&reorder=0.001"
        api.wb_robot_set_mode(REMOTE, bad)
        assert api.wb_robot_get_mode() == REMOTE
        for k in range(1, 5):
            drive(float(k), 0.0)
            until(lambda k=k: outputs(board, 5, 4, 7, 9) == (round(25.5 * k), 1, 0, 90), STEP)
        until(lambda: api.wb_distance_sensor_get_value(tag["ds"]) == 190.0, STEP)


def test_a_board_that_starts_anew_is_set_up_again(pins: Path):
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        board = emulator_of(robot)
        api.wb_robot_set_mode(REMOTE, robot.url)
        drive(5.0, 0.0)
        until(lambda: outputs(board, 5, 4, 9) == (128, 1, 90), STEP)
        board.reset()
        until(lambda: outputs(board, 5, 4, 9) == (128, 1, 90) and board.modes[2] == 11, STEP)


def test_a_silent_board_has_failed_after_some_patience(pins: Path, capsys: pytest.CaptureFixture[str]):
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?patience=0.3")
        robot.robot.receive = lambda data: b""  # type: ignore[method-assign]
        robot.robot.pass_time = lambda seconds: b""  # type: ignore[method-assign]
        until(lambda: api.wb_robot_get_mode() == 0, STEP)
    assert "has lost the robot" in capsys.readouterr().err


def test_a_cable_that_is_plugged_in_again_finds_the_robot_standing(pins: Path, tmp_path: Path):
    link = tmp_path / "ttyUno"
    first, second = Emulator(), Emulator()
    second.receive(b"\xf4\x05\x03\xe5\x48\x01")
    with controlled(peers(), "firmata", world_of(pins)):
        with serving(first, f"pty://{link}"):
            api.wb_robot_set_mode(REMOTE, str(link))
            drive(1.0, 1.0)
            until(lambda: first.outputs[5] == 26, STEP)
        api.wb_robot_step(STEP)
        with serving(second, f"pty://{link}") as robot:
            until(lambda: second.outputs[5] == 26, STEP)
            assert 0 <= robot.heard.find(b"\xf7\xff") < robot.heard.find(b"\xe5\x1a\x00")
            assert api.wb_robot_get_mode() == REMOTE


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("devices.lamp.led = 99", "lamp: the board has no pin D99"),
        ('devices.arm.servo = "A0"', "arm: the pin A0 does not support servo"),
        (
            'devices.lamp.led = "A0"\ndevices.ds.analog = 0',
            "ds: the pin D0 does not support analog, only nothing",
        ),
        ('devices.lamp.led = 14\ndevices.ds.analog = "A0"', "ds: A0 is a pin of lamp"),
    ],
)
def test_a_board_that_cannot_be_wired_so(
    pins: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
):
    pins.write_text(text)
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == 0
    assert told in capsys.readouterr().err


def test_the_file_can_be_named(pins: Path, capsys: pytest.CaptureFixture[str]):
    other = pins.with_name("other.toml")
    other.write_text("devices.lamp.led = 12")
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?pins=none.toml")
        said = capsys.readouterr().err
        assert "none.toml: no such file. It assigns pins to devices; create it" in said
        proposed = pins.with_name("proposed.toml")
        proposed.write_text(said.partition("Proposal:\n")[2].partition("Remote control")[0])
        assert set(read_wirings(proposed, TYPES).parts) == set(TYPES)
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?pins=other.toml")
        assert api.wb_robot_get_mode() == REMOTE
        assert "no pins are defined for left motor, right motor" in capsys.readouterr().err
        api.wb_led_set(tags()["lamp"], 1)
        until(lambda: robot.robot.outputs[12] == 1, STEP)  # type: ignore[attr-defined]


def test_a_motor_that_is_wired_for_something_else_is_told(pins: Path, capsys: pytest.CaptureFixture[str]):
    pins.write_text("devices.arm.servo = 10\ndevices.'left motor'.pwm = 5\ndevices.'right motor'.spin = 9")
    with serving(Emulator()) as robot, controlled(peers(), "firmata", world_of(pins)):
        api.wb_robot_set_mode(REMOTE, robot.url)
        motors = tags()
        api.wb_motor_set_position(motors["arm"], math.inf)
        api.wb_motor_set_position(motors["left motor"], 1.0)
        api.wb_motor_set_position(motors["right motor"], math.inf)
        api.wb_robot_step(STEP)
        api.wb_motor_set_position(motors["left motor"], 2.0)
        api.wb_robot_step(STEP)
    said = capsys.readouterr().err
    assert "arm: a servo cannot turn continuously; wire it as spin or pwm" in said
    assert said.count("left motor: a motor wired by pwm cannot move to a position;") == 1
    assert "right motor: a motor" not in said
