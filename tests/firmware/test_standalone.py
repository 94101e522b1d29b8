"""Controllers that run on a board by its own clock: the functions mean what they mean in simulation."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware import onboard
from tests.firmware.conftest import boards
from tests.firmware.onboard import (
    BACKWARD,
    FORWARD,
    FRONT,
    FULL_SPEED,
    HEAD,
    LEFT,
    RIGHT,
    TRACKS,
    compiled,
    lockstep,
)
from tests.firmware.onboard import text_of as printed
from wbridge.wbfirmware.building.build import Built

BOARDS = pytest.param("host", marks=pytest.mark.slow), "arduino-uno"
SPEED, TURN = 6.0, 3.0
"""Of the obstacle avoider, in rad/s."""
STEP = 16
Standalone = Callable[[str], Built]
"""Builds a controller's code, which the headers of the devices stand in front of, for one of the boards."""


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def standalone(board: str, tmp_path: Path) -> Standalone:
    return lambda code: compiled(tmp_path / "made", board, "standalone", code)


@pytest.mark.parametrize("board", boards(host=True))
def test_an_unchanged_obstacle_avoider(board: str):
    """The pins do what its velocities say: 0 V is 0.8 m and reads 0, 5 V is 0 m and reads 1000."""
    firmware = onboard.avoider(board, "standalone")
    sides = ("left wheel motor", "right wheel motor")
    pwm = [firmware.pin(side, "pwm") for side in sides]
    ways = [firmware.pin(sides[0], way) for way in ("forward", "backward")]
    wirings = {one.device.name: one.values for one in firmware.hardware.wirings}
    near = firmware.hardware.board.supply
    forward, turn = (SPEED, (1, 0), 0), (TURN, (0, 1), 1)
    with lockstep(firmware.built) as bench:
        for volts, (speed, direction, lamp) in ((0.0, forward), (near, turn), (0.0, forward)):
            bench.drive(firmware.pin("front", "pin"), volts)
            assert bench.run(1000 * (onboard.LONGER + 3 * STEP)) == b""
            for pin in pwm:
                share = speed / wirings[sides[0]]["full_speed"]
                assert bench.show(pin).value == pytest.approx(share, abs=0.01)
            assert tuple(bench.show(pin).value for pin in ways) == direction
            if wirings["status"].keys() == {"pin", "inverted"}:
                assert bench.show(firmware.pin("status", "pin")).value == lamp


def test_what_sensors_read_and_when(standalone: Standalone):
    """Nothing before they are enabled, and then after each period; the last value stays."""
    built = standalone(
        """#include <stdio.h>
        static void tell(int at, WbDeviceTag front, WbDeviceTag wheel) {
          printf("%d %g %g\\n", at, wb_distance_sensor_get_value(front), wb_position_sensor_get_value(wheel));
        }
        int main(void) {
          wb_robot_init();
          WbDeviceTag front = wb_robot_get_device("front"), wheel = wb_robot_get_device("left wheel sensor");
          WbDeviceTag absent = wb_robot_get_device("right wheel sensor");
          for (int k = 0; k < 6; k++) {
            if (k == 1) wb_distance_sensor_enable(front, 32), wb_position_sensor_enable(wheel, 10);
            if (k == 4) wb_distance_sensor_disable(front);
            wb_robot_step(20);
            tell(k, front, wheel);
          }
          printf("%d ", wb_distance_sensor_get_sampling_period(front));
          printf("%d\\n", wb_position_sensor_get_sampling_period(wheel));
          printf("%g %g", wb_distance_sensor_get_max_value(front), wb_position_sensor_get_value(absent));
          for (;;) wb_robot_step(20);
        }"""
    )
    with lockstep(built) as bench:
        bench.drive(FRONT, 0.0)
        for pin in TRACKS:
            bench.drive(pin, 0)
        text = bench.run(50_000).decode()
        bench.drive(FRONT, 2.5)
        bench.drive(TRACKS[0], 1)  # one edge of four
        lines = [line.split() for line in (text + bench.run(100_000).decode()).splitlines()]
    values = [tuple(map(float, line)) for line in lines]
    quarter = math.pi / 2
    assert [one[0] for one in values[:6]] == list(range(6))
    assert all(math.isnan(number) for number in (values[0][1], values[0][2], values[1][1]))
    turned = [one[2] - values[1][2] for one in values[1:6]]
    assert turned == pytest.approx([0, quarter, quarter, quarter, quarter], abs=1e-4)
    assert values[2][1] == pytest.approx(500, abs=3)  # enabled at 20 ms, due from 52 ms on: at 60 ms
    assert [one[1] for one in values[3:6]] == [values[2][1]] * 3
    assert values[6] == (0, 10)
    assert values[7][0] == 1000 and math.isnan(values[7][1])


