"""Arduino sketches: built with the Arduino core of Debian, and compared under simavr."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, absent, require_tool
from tests.firmware import test_verify_bus, test_verify_pins
from tests.firmware.conftest import WORLD, two_wheels
from tests.firmware.test_drivers import device
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

pytestmark = pytest.mark.boards
BOARD = "arduino"
CORE = Path("/usr/share/arduino/hardware/arduino/avr/cores/arduino/Arduino.h")
CRUISE = Path(__file__).with_name("cruise")
SAMPLE = CHECKOUT / "worlds" / "two_wheels_uno.toml"
PINS = {"D7": "D2", "D8": "D3", "D2": "D7", "D3": "D9", "D9": "D10"}
"""The encoder needs the two pins of attachInterrupt(), and the motor a timer that counts up and down."""


@pytest.fixture(autouse=True)
def tools() -> None:
    """What builds sketches, or the test ends."""
    require_tool("avr-gcc", "compiles firmware for boards with an AVR")
    if not CORE.is_file():
        absent("arduino-core-avr is not installed: it builds Arduino sketches")


def verify(map_file: Path, *more: str, steps: int = 200) -> int:
    """Run the command."""
    return main(["-q", "firmware", "verify", str(map_file), "--steps", str(steps), *more])


def test_the_sample_does_the_same_in_both_flavors(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    map_file, table = tmp_path / "hardware.toml", tmp_path / "table.csv"
    text = SAMPLE.read_text().replace('"two_wheels.wbt"', f'"{WORLD}"').replace("arduino-uno", BOARD)
    map_file.write_text(text.replace('"../', f'"{CHECKOUT}/'))
    assert verify(map_file, "--table", str(table), steps=1000) == 0, capsys.readouterr()
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["step"]]
    assert {row["result"] for row in rows} <= {"agrees", "given"}
    assert {row["place"] for row in rows} == {"hil", "standalone"}
    assert "controller 25 of 27" in capsys.readouterr().out


def test_an_encoder_moves_a_motor_to_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    map_file = test_verify_pins.prepare(tmp_path, BOARD)
    text = map_file.read_text()
    begin, end = text.index('[devices."arm motor"]'), len(text)
    eye = 'driver = "analog"\npin = "A0"\nlow = 0.0\nhigh = 3000.0\n'
    none = f'[devices."arm motor"]\ndriver = "none"\n[devices.eye]\n{eye}'
    pins = text[:begin]
    for old, new in PINS.items():
        pins = pins.replace(f'"{old}"', f'"new {new}"')
    map_file.write_text(pins.replace("new ", "") + none + text[end:])
    assert verify(map_file, "--flavor", "standalone") == 0, capsys.readouterr()


def test_parts_on_the_bus_are_read_to_the_bit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name, text in (("imu.wbt", test_verify_bus.WORLD), ("imu.c", test_verify_bus.CODE)):
        (tmp_path / name).write_text(text.replace("STEP_MS", "32"))
    text = f'format = 1\nworld = "imu.wbt"\nrobot = "imu"\nboard = "{BOARD}"\n'
    text += 'flavor = "standalone"\ncontroller = "imu.c"\n'
    for name, driver in test_verify_bus.DRIVERS.items():
        text += f'[devices.{name}]\ndriver = "{driver}"\nsda = "A4"\nscl = "A5"\n'
    text += test_verify_bus.BATTERY.format(sda="A4", scl="A5")
    (tmp_path / "hardware.toml").write_text(text)
    assert verify(tmp_path / "hardware.toml", "--flavor", "standalone", steps=50) == 0, capsys.readouterr()


def test_an_error_in_the_controller_is_shown_in_the_user_s_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "wrong.c").write_text("#include <webots/robot.h>\nint main(void) {\n  return robot;\n}\n")
    text = propose(two_wheels(), str(WORLD), BOARD)
    (tmp_path / "hardware.toml").write_text(
        text.replace('flavor = "slave"', 'flavor = "standalone"\ncontroller = "wrong.c"')
    )
    assert main(["-q", "firmware", "build", str(tmp_path / "hardware.toml")]) == 1
    assert f"{tmp_path / 'wrong.c'}:3:10: 'robot' undeclared" in capsys.readouterr().err


def compile_for_32_bits(sketch: Path, *defined: str) -> None:
    """Compile against declarations of the public Arduino API."""
    compiler = require_tool("arm-none-eabi-g++", "compiles firmware for boards with a Cortex-M")
    api = Path(__file__).with_name("arduino_api")
    common = ["-mcpu=cortex-m4", "-mthumb", "-fsyntax-only", "-Wall", "-Werror", f"-I{api}", *defined]
    for file in sorted(sketch.glob("*.cpp")):
        subprocess.run([compiler, *common, str(file)], check=True)
    for file in sorted(sketch.glob("*.c")):
        subprocess.run([compiler.replace("g++", "gcc"), *common, "-std=gnu11", str(file)], check=True)


SERVOS = "".join(
    f"""[devices.{name}]
