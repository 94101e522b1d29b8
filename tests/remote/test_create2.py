"""Create 2: the Open Interface byte by byte, and a controller that drives the emulated robot."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from tests.remote.emulated import REMOTE, Serving, controlled, serving, tags, until
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.protocol.loopback import Peer
from wbridge.remote_controls.create2 import STREAMED, Plugin
from wbridge.remote_controls.emulators.create2 import Emulator
from wbridge.remote_controls.protocols.open_interface import GROUPS, PACKETS, StreamReader, stream_frame

STEP = 32
WHEELS = ("left wheel motor", "right wheel motor")
RADIUS_MM = 36
SAFE = b"\x80\x83"
"""START, SAFE."""


def peers() -> list[Peer]:
    """Devices as Webots' model names them."""
    motors = [Peer("RotationalMotor", name, {"max_velocity": 16.0}) for name in WHEELS]
    encoders = [Peer("PositionSensor", f"{side} wheel sensor") for side in ("left", "right")]
    bumpers = [Peer("TouchSensor", f"bumper_{side}") for side in ("left", "right")]
    cliffs = [
        Peer("DistanceSensor", f"cliff_{place}") for place in ("left", "front_left", "front_right", "right")
    ]
    return [*motors, *encoders, *bumpers, *cliffs, Peer("LED", "led_on"), Peer("LED", "led_play")]


# The protocol, as iRobot publishes it.


@pytest.mark.parametrize(
    ("group", "size"),
    [(0, 26), (1, 10), (2, 6), (3, 10), (4, 14), (5, 12), (6, 52), (100, 80), (101, 28), (106, 12), (107, 9)],
)
def test_groups_have_the_published_sizes(group: int, size: int):
    robot = Emulator()
    assert len(robot.receive(SAFE + bytes([142, group]))) == size
    assert sum(PACKETS[one].size for one in GROUPS[group]) == size


ANSWERS = [
    (bytes([142, 35]), b"\x02"),
    (bytes([132, 142, 35]), b"\x03"),
    (bytes([173, 142, 35]), b""),
    (bytes([142, 7]), b"\x02"),
    (bytes([142, 22]), struct.pack(">H", 15000)),
    (bytes([142, 23]), struct.pack(">h", -250)),
    (bytes([149, 3, 7, 35, 24]), b"\x02\x02\x19"),
    (b"\x91\x00\xc8\xff\x38\x8e\x29\x8e\x2a", struct.pack(">hh", 200, -200)),
    (b"\x89\x00\xc8\x80\x00\x95\x02\x29\x2a", struct.pack(">hh", 200, 200)),
    (b"\x89\x00\xc8\x00\x01\x95\x02\x29\x2a", struct.pack(">hh", 200, -200)),
    (b"\x89\x00\xc8\xff\xff\x95\x02\x29\x2a", struct.pack(">hh", -200, 200)),
    (b"\x89\x00\xc8\x01\xf4\x95\x02\x29\x2a", struct.pack(">hh", 247, 153)),
    (b"\x92\x00\xff\xff\x01\x95\x02\x29\x2a", struct.pack(">hh", 500, -500)),
    (b"\x91\x7f\xff\x80\x00\x95\x02\x29\x2a", struct.pack(">hh", 500, -500)),
    (b"\x80\x91\x00\xc8\x00\xc8\x95\x02\x29\x2a", bytes(4)),
    (b"\x8c\x00\x02\x40\x10\x41\x10\x8d\x00\x8e\x23", b"\x02"),
    (b"\x00\x01\xff\x8e\x23", b"\x02"),
]


@pytest.mark.parametrize(("said", "answer"), ANSWERS)
def test_the_emulator_answers_as_specified(said: bytes, answer: bytes):
    robot = Emulator()
    robot.set("bumper_left", 1)
    assert robot.receive(SAFE) == b""
    assert robot.receive(said) == answer


def test_nothing_is_done_before_start():
    robot = Emulator()
    assert robot.receive(bytes([131, 142, 35])) == b""
    assert robot.mode == 0