def test_motors_keep_within_the_limits_of_the_world(standalone: Standalone):
    built = standalone(
        """#include <stdio.h>
        int main(void) {
          wb_robot_init();
          WbDeviceTag left = wb_robot_get_device("left wheel motor");
          WbDeviceTag right = wb_robot_get_device("right wheel motor");
          printf("%g %g\\n", wb_motor_get_velocity(left), wb_motor_get_target_position(left));
          wb_motor_set_velocity(left, -1);
          wb_motor_set_velocity(left, NAN);
          wb_motor_set_position(left, INFINITY);
          wb_motor_set_velocity(left, -100);
          wb_motor_set_position(right, INFINITY);
          wb_motor_set_velocity(right, 4);
          printf("%g %g %g %d\\n", wb_motor_get_velocity(left), wb_motor_get_target_position(left),
                 wb_motor_get_max_velocity(left), wb_motor_get_type(left));
          printf("%d\\n", wb_motor_get_position_sensor(left) == wb_robot_get_device("left wheel sensor"));
          while (wb_robot_step(16) != -1) {
          }
        }"""
    )
    with lockstep(built) as bench:
        first, negative, no_number, second, third = bench.run(40_000).decode().splitlines()
        assert first == "12 0"
        assert "requires the position INFINITY" in negative and "NaN" in no_number
        assert second == "-100 inf 12 0"
        assert third == "1"
        assert bench.show(LEFT).value == pytest.approx(12 / FULL_SPEED, abs=0.01)
        assert (bench.show(FORWARD).value, bench.show(BACKWARD).value) == (0, 1)
        assert bench.show(RIGHT).value == pytest.approx(4 / FULL_SPEED, abs=0.01)


OVERRUN = """#include <stdio.h>
int main(void) {
  wb_robot_init();
  for (int k = 0; k < 12; k++) {
    const int late = wb_robot_step(20);
    const int ms = (int)(wb_robot_get_time() * 1000 + 0.5);
    printf("%d %d\\n", ms, late);
    if (k == 3 || k == 7) WASTE(50);
  }
}
"""


def test_steps_follow_the_clock_and_overruns_are_told(standalone: Standalone, board: str):
    """The printed times tell the schedule; a step of 50 ms instead of 20 shifts it, and is reported."""
    waste = (
        "#include <util/delay.h>\n#define WASTE(ms) _delay_ms(ms)\n"
        if board == "arduino-uno"
        else "unsigned board_millis(void);\n#define WASTE(ms) "
        "for (unsigned end = board_millis() + ms; board_millis() < end;) {}\n"
    )
    built = standalone(waste + OVERRUN)
    lines = printed(built, 500).splitlines()
    told = [line for line in lines if line.startswith("wbridge: a step")]
    steps = [tuple(map(int, line.split())) for line in lines if line[0].isdigit()]
    times, late = zip(*steps, strict=True)
    gaps = [b - a for a, b in zip((0, *times), times, strict=False)]
    for k, (gap, dt) in enumerate(zip(gaps, late, strict=True)):
        if k in (4, 8):
            assert 50 <= gap == dt <= 56
        else:
            assert gap == 20 and 0 <= dt <= 6  # of printing
    assert len(told) == 2
    assert told[0].startswith("wbridge: a step of 20 ms took 5") and told[0].endswith("overruns so far: 1")
    assert told[1].endswith("overruns so far: 2")


SECONDS = """#include <stdio.h>

int main(void) {
  wb_robot_init();
  while (wb_robot_step(1000) != -1) printf("%.0f\\n", wb_robot_get_time());
}
"""


def test_time_goes_on_past_the_largest_16_bit_number(standalone: Standalone):
    """Of milliseconds: 65.535 s."""
    told = printed(standalone(SECONDS), 70_500).splitlines()
    assert told == [str(k) for k in range(1, 71)]


def test_the_robot_stops_when_its_controller_ends(standalone: Standalone):
    """By its main's return, by exit and by abort."""
    built = standalone(
        """#include <stdlib.h>
        int main(void) {
          wb_robot_init();
          WbDeviceTag left = wb_robot_get_device("left wheel motor"), front = wb_robot_get_device("front");
          wb_motor_set_position(left, INFINITY);
          wb_motor_set_velocity(left, 8);
          wb_distance_sensor_enable(front, 16);
          for (int k = 0; k < 3; k++) wb_robot_step(16);
          if (wb_distance_sensor_get_value(front) > 750) exit(3);
          if (wb_distance_sensor_get_value(front) > 250) abort();
          return 0;
        }"""
    )
    for volts in (0.0, 2.5, 5.0):
        with lockstep(built) as bench:
            bench.drive(FRONT, volts)
            assert bench.run(40_000) == b""
            assert bench.show(LEFT).value == pytest.approx(0.5, abs=0.01)
            assert "the controller has ended" in bench.run(20_000).decode()
            assert bench.show(LEFT).value == 0
            assert bench.run(1_500_000) == b""  # the watchdog does not begin anew
            assert bench.show(LEFT).value == 0


