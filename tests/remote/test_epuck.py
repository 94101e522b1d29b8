"""e-puck: SerCom byte by byte, and a controller that drives the emulated robot as the simulated one."""

from __future__ import annotations

import math
import struct

import pytest

from tests.remote.emulated import REMOTE, Serving, controlled, serving, tags, until
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.protocol.loopback import Peer
from wbridge.remote_controls.emulators.base import SettingError
from wbridge.remote_controls.emulators.epuck import Emulator

STEP = 16
RADIANS_PER_STEP = 2 * math.pi / 1000
WHEELS = ("left wheel motor", "right wheel motor")


def peers() -> list[Peer]:
    """Devices as Webots' model names them."""
    motors = [Peer("RotationalMotor", name, {"max_velocity": 6.28}) for name in WHEELS]
    encoders = [Peer("PositionSensor", f"{side} wheel sensor") for side in ("left", "right")]
    distances = [
        Peer("DistanceSensor", name) for name in (*(f"ps{k}" for k in range(8)), "gs0", "gs2", "tof")
    ]
    lights = [Peer("LightSensor", "ls3"), Peer("Accelerometer", "accelerometer"), Peer("Gyro", "gyro")]
    leds = [Peer("LED", f"led{k}") for k in (0, 1, 8, 9)]
    return [*motors, *encoders, *distances, *lights, *leds, Peer("Microphone", "mic0")]


# The protocol, as GCtronic publishes it.

ASCII = [
    (b"V\n", b"v,Version 2.0 January 2018 GCtronic\r\nHW version: 0\r\n"),
    (b"n\r", b"n,0,1,2,3,4,5,6,7\r\n"),
    (b"D,100,-200\r", b"d\r\n"),
    (b"D,100,-200\rE\r", b"d\r\ne,100,-200\r\n"),
    (b"L,3,1\rL,8,2\r", b"l\r\nl\r\n"),
    (b"C\n", b"c,3\r\n"),
    (b"A\n", b"a,2048,2048,2816\r\n"),
    (b"M\n", b"m,800,800,800,800,800\r\n"),
    (b"U\r", b"u,100,100,100\r\n"),
    (b"P,7,-7\rQ\r", b"p\r\nq,7,-7\r\n"),
    (b"b\r", b"b,3300 (79%)\r\n"),
    (b"B,1\r", b"b\r\n"),
    (b"x\r", b"z,Command not found\r\n"),
    (b"\r\n\r\nS\r", b"s\r\n"),
]
BINARY = [
    (b"\xb2\x00", struct.pack("<8h", *range(8))),
    (b"\xbc\x64\x00\x38\xff\x00", b""),
    (b"\xbc\x64\x00\x38\xff\xbb\x00", b"\x64\x00\x38\xff"),
    (b"\xaf\xb2\x00", bytes(4) + struct.pack("<8h", *range(8))),
    (b"\x9f\x00", struct.pack("<3h", 2048, 2048, 2816)),
    (b"\xb3\x00", struct.pack("<4h", 800, 800, 800, 800)),
    (b"\xb0\x05\x00\xf9\xff\xaf\x00", struct.pack("<2h", 5, -7)),
    (b"\xf3\x00", struct.pack("<h", 2000)),
    (b"\xf4\x00", struct.pack("<4h", 100, 100, 100, 100)),
    (b"\x8b\x00", struct.pack("<3h", 100, 100, 100)),
    (b"\xb4\x03\x01\x00", b""),
    (b"\x81\x00", b""),
]


@pytest.mark.parametrize(("said", "answer"), [*ASCII, *BINARY])
def test_the_emulator_answers_as_the_firmware(said: bytes, answer: bytes):
    robot = Emulator()
    for k in range(8):
        robot.set(f"ps{k}", k)
    assert robot.receive(said) == answer


