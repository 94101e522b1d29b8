"""Packets of a controller in C through memory that the simulator shares.

The judge of the layout is the Python client (wbridge.hal.protocol.shared_memory), whose peer the simulator
is.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controllers.test_server import Desk
from wbridge.hal.protocol.low_latency import Spin
from wbridge.hal.protocol.shared_memory import SIZE, WRITTEN, SharedChannel, is_useful
from wbridge.libcontroller.compiling import compile_controller
from wbridge.wbcore.controllers import server

if not is_useful(Spin()):
    pytest.skip("memory is shared on x86 with Linux and two processors only", allow_module_level=True)

STEPS = 20
IN_C = """
#include <stdio.h>
#include <string.h>
#include <webots/robot.h>
int main(int count, char **arguments) {
  static char text[40000];
  wb_robot_init();
  for (int i = 0; i < 20; ++i) {
    if (count > 1) {
      /* more than the memory holds in every third step */
      memset(text, 'a' + i, sizeof text - 1);
      text[i % 3 ? 5 : sizeof text - 1] = 0;
      wb_robot_set_custom_data(text);
      printf("%d", !strcmp(wb_robot_get_custom_data(), text));
    }
    printf(" %d", wb_robot_step(16));
  }
  wb_robot_cleanup();
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(c_home: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A controller that makes STEPS steps."""
    folder = tmp_path_factory.mktemp("shared") / "stepper"
    folder.mkdir()
    (folder / "stepper.c").write_text(IN_C)
    return str(compile_controller(folder))


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A robot that waits for a controller."""
    desk = Desk()
    yield desk
    desk.close()


LOST = "Lost the simulator: Protocol error\n"


def serve(
    desk: Desk, program: str, *arguments: str, is_lost: bool = False, **variables: str
) -> tuple[str, int | None]:
    """The output of a controller that the simulator serves until it ends, and the number of bytes that the
    simulator sent it through the socket (None: no memory was shared)."""
    channels: list[SharedChannel | None] = []
    desk.server.on_connect = lambda session: channels.extend(one.channel for one in desk.server._connections)
    place = {"WEBOTS_CONTROLLER_URL": f"ipc://{desk.server.port}/a%20b"}
    process = subprocess.Popen(
        [program, *arguments],
        env=os.environ | place | variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while process.poll() is None:
        desk.server.poll(0.02)
        desk.step()
    output, errors = process.communicate()
    assert (process.returncode, errors) == ((1, LOST) if is_lost else (0, ""))
    return output, channels[0].sent if channels[0] is not None else None


def test_a_controller_takes_the_memory_offered_and_leaves_the_socket(desk: Desk, program: str):
    output, sent = serve(desk, program)
    assert output.split() == ["0"] * STEPS
    assert desk.simulation.time_ms == 16 * STEPS
    assert sent is not None
    # Configuration, and what wakes a controller that blocked; a step's answers are of 8 bytes and more.
    assert sent < 8 * STEPS + 2000


def test_large_packets_keep_their_order_among_small_ones(desk: Desk, program: str):
    output, sent = serve(desk, program, "large")
    assert output.split() == ["1"] + ["01"] * (STEPS - 1) + ["0"]
    assert sent is not None


def test_without_spinning_the_socket_is_used_alone(desk: Desk, program: str):
    assert serve(desk, program, WBRIDGE_SPIN="0") == (" 0" * STEPS, None)


def test_memory_of_another_size_is_not_used(desk: Desk, program: str, monkeypatch: pytest.MonkeyPatch):
    def offer_small(connection: socket.socket) -> None:
        file = os.memfd_create("small")
        os.ftruncate(file, 4096)
        socket.send_fds(connection, [b"\0"], [file])
        os.close(file)

    monkeypatch.setattr(server, "offer", offer_small)
    assert serve(desk, program) == (" 0" * STEPS, None)


def test_an_impossible_size_ends_the_controller(desk: Desk, program: str, monkeypatch: pytest.MonkeyPatch):
    def write(self: SharedChannel, packet: bytes) -> bool:
        self._out[SIZE] = 1 << 40
        self._written += 1
        self._out[WRITTEN] = self._written
        self._wake()
        return True

    monkeypatch.setattr(SharedChannel, "write", write)
    serve(desk, program, is_lost=True)