def test_a_controller_that_never_steps_is_stopped_by_the_watchdog(standalone: Standalone):
    built = standalone(
        """#include <stdio.h>
        int main(void) {
          wb_robot_init();
          printf("begin\\n");
          WbDeviceTag left = wb_robot_get_device("left wheel motor");
          wb_motor_set_position(left, INFINITY);
          wb_motor_set_velocity(left, 8);
          wb_robot_step(16);
          wb_robot_step(16);
          for (volatile int k = 0;;) k = 1;
        }"""
    )
    with lockstep(built) as bench:
        assert bench.run(25_000) == b"begin\n"
        assert bench.show(LEFT).value == pytest.approx(0.5, abs=0.01)
        said = bench.run(1_000_000).decode()
        assert "wbridge: fault: watchdog" in said and "begin\n" not in said
        assert bench.show(LEFT).value == 0


def test_lengths_of_arguments_do_not_shift_those_after_them(standalone: Standalone):
    """C11, 7.21.6.1: L before a real number is a long double; %n takes a pointer; %a takes a real number."""
    built = standalone(
        """#include <stdio.h>
        int main(void) {
          wb_robot_init();
          int count = 0;
          long wide = -1;
          printf("%Lf %d %n%d|", (long double)1.5, 7, &count, 8);
          printf("%d %a %d %Lg %s%ln|%ld|", count, 0.5, 9, (long double)0.25, "end", &wide, wide);
          long double real = 0;
          int after = 0, passed = sscanf("2.5 11", "%Lf %d", &real, &after);
          printf("%d %Lf %d", passed, real, after);
        }"""
    )
    assert printed(built, 200).startswith("1.500000 7 8|11 ? 9 0.25 end|-1|2 2.500000 11")


def test_what_is_printed_is_what_printf_prints(standalone: Standalone, tmp_path: Path):
    """The same line, printed by this computer's library."""
    line = r"""printf("%d|%5d|%-5d|%05d|%u|%lu|%x|%X|%c|%s|%.2s|%8s|%%|%g|%g|%.2f|%8.3f|%-8.1f|%e|%g|%f",
      -3, 42, 42, -42, 7u, 1234567ul, 255, 254, 'z', "text", "abc", "r", 0.25, 100000.0, -2.5, 2.0, 1.5,
      1.5e10, 1e-5, 0.125);"""
    program = tmp_path / "print"
    source = f"#include <stdio.h>\nint main(void) {{ {line} return 0; }}\n"
    subprocess.run(["cc", "-x", "c", "-o", program, "-"], input=source, text=True, check=True)
    wanted = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    body = f"""#include <stdio.h>
        int main(void) {{
          wb_robot_init();
          {line}
          puts("");
          fprintf(stderr, "%d\\n", 5);
          for (;;) wb_robot_step(16);
        }}"""
    assert printed(standalone(body), 100) == f"{wanted}\n5\n"


def test_devices_by_name_and_what_the_robot_tells(standalone: Standalone):
    built = standalone(
        """#include <stdio.h>
        int main(void) {
          wb_robot_init();
          printf("%s, %d devices, step %g, mode %d\\n", wb_robot_get_name(), wb_robot_get_number_of_devices(),
                 wb_robot_get_basic_time_step(), wb_robot_get_mode());
          for (int k = 0; k < wb_robot_get_number_of_devices(); k++)
            printf("%s;", wb_device_get_name(wb_robot_get_device_by_index(k)));
          puts("");
          printf("%d\\n", wb_robot_get_device("nothing"));
          wb_led_set(wb_robot_get_device("front"), 1);
          wb_robot_battery_sensor_enable(16);
          wb_robot_step(16);
          printf("%.0f\\n", wb_robot_battery_sensor_get_value());
          for (;;) wb_robot_step(16);
        }"""
    )
    lines = printed(built, 100, A5=2.5).splitlines()
    names = "left wheel motor;left wheel sensor;right wheel motor;right wheel sensor;front;status;"
    assert lines[0] == "two wheels, 6 devices, step 16, mode 1"
    assert lines[1] == names
    assert lines[2:4] == ['wbridge: device "nothing" not found', "0"]
    assert lines[4] == "wbridge: tag 5 is not a device of this kind; calls with wrong tags so far: 1"
    assert int(lines[5]) == pytest.approx(500, abs=3)


def test_a_controller_keeps_its_own_names(tmp_path: Path):
    """It may have functions and variables that are called as those of the firmware."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "own.h").write_text("int robot_stop(int x);\nextern int channels_mark_sent;\n")
    (tmp_path / "code" / "own.c").write_text(
        '#include "own.h"\nint channels_mark_sent = 7;\nint robot_stop(int x) { return 2 * x; }\n'
    )
    (tmp_path / "code" / "main.c").write_text(
        HEAD + '#include <stdio.h>\n#include "own.h"\nint flavor_step(void) { return 1; }\nint main() {\n'
        '  wb_robot_init();\n  printf("%d %d %d", robot_stop(4), channels_mark_sent, flavor_step());\n'
        "  wb_robot_step(16);\n}\n"
    )
    made = onboard.build(onboard.hardware(tmp_path, "host", "standalone", "code"), tmp_path / "firmware")
    assert isinstance(made, Built)
    assert printed(made, 10).startswith("8 7 1")