def test_a_binary_command_waits_for_its_bytes():
    robot = Emulator()
    assert (
        b"".join(robot.receive(bytes([one])) for one in b"\xbc\x64\x00\x64\x00\xbb\x00")
        == b"\x64\x00\x64\x00"
    )


def test_wheels_turn_and_count():
    robot = Emulator()
    robot.receive(b"D,500,500\r")
    robot.pass_time(2.0)
    assert robot.receive(b"Q\r") == b"q,1000,1000\r\n"
    assert robot.state()["x"] == pytest.approx(2 * math.pi * 0.0205)
    robot.receive(b"D,5000,-5000\r")  # faster than the motors
    robot.pass_time(1.0)
    assert robot.receive(b"Q\r") == b"q,2200,-200\r\n"
    assert robot.state()["heading"] < 0


def test_settings_have_names_and_limits():
    with pytest.raises(SettingError, match='no sensor "ps8", did you mean "ps[0-7]"'):
        Emulator().set("ps8", 1)
    with pytest.raises(SettingError, match="ps0 is 5000; allowed: 0 to 4095"):
        Emulator().set("ps0", 5000)


# The plugin.


@pytest.fixture(params=["pty://", "tcp://127.0.0.1:0"])
def robot(request):
    """An emulated robot at a wire."""
    with serving(Emulator(), request.param) as found:
        yield found


def drive(left: float, right: float) -> None:
    """Turn the wheels."""
    for name, velocity in zip(WHEELS, (left, right), strict=True):
        api.wb_motor_set_position(tags()[name], math.inf)
        api.wb_motor_set_velocity(tags()[name], velocity)


def test_the_robot_obeys_and_tells(robot: Serving):
    emulator = robot.robot
    assert isinstance(emulator, Emulator)
    with controlled(peers(), "epuck"):
        tag = tags()
        for name, kind in [
            ("ps5", "distance_sensor"),
            ("gs2", "distance_sensor"),
            ("tof", "distance_sensor"),
        ]:
            getattr(api, f"wb_{kind}_enable")(tag[name], STEP)
        api.wb_light_sensor_enable(tag["ls3"], STEP)
        api.wb_accelerometer_enable(tag["accelerometer"], STEP)
        api.wb_gyro_enable(tag["gyro"], STEP)
        api.wb_microphone_enable(tag["mic0"], STEP)
        api.wb_position_sensor_enable(tag["left wheel sensor"], STEP)
        for name, value in [
            ("ps5", 77),
            ("gs2", 300),
            ("tof", 123),
            ("ls3", 9),
            ("gyro.z", 131),
            ("mic0", 42),
        ]:
            emulator.set(name, value)
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == REMOTE
        drive(3.0, -3.0)
        api.wb_led_set(tag["led0"], 1)
        api.wb_led_set(tag["led1"], 0x00FF00)
        api.wb_led_set(tag["led8"], 1)
        until(lambda: api.wb_distance_sensor_get_value(tag["ps5"]) == 77.0, STEP)
        assert api.wb_distance_sensor_get_value(tag["gs2"]) == 300.0
        assert api.wb_distance_sensor_get_value(tag["tof"]) == 123.0
        assert api.wb_light_sensor_get_value(tag["ls3"]) == 9.0
        assert api.wb_accelerometer_get_values(tag["accelerometer"]) == pytest.approx([0, 0, 9.81])
        assert api.wb_gyro_get_values(tag["gyro"]) == pytest.approx([0, 0, math.radians(1)])
        assert bytes(api.wb_microphone_get_sample_data(tag["mic0"])) == struct.pack("<h", 42)
        assert emulator.speeds == [477, -477]
        assert (emulator.leds[0], emulator.leds[8], emulator.leds[9]) == (1, 1, 0)
        assert emulator.colors[0] == (0, 100, 0)
        before = api.wb_position_sensor_get_value(tag["left wheel sensor"])
        for _ in range(10):
            api.wb_robot_step(STEP)
        moved = api.wb_position_sensor_get_value(tag["left wheel sensor"]) - before
        assert 0 < moved < 3.0 * 10 * 4 * STEP / 1000
        api.wb_robot_set_mode(0, "")
        assert api.wb_robot_get_mode() == 0
    wait_for_stop(robot)