def test_the_stream_has_a_check_and_its_period():
    robot = Emulator()
    robot.receive(SAFE + bytes([148, 2, 29, 13]))
    assert robot.pass_time(0.014) == b""
    frame = robot.pass_time(0.002)
    assert frame == bytes([19, 5, 29, 0x0A, 0xF0, 13, 0]) + frame[-1:]
    assert sum(frame) % 256 == 0
    robot.receive(bytes([150, 0]))
    assert robot.pass_time(1.0) == b""
    robot.receive(bytes([150, 1]))
    assert robot.pass_time(1.0) == frame


def test_an_example_of_the_specification_is_a_good_frame():
    # "[19][5][29][2][25][13][0][163]"
    assert stream_frame(bytes([29, 2, 25, 13, 0])) == bytes([19, 5, 29, 2, 25, 13, 0, 163])


def test_damaged_frames_are_dropped():
    frame = stream_frame(bytes([35, 2, 22, 58, 152]))
    reader = StreamReader((35, 22))
    assert reader.feed(frame[:4]) == []
    assert reader.feed(frame[4:] + frame) == [{35: 2, 22: 15000}] * 2
    for at in range(len(frame)):
        bad = frame[:at] + bytes([frame[at] ^ 0x10]) + frame[at + 1 :]
        assert reader.feed(bad + frame) in ([{35: 2, 22: 15000}], [])
    assert reader.feed(frame + frame)[-1:] == [{35: 2, 22: 15000}]


def test_wheels_turn_and_count():
    robot = Emulator()
    robot.receive(SAFE + struct.pack(">Bhh", 145, 100, 100))
    robot.pass_time(2.0)
    left, right, distance = struct.unpack(">HHh", robot.receive(bytes([149, 3, 43, 44, 19])))
    assert left == right == int(200 / (2 * math.pi * RADIUS_MM) * 508.8)
    assert distance == pytest.approx(200, abs=1)
    robot.receive(struct.pack(">Bhh", 145, 100, -100))
    robot.pass_time(1.0)
    (angle,) = struct.unpack(">h", robot.receive(bytes([142, 20])))
    assert angle == int(math.degrees(200 / 235))


@pytest.mark.parametrize("name", ["wheel_drop_left", "cliff_front_left", "home_base"])
def test_safe_mode_ends_when_it_is_not_safe(name: str):
    robot = Emulator()
    robot.receive(SAFE + struct.pack(">Bhh", 145, 100, 100))
    robot.set(name, 1)
    assert (robot.mode, robot.asked) == (1, [0, 0])


# A public client of the robot is the judge of the emulator.


def test_pycreate2_drives_the_emulator(capsys: pytest.CaptureFixture[str]):
    client = pytest.importorskip("pycreate2", reason="the client pycreate2 is not installed")
    with serving(Emulator()) as robot:
        emulator = robot.robot
        assert isinstance(emulator, Emulator)
        emulator.set("bumper_right", 1)
        emulator.set("light_bumper_left", 500)
        bot = client.Create2(robot.url.removeprefix("serial://"))
        try:
            bot.sleep_timer = 0.01
            bot.start()
            bot.safe()
            bot.drive_direct(150, -50)
            bot.led(4, 255, 128)
            bot.digit_led_ascii("Hi")
            seen = bot.get_sensors()
            assert (seen.open_interface_mode, seen.voltage, seen.temperature) == (2, 15000, 25)
            assert (seen.velocity_right, seen.velocity_left) == (150, -50)
            assert tuple(seen.bumps_wheeldrops) == (True, False, False, False)  # its names are swapped
            assert seen.light_bumper_left == 500 and seen.light_bumper.left
            assert emulator.leds == (4, 255, 128)
            assert emulator.digits == "HI  "
            assert set(emulator.songs) == {0, 1, 2, 3}
        finally:
            del bot
        wait_for(lambda: emulator.mode == 0)


# The plugin.


@pytest.fixture(params=["pty://", "tcp://127.0.0.1:0"])
def robot(request):
    """An emulated robot at a wire."""
    with serving(Emulator(), request.param) as found:
        yield found


def emulator_of(robot: Serving) -> Emulator:
    """The robot itself."""
    assert isinstance(robot.robot, Emulator)
    return robot.robot