driver = "servo"
pin = "{pin}"
low = -1.0
high = 1.0
"""
    for name, pin in (("arm", "D9"), ("hand", "D10"))
)


def servo_map(folder: Path) -> Hardware:
    """The hardware map of a robot with two servos."""
    limits = {"minPosition": -1.0, "maxPosition": 1.0, "maxVelocity": 9.0, "controlPID": [10.0, 0.0, 0.0]}
    motors = [
        device(k, name, "RotationalMotor", {**limits, "type": "rotational"})
        for k, name in enumerate(("arm", "hand"), 1)
    ]
    head = f'format = 1\nworld = "w.wbt"\nrobot = "arms"\nboard = "{BOARD}"\n'
    (folder / "hardware.toml").write_text(head + SERVOS)
    table = DeviceTable(device(0, "arms", "Robot", {}), tuple(motors))
    return load_hardware(folder / "hardware.toml", table)


def test_servos_get_pulses(tmp_path: Path):
    """1 ms to 2 ms for the whole range, at both outputs of timer 1, and none before the first command."""
    hardware = servo_map(tmp_path)
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(hardware.table, lambda: pipe, clock=clock, sleep=lambda seconds: None)
        master.connect(3.0)
        assert bench.show("D9").use != "servo"
        for tag, position in ((1, 0.5), (2, -1.0)):
            channel = master.numbering.channel(tag, "position")
            assert channel is not None
            master.set(channel, position)
        for _ in range(20):
            assert master.step(32, 0.5) is not None
            pipe.pipe.pass_time(0.032)  # type: ignore[attr-defined]
        assert bench.show("D9")[:2] == ("servo", pytest.approx(1750, abs=1))
        assert bench.show("D10")[:2] == ("servo", pytest.approx(1000, abs=1))


@pytest.mark.parametrize("core", ["STM32", "ESP32"])
def test_servos_compile_for_32_bits(tmp_path: Path, core: str):
    """By the library Servo or ESP32Servo."""
    generate(servo_map(tmp_path), tmp_path / "firmware")
    compile_for_32_bits(tmp_path / "firmware", f"-DARDUINO_ARCH_{core}")


def test_the_sketch_compiles_for_32_bits(tmp_path: Path):
    (tmp_path / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), BOARD))
    assert main(["-q", "firmware", "build", str(tmp_path / "hardware.toml")]) == 0
    compile_for_32_bits(tmp_path / "firmware")


@pytest.mark.parametrize("board", ["esp32", "esp32-c3", "esp8266", "pico-w"])
@pytest.mark.parametrize("wire", ["serial", "tcp", "mqtt"])
def test_sketches_with_wifi_compile_for_32_bits(tmp_path: Path, board: str, wire: str):
    text = propose(two_wheels(), str(WORLD), board)
    more = '\nbroker = "192.168.1.2"\ntopic = "robots/ann"' if wire == "mqtt" else ""
    (tmp_path / "hardware.toml").write_text(text.replace('wire = "serial"', f'wire = "{wire}"{more}'))
    generate(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    core = {"esp32": "ESP32", "esp32-c3": "ESP32", "esp8266": "ESP8266", "pico-w": "RP2040"}[board]
    compile_for_32_bits(tmp_path / "firmware", f"-DARDUINO_ARCH_{core}")


def test_a_pico_w_that_runs_alone_sends_its_text_over_wifi(tmp_path: Path):
    (tmp_path / "idle.c").write_text("#include <webots/robot.h>\nint main(void) { wb_robot_init(); }\n")
    text = propose(two_wheels(), str(WORLD), "pico-w").replace('wire = "serial"', 'wire = "tcp"')
    alone = 'flavor = "standalone"\ncontroller = "idle.c"'
    (tmp_path / "hardware.toml").write_text(text.replace('flavor = "slave"', alone))
    generate(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")
    assert (tmp_path / "firmware" / "wire_text.cpp").is_file()
    compile_for_32_bits(tmp_path / "firmware", "-DARDUINO_ARCH_RP2040")