def wait_for_stop(robot: Serving) -> None:
    """See that the robot comes to a stop."""
    wait_for(lambda: robot.robot.speeds == [0, 0])  # type: ignore[attr-defined]


def avoid(k: int) -> dict[str, float]:
    """What the proximity sensors see in step k: a wall comes and goes on the right."""
    near = 4 * (k * 7 % 40)
    return {"ps0": near, "ps1": near / 2, "ps6": 10.0, "ps7": 160.0 - near}


def avoider(see, said) -> list[tuple[int, int]]:
    """An obstacle avoider after Braitenberg; what it commands, in steps per second."""
    tag, out = tags(), []
    names = ("ps0", "ps1", "ps6", "ps7")
    for name in names:
        api.wb_distance_sensor_enable(tag[name], STEP)
    drive(0.0, 0.0)
    see(0)
    until(lambda: api.wb_distance_sensor_get_value(tag["ps7"]) == 160.0, STEP)
    for k in range(1, 40):
        see(k)
        seen = [round(avoid(k)[name]) for name in names]
        until(lambda seen=seen: [api.wb_distance_sensor_get_value(tag[name]) for name in names] == seen, STEP)
        right, righter, lefter, left = (api.wb_distance_sensor_get_value(tag[name]) for name in names)
        wanted = (3.0 - (left + lefter) / 100, 3.0 - (right + righter) / 100)
        drive(*wanted)
        steps = tuple(round(one / RADIANS_PER_STEP) for one in wanted)
        until(lambda steps=steps: said() == steps, STEP)  # a busy machine may take more than one step
        out.append(said())
    return out


def test_one_controller_drives_the_simulated_and_the_real_robot_alike(robot: Serving):
    emulator = robot.robot
    assert isinstance(emulator, Emulator)
    with controlled(peers(), "epuck") as world:

        def look(k: int) -> None:
            world.before_answer = lambda loopback: [
                loopback[name].send("value", float(round(value))) for name, value in avoid(k).items()
            ]

        def commanded() -> tuple[int, int]:
            left, right = (world[name].last("set_velocity") for name in WHEELS)
            assert left is not None and right is not None
            return round(left[0] / RADIANS_PER_STEP), round(right[0] / RADIANS_PER_STEP)

        simulated = avoider(look, commanded)
    with controlled(peers(), "epuck"):
        api.wb_robot_set_mode(REMOTE, robot.url)
        real = avoider(
            lambda k: [emulator.set(name, round(value)) for name, value in avoid(k).items()],
            lambda: (emulator.speeds[0], emulator.speeds[1]),
        )
        assert api.wb_robot_get_mode() == REMOTE
    assert len(set(simulated)) > 10
    assert real == simulated