def drive(left: float, right: float) -> None:
    """Turn the wheels."""
    for name, velocity in zip(WHEELS, (left, right), strict=True):
        api.wb_motor_set_position(tags()[name], math.inf)
        api.wb_motor_set_velocity(tags()[name], velocity)


def test_the_robot_obeys_and_tells(robot: Serving):
    emulator = emulator_of(robot)
    with controlled(peers(), "create2"):
        tag = tags()
        api.wb_touch_sensor_enable(tag["bumper_left"], STEP)
        api.wb_touch_sensor_enable(tag["bumper_right"], STEP)
        api.wb_distance_sensor_enable(tag["cliff_left"], STEP)
        api.wb_distance_sensor_enable(tag["cliff_right"], STEP)
        api.wb_position_sensor_enable(tag["left wheel sensor"], STEP)
        api.wb_robot_battery_sensor_enable(STEP)
        emulator.set("bumper_left", 1)
        emulator.set("cliff_right_signal", 20)
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == REMOTE
        drive(5.0, -5.0)
        api.wb_led_set(tag["led_on"], 1)
        api.wb_led_set(tag["led_play"], 1)
        until(lambda: api.wb_touch_sensor_get_value(tag["bumper_left"]) == 1.0, STEP)
        until(lambda: emulator.asked == [180, -180], STEP)
        assert api.wb_touch_sensor_get_value(tag["bumper_right"]) == 0.0
        assert api.wb_distance_sensor_get_value(tag["cliff_left"]) == 2800.0
        assert api.wb_distance_sensor_get_value(tag["cliff_right"]) == 100.0  # the robot sees no cliff
        assert api.wb_robot_battery_sensor_get_value() == pytest.approx(2.0 * 3600 * 15)
        assert emulator.leds == (2, 0, 255)
        before = api.wb_position_sensor_get_value(tag["left wheel sensor"])
        until(lambda: api.wb_position_sensor_get_value(tag["left wheel sensor"]) > before + 0.2, STEP, 100)
        drive(100.0, 0.0)
        until(lambda: emulator.asked == [500, 0], STEP)
        api.wb_robot_set_mode(0, "")
        wait_for(lambda: emulator.mode == 1)
    assert emulator.asked == [0, 0]
    assert emulator.leds == (0, 0, 0)


def test_a_robot_that_has_stopped_by_itself_is_driven_again_when_the_controller_reacts(robot: Serving):
    emulator = emulator_of(robot)
    with controlled(peers(), "create2"):
        tag = tags()
        api.wb_distance_sensor_enable(tag["cliff_front_left"], STEP)
        api.wb_robot_set_mode(REMOTE, robot.url)
        drive(5.0, 5.0)
        until(lambda: emulator.asked == [180, 180], STEP)
        emulator.set("cliff_front_left", 1)
        assert emulator.asked == [0, 0]
        until(lambda: api.wb_distance_sensor_get_value(tag["cliff_front_left"]) == 0.0, STEP)
        for _ in range(5):
            api.wb_robot_step(STEP)
        assert (emulator.mode, emulator.asked) == (1, [0, 0])
        drive(-5.0, -5.0)
        until(lambda: emulator.asked == [-180, -180], STEP)
        assert emulator.mode == 2


def look(k: int) -> dict[str, float]:
    """What bumpers and cliff sensors see in step k."""
    return {"bumper_left": float(k % 9 == 4), "bumper_right": float(k % 7 == 3)}


def bumper(see, said) -> list[tuple[int, int]]:
    """Backs off from what it bumps into; what it commands, in mm/s."""
    tag, out = tags(), []
    bumpers = ("bumper_left", "bumper_right")
    for name in bumpers:
        api.wb_touch_sensor_enable(tag[name], STEP)
    drive(0.0, 0.0)
    see(4)
    until(lambda: api.wb_touch_sensor_get_value(tag["bumper_left"]) == 1.0, STEP)
    for k in range(25):
        see(k)
        seen = [look(k)[name] for name in bumpers]
        until(lambda seen=seen: [api.wb_touch_sensor_get_value(tag[name]) for name in bumpers] == seen, STEP)
        left, right = (api.wb_touch_sensor_get_value(tag[name]) for name in bumpers)
        wanted = (4.0 - 9.0 * right + k / 10, 4.0 - 9.0 * left)
        drive(*wanted)
        speeds = tuple(round(RADIUS_MM * one) for one in wanted)
        until(lambda speeds=speeds: said() == speeds, STEP)  # a busy machine may take more than one step
        out.append(said())
    return out


