"""What a controller on a board with Wi-Fi prints goes to a program on the network that knows the token.

The sketch runs on this computer, compiled with sanitizers. Judge: the lines that the controller prints.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import pytest

from tests.firmware.test_monitor import Collected
from tests.firmware.wifi import Robot, Sketch
from wbridge.hal.link.url import parse_url
from wbridge.running.board_monitor import Monitor
from wbridge.wbfirmware.emulators.board_output import Said, Text, Value

pytestmark = pytest.mark.boards
TOKEN = "secret-of-this-robot"
PATIENCE_S = 30.0
CODE = """#include <math.h>
#include <wbridge/telemetry.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag motor = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(motor, INFINITY);
  int step = 0;
  while (wb_robot_step(2) != -1) {
    wb_motor_set_velocity(motor, step / 200 % 10);
    telemetry("step", ++step);
    if (step % 8 == 0) printf("%.300d\\n", step);
  }
}
"""


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robot]:
    folder = tmp_path_factory.mktemp("text")
    (folder / "talker.c").write_text(CODE)
    secrets = {"ROBOT_TOKEN": TOKEN}
    sketch = Sketch(folder, "esp32", 'wire = "tcp"', secrets, controller=folder / "talker.c")
    with sketch.running() as one:
        yield one


class Until(Collected):
    """Ends the monitor after some named values."""

    def take(self, said: Said, at: float) -> None:
        self.said.append(said)
        if sum(isinstance(one, Value) for one in self.said) >= 20:
            self.over.set()


def heard(robot: Robot, token: str = TOKEN) -> list[Said]:
    url = parse_url(str(robot.url))
    collected = Until()
    with Monitor(f"tcp://:{token}@127.0.0.1:{url.port}", None, [collected]) as monitor:
        monitor.run(collected.over, None)
    return collected.said


def test_the_monitor_hears_whole_lines_in_order(robot: Robot):
    said = heard(robot)
    steps = [one.value for one in said if isinstance(one, Value)]
    assert steps == [steps[0] + k for k in range(len(steps))]
    assert {len(one.text) for one in said if isinstance(one, Text)} <= {300}
    assert heard(robot), "the next program is served, too"


@pytest.mark.parametrize(
    "token", [b"wrong\n", b"\n", TOKEN[:-1].encode() + b"\n", TOKEN.encode() + b"x\n", b"x" * 500]
)
def test_nobody_hears_anything_without_the_token(robot: Robot, token: bytes):
    port = parse_url(str(robot.url)).port
    with socket.create_connection(("127.0.0.1", port or 0), PATIENCE_S) as connection:
        connection.sendall(token)
        connection.settimeout(PATIENCE_S)
        with contextlib.suppress(ConnectionResetError):  # it was closed before everything was read
            assert connection.recv(100) == b""
    assert heard(robot)


def test_a_program_that_does_not_read_does_not_stop_the_controller(robot: Robot):
    """The controller goes on, and the program is told that lines are missing when it reads again.

    On a busy computer steps may be late, which the board reports."""
    port = parse_url(str(robot.url)).port
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", port or 0))
        connection.sendall(f"{TOKEN}\n".encode())
        connection.settimeout(PATIENCE_S)
        text = connection.recv(10)
        for speed in (2.0, 4.0, 6.0, 8.0):  # more text than the buffers on the way can hold
            robot.wait_for(speed)
        while b"text was lost" not in text:
            text += connection.recv(4096)
    lines = text.decode().splitlines()
    for line in lines[1:-1]:
        assert line.startswith((">step:", "0000", "wbridge: text was lost", "wbridge: a step of")), line