def test_an_older_robot_has_no_extras(capsys: pytest.CaptureFixture[str]):
    with serving(Emulator(1, cliffs=False)) as robot, controlled(peers(), "epuck"):
        emulator, tag = robot.robot, tags()
        assert isinstance(emulator, Emulator)
        api.wb_distance_sensor_enable(tag["gs0"], STEP)
        api.wb_distance_sensor_enable(tag["tof"], STEP)
        api.wb_accelerometer_enable(tag["accelerometer"], STEP)
        api.wb_robot_set_mode(REMOTE, robot.url)
        drive(100.0, 1.0)
        until(lambda: api.wb_distance_sensor_get_value(tag["gs0"]) == 800.0, STEP)
        assert emulator.speeds == [1000, 159]
        assert math.isnan(api.wb_distance_sensor_get_value(tag["tof"]))
        assert api.wb_accelerometer_get_values(tag["accelerometer"]) == pytest.approx([0, 0, 9.81])
    told = capsys.readouterr().err
    assert "on the e-puck the following devices have no effect: tof" in told
    assert "the maximum wheel speed of the e-puck is 6.28 rad/s" in told


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bad_line_neither_moves_nor_stops_the_robot_for_good(seed: int):
    with serving(Emulator()) as robot, controlled(peers(), "epuck"):
        emulator, tag = robot.robot, tags()
        assert isinstance(emulator, Emulator)
        api.wb_distance_sensor_enable(tag["ps0"], STEP)
        emulator.set("ps0", 123)
        bad = f"fault+{robot.url}?seed={seed}&corrupt=0.003&lose=0.003&double=0.003&reorder=0.003"
        api.wb_robot_set_mode(REMOTE, bad)
        assert api.wb_robot_get_mode() == REMOTE
        for k in range(1, 5):
            drive(float(k), -float(k))
            wanted = [round(k / RADIANS_PER_STEP), -round(k / RADIANS_PER_STEP)]
            until(lambda wanted=wanted: emulator.speeds == wanted, STEP)
        until(lambda: api.wb_distance_sensor_get_value(tag["ps0"]) == 123.0, STEP)
        assert api.wb_robot_get_mode() == REMOTE


def test_a_silent_robot_has_failed_after_some_patience(capsys: pytest.CaptureFixture[str]):
    with serving(Emulator()) as robot, controlled(peers(), "epuck"):
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?patience=0.3")
        drive(1.0, 1.0)
        until(lambda: robot.robot.speeds == [159, 159], STEP)  # type: ignore[attr-defined]
        robot.robot.receive = lambda data: b""  # type: ignore[method-assign]
        until(lambda: api.wb_robot_get_mode() == 0, STEP)
    assert "has lost the robot" in capsys.readouterr().err


def test_nobody_there_keeps_the_controller_in_simulation(capsys: pytest.CaptureFixture[str], tmp_path):
    with controlled(peers(), "epuck"):
        api.wb_robot_set_mode(REMOTE, str(tmp_path / "ttyNone"))
        assert api.wb_robot_get_mode() == 0
        api.wb_robot_step(STEP)
        assert api.wb_robot_get_mode() == 0
    assert "ttyNone" in capsys.readouterr().err


def test_a_robot_without_wheels_is_none(capsys: pytest.CaptureFixture[str]):
    with controlled([Peer("LED", "led0")], "epuck"):
        api.wb_robot_set_mode(REMOTE, "tcp://127.0.0.1:1")
        assert api.wb_robot_get_mode() == 0
    assert 'has no motor named "left wheel motor"' in capsys.readouterr().err


def test_a_cable_that_is_plugged_in_again_finds_the_robot_standing(
    capsys: pytest.CaptureFixture[str], tmp_path
):
    link = tmp_path / "ttyPuck"
    first, second = Emulator(), Emulator()
    second.receive(b"D,300,300\r")
    with controlled(peers(), "epuck"):
        with serving(first, f"pty://{link}"):
            api.wb_robot_set_mode(REMOTE, str(link))
            drive(1.0, 1.0)
            until(lambda: first.speeds == [159, 159], STEP)
            drive(2.0, 2.0)
        api.wb_robot_step(STEP)
        with serving(second, f"pty://{link}") as robot:
            until(lambda: second.speeds == [318, 318], STEP)
            assert b"S\r" in robot.heard  # it was stopped first
            assert api.wb_robot_get_mode() == REMOTE
    assert "connected again" in capsys.readouterr().err


def test_a_controller_that_hangs_lets_the_robot_stop():
    with serving(Emulator()) as robot, controlled(peers(), "epuck"):
        emulator = robot.robot
        assert isinstance(emulator, Emulator)
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?watchdog=100")
        drive(1.0, 1.0)
        until(lambda: emulator.speeds == [159, 159], STEP)
        wait_for_stop(robot)  # no step is made meanwhile
        until(lambda: emulator.speeds == [159, 159], STEP)