def test_one_controller_drives_the_simulated_and_the_real_robot_alike(robot: Serving):
    emulator = emulator_of(robot)
    with controlled(peers(), "create2") as world:

        def show(k: int) -> None:
            world.before_answer = lambda loopback: [
                loopback[name].send("value", value) for name, value in look(k).items()
            ]

        def commanded() -> tuple[int, int]:
            left, right = (world[name].last("set_velocity") for name in WHEELS)
            assert left is not None and right is not None
            return round(RADIUS_MM * left[0]), round(RADIUS_MM * right[0])

        simulated = bumper(show, commanded)
    with controlled(peers(), "create2"):
        api.wb_robot_set_mode(REMOTE, robot.url)
        real = bumper(
            lambda k: [emulator.set(name, value) for name, value in look(k).items()],
            lambda: (emulator.asked[0], emulator.asked[1]),
        )
        assert api.wb_robot_get_mode() == REMOTE
    assert len(set(simulated)) > 10
    assert real == simulated


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bad_line_neither_moves_nor_stops_the_robot_for_good(seed: int):
    with serving(Emulator()) as robot, controlled(peers(), "create2"):
        emulator, tag = emulator_of(robot), tags()
        api.wb_touch_sensor_enable(tag["bumper_left"], STEP)
        emulator.set("bumper_left", 1)
        bad = f"fault+{robot.url}?seed={seed}&corrupt=0.003&lose=0.003&double=0.003&reorder=0.003"
        api.wb_robot_set_mode(REMOTE, bad)
        assert api.wb_robot_get_mode() == REMOTE
        for k in range(1, 5):
            drive(float(k), -float(k))
            until(lambda wanted=RADIUS_MM * k: emulator.asked == [wanted, -wanted], STEP)
        until(lambda: api.wb_touch_sensor_get_value(tag["bumper_left"]) == 1.0, STEP)


def test_a_silent_robot_has_failed_after_some_patience(capsys: pytest.CaptureFixture[str]):
    with serving(Emulator()) as robot, controlled(peers(), "create2"):
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?patience=0.3")
        until(lambda: emulator_of(robot).mode == 2, STEP)
        robot.robot.pass_time = lambda seconds: b""  # type: ignore[method-assign]
        until(lambda: api.wb_robot_get_mode() == 0, STEP)
    assert "has lost the robot" in capsys.readouterr().err


def test_a_robot_at_its_charger_cannot_be_driven(capsys, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Plugin, "GREETING", 0.3)
    with serving(Emulator()) as robot, controlled(peers(), "create2"):
        robot.robot.set("home_base", 1)
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == 0
        assert "it is on its charger" in capsys.readouterr().err
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?full=2")
        assert "full=2: expected 0 or 1" in capsys.readouterr().err
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?ful=1")
        assert 'unknown option "ful"' in capsys.readouterr().err


def test_a_cable_that_is_plugged_in_again_finds_the_robot_standing(tmp_path: Path):
    link = tmp_path / "ttyCreate"
    first, second = Emulator(), Emulator()
    second.receive(SAFE + struct.pack(">Bhh", 145, 300, 300))
    with controlled(peers(), "create2"):
        with serving(first, f"pty://{link}"):
            api.wb_robot_set_mode(REMOTE, str(link))
            drive(1.0, 1.0)
            until(lambda: first.asked == [36, 36], STEP)
        api.wb_robot_step(STEP)
        with serving(second, f"pty://{link}") as robot:
            until(lambda: second.asked == [36, 36], STEP)
            stop = robot.heard.find(b"\x91\x00\x00\x00\x00")
            assert 0 <= stop < robot.heard.find(b"\x91\x00\x24\x00\x24")
            assert api.wb_robot_get_mode() == REMOTE


def test_the_stream_fits_into_its_period():
    size = sum(1 + PACKETS[one].size for one in STREAMED) + 3
    assert size * 10 / 115200 < 0.015
