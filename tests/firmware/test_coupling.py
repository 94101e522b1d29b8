"""Wires between simulated robots and boards: what becomes of values on their way, by the parts' formulas."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.bench import Bench, PinState
from wbridge.wbfirmware.boards.drivers import drivers
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.coupling import couplings_of, uncoupled
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, SensorCoupling

UNO = BoardNumbers(np.float32, 5.0, 1023, 255)
DESK = BoardNumbers(np.float64, 5.0, 1023, 255)


def wire(
    driver: str, numbers: BoardNumbers = DESK, constants: dict[str, Any] | None = None, **values: Any
) -> Any:
    """A wire of a driver."""
    device = DeviceEntry(1, "it", drivers()[driver].devices[0], "", constants or {}, ())
    wiring = Wiring(device, drivers()[driver], values, ("devices", "it"))
    made = import_module(f"wbridge.wbverify.coupling.{driver}").make(wiring, numbers)
    assert isinstance(made, (SensorCoupling, ActuatorCoupling))
    return made


def test_every_driver_has_a_wire():
    package = Path(__file__).parents[2] / "wbverify" / "coupling"
    assert all((package / f"{name}.py").is_file() for name in drivers())


def test_a_stepper_that_has_arrived_must_have_made_every_step():
    """While it moves, 1.5 steps are open; 0.1 m/s and 5000 steps per m are 8 steps in 16 ms."""
    act = wire(
        "step_direction", constants={"maxVelocity": 0.1, "type": "linear"},
        step="D2", direction="D3", steps=5000.0, inverted=True,
    )  # fmt: skip
    apart, bounds = [], []
    for steps in (*range(6, 95, 8), 99, 99, 99):  # it was sent to 100 steps
        wanted = act.wanted({"set_position": (0.02,)}, 0.016)
        apart.append(abs(act.found({act.pins[0]: PinState("steps", -steps)}) - wanted))
        bounds.append(act.bound())
    assert all(one <= bound for one, bound in zip(apart[:-2], bounds[:-2], strict=True))
    assert apart[-1] == pytest.approx(1 / 5000) and bounds[-1] < 1e-6


def test_the_duty_of_a_sketch_is_read_from_both_kinds_of_timers():
    """After analogWrite(n), timers that count up and down are on for n of 255 parts (ATmega328P, 15.9.4),
    those that count up for n + 1 of 256 (15.7.3)."""
    numbers = UNO._replace(emulator="simavr", is_sketch=True)
    for written in range(1, 255):
        for share in (written / 255, (written + 1) / 256):
            assert numbers.duty(PinState("pwm", float(f"{share:.9g}"))) == written


def test_a_distance_becomes_volts_by_the_curve():
    table = [[0.0, 1000.0, 0.0], [0.8, 0.0, 0.0]]
    sense = wire(
        "analog_distance", constants={"lookupTable": table}, pin="A0", curve=[[0.0, 0.8], [4.0, 0.0]]
    )
    # 250 is 0.6 m, 0.6 m is 1 V, 1 V is 204.6 of 1023: 205, which is 1.00196 V, 0.59961 m and 250.5.
    assert sense.transmit((250.0,)) == pytest.approx((250.489,), abs=0.001)
    (event,) = sense.events()
    assert event.pin == "A0"
    assert math.floor(event.value / 5 * 1023) == round(event.value / 5 * 1023) == 205


def test_shorter_numbers_round_as_the_board_does():
    settings = {"pin": "A0", "low": 0.1, "high": 0.7}
    (wide,), (short,) = (wire("analog", one, **settings).transmit((0.4,)) for one in (DESK, UNO))
    low, high = np.float32(0.1), np.float32(0.7)
    assert short == float(low + (high - low) * np.float32(512) / np.float32(1023))
    assert wide == 0.1 + (0.7 - 0.1) * 512 / 1023
    assert 0 < abs(wide - short) < 1e-7


def test_an_encoder_turns_count_by_count():
    sense = wire("quadrature_encoder", a="D2", b="D3", counts=4.0)
    levels = {event.pin: event.value for event in sense.start()}
    assert levels == {"D2": 1, "D3": 1}
    assert sense.transmit((math.pi,)) == pytest.approx((math.pi,))  # half a turn: 2 of 4 counts
    forward = [(one.pin, one.value) for one in sense.events()]
    assert forward == [("D2", 0), ("D3", 0)]  # A leads
    sense.transmit((0.0,))
    assert [(one.pin, one.value) for one in sense.events()] == [("D3", 1), ("D2", 1)]
    assert sense.events() == []


def test_a_bridge_tells_a_velocity():
    settings = {"pwm": "D3", "forward": "D2", "backward": "D4", "full_speed": 10.0, "least_duty": 0.2}
    act = wire("hbridge", constants={"maxVelocity": 8.0}, **settings)
    said = {"set_position": (-math.inf,), "set_velocity": (5.0,)}
    assert act.wanted(said, 0.016) == -5.0
    assert act.wanted({}, 0.016) == 0.0
    # Without an encoder it goes nowhere.
    assert act.unsupported_command({"set_position": (1.0,)}) == ("set_position", 1.0)
    assert act.unsupported_command(said) is None
    # 5 of 10 is half of what is above the least duty: 0.6 of the time.
    shown = {"D3": PinState("pwm", 153 / 255), "D2": PinState("output", 0), "D4": PinState("output", 1)}
    assert act.found(shown) == pytest.approx(-5.0)
    # The same from a timer that is high for n + 1 of 256.
    assert act.found({**shown, "D3": PinState("pwm", 154 / 256)}) == pytest.approx(-5.0)
    assert math.isnan(act.found({**shown, "D2": PinState("output", 1)}))
    assert act.bound() == pytest.approx(10 / 255 / 2 / 0.8, rel=1e-6)


def test_a_bridge_approaches_a_position_by_its_encoder():
    """By the gain P, at most with the velocity that was set; uncertain by what it moves between two looks."""
    step, gain = 0.032, 5.0
    encoder = wire("quadrature_encoder", a="D2", b="D3", counts=1000.0)
    settings = {"pwm": "D3", "forward": "D2", "backward": "D4", "full_speed": 10.0, "least_duty": 0.0}
    constants = {"maxVelocity": 8.0, "controlPID": [gain, 0, 0]}
    act = wire("hbridge", constants=constants, encoder="turned", **settings)
    act.connect_sensors({"turned": encoder})
    said = {"set_position": (2.0,), "set_velocity": (6.0,)}
    pwm = 10 / 255 / 2
    encoder.transmit((0.5,))
    encoder.events()
    assert act.wanted(said, step) == 6.0  # 5 * 1.5, cut
    assert act.bound() == pytest.approx(pwm, rel=1e-6)
    encoder.transmit((1.5,))
    encoder.events()
    # In two thirds of the step it goes from 0.5 to 1.5; the driver has looked in the last 15 of 21.3 ms.
    seen = 1.5 - 1.0 * 0.015 / (step * 2 / 3)
    fast, slow = min(6.0, gain * (2 - seen)), gain * (2 - 1.5)
    assert act.wanted(said, step) == pytest.approx((fast + slow) / 2, abs=gain * 2 * math.pi / 1000)
    assert act.bound() == pytest.approx((fast - slow) / 2 + pwm, abs=gain * 2 * math.pi / 1000)
    encoder.events()
    encoder.events()
    assert act.wanted(said, step) == pytest.approx(gain * 0.5, abs=gain * math.pi / 1000)  # it stands
    assert act.bound() == pytest.approx(pwm, rel=1e-6)


def test_a_servo_tells_a_position():
    settings = {"pin": "D9", "low": -1.0, "high": 1.0, "low_pulse": 1000, "high_pulse": 2000}
    act = wire("servo", constants={"maxVelocity": 2.0}, **settings)
    assert act.found({"D9": PinState("servo", 1750)}) == 0.5
    # Under way with 2 rad/s, for the five sixths of the step after which it is looked at.
    assert act.wanted({"set_position": (0.5,)}, 0.1) == pytest.approx(2 * 0.1 * 5 / 6)
    assert act.bound() == pytest.approx(0.001 + 2 * 0.004)  # the board's milliseconds
    assert act.wanted({"set_position": (0.5,)}, 1.0) == 0.5
    assert act.bound() == pytest.approx(0.001, rel=1e-6)  # half a microsecond


def test_a_color_comes_back():
    act = wire(
        "rgb_led",
        constants={"color": [[1, 0, 0], [0, 0.5, 1]]},
        red="D3",
        green="D5",
        blue="D6",
        inverted=True,
    )
    assert act.wanted({"set": (2,)}, 0.016) == 0x0080FF
    shown = {"D3": PinState("output", 1), "D5": PinState("pwm", 127 / 255), "D6": PinState("output", 0)}
    assert act.found(shown) == 0x0080FF
    assert act.commands(shown) == [("set", (2,))]


def test_a_part_at_the_bus_holds_its_axes_in_registers():
    sense = wire("mpu6050_accelerometer", address=0x68, axes=["y", "-x", "z"], range=2, bandwidth=44)
    (read,) = sense.transmit(((0.0, 9.80665, 0.0),))
    registers = {event.pin: event.value for event in sense.events()}
    # The device's y is the part's -x: minus one g of two, of 32768.
    assert registers["I2C:104:59:2"] == -16384
    assert registers["I2C:104:61:2"] == registers["I2C:104:63:2"] == 0
    assert read == pytest.approx((0.0, 9.80665, 0.0))


def test_a_line_sensor_is_there_when_the_board_begins_to_measure():
    """With 2 ms at most, its first measurements end within 48 ms, two of them and the steps between them."""
    sense = wire("qtr_rc", pin="D2", longest=2000.0, low=0.0, high=1000.0)
    assert [event.pin for event in sense.start()] == ["RC:D2"]
    sense.transmit((350.0,))
    wanted = [sense.expected(0.0, 16.0)[0] for _ in range(5)]
    assert wanted[0] == 0 and wanted[-1] == 350
    sense = wire("qtr_rc", pin="D2", longest=2000.0, low=0.0, high=1000.0)
    sense.transmit((350.0,))
    assert sense.expected(1000.0, 16.0)[0] == 350, "nothing that reflected so little was there"


TELLS = """
#include <stdio.h>
#include <webots/distance_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag front = wb_robot_get_device("front");
  wb_distance_sensor_enable(front, 100);
  while (wb_robot_step(100) != -1)
    printf("%d\\n", (int)wb_distance_sensor_get_value(front));
  return 0;
}
"""


@pytest.mark.parametrize("board", boards("host", "arduino-uno"))
def test_sound_is_under_way_as_long_as_it_needs(tmp_path: Path, board: str):
    require_board(board)
    (tmp_path / "tells.c").write_text(TELLS)
    text = propose(two_wheels(), str(WORLD), board)
    text = text.replace('flavor = "slave"', 'flavor = "standalone"\ncontroller = "tells.c"')
    head, _, rest = text.partition('[devices."front"]')
    _, _, rest = rest.partition("\n\n")
    text = f'{head}[devices."front"]\ndriver = "ultrasonic"\ntrigger = "D9"\necho = "D10"\n\n{rest}'
    (tmp_path / "hardware.toml").write_text(text)
    hardware = load_hardware(tmp_path / "hardware.toml", two_wheels())
    firmware = build(hardware, tmp_path / "firmware")
    assert uncoupled(hardware) == {}
    tag = two_wheels().find("front").tag  # type: ignore[union-attr]
    sense = couplings_of(hardware)[0][tag]
    said = b""
    with Bench(firmware.board, firmware.program, lockstep=True) as bench:
        for value in (500.0, 250.0, 0.0):  # 0.4 m, 0.6 m, and more than the table has
            sense.transmit((value,))
            for event in sense.events():
                bench.drive(event.pin, event.value)
            said += bench.run(500_000)
    read = [int(line) for line in said.split()]
    # The clock of the board tells 4 us, which is less than a millimeter, and that is 1 of 1000 for 0.8 m.
    assert read[3] == pytest.approx(500, abs=2)
    assert read[8] == pytest.approx(250, abs=2)
    assert read[13] == 0
