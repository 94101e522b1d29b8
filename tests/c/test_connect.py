"""How a controller in C finds its simulator, and what it says when that fails, as one in Python does."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.hal.connection.address import Address, local_sockets
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.names import folder_names
from wbridge.hal.protocol.packet import write_answer
from wbridge.libcontroller.compiling import compile_controller

IN_C = """
#include <stdio.h>
#include <webots/robot.h>
#include <webots/utils/system.h>
int main(void) {
  wb_robot_init();
  printf("%s\\n", wb_robot_get_name());
  printf("%d\\n", wb_robot_step(32));
  return 0;
}
"""
IN_PYTHON = """
from wbridge.hal import api
api.wb_robot_init()
print(api.wb_robot_get_name())
print(api.wb_robot_step(32))
"""

WAITING = """
import sys, threading
from wbridge.hal import api
threading.Thread(target=lambda: print(sys.stdin.readline(), flush=True), daemon=True).start()
api.wb_robot_init()
"""


@pytest.fixture(scope="module")
def commands(c_home: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The same controller in C and in Python."""
    folder = tmp_path_factory.mktemp("both") / "short"
    folder.mkdir()
    (folder / "short.c").write_text(IN_C)
    (folder / "short.py").write_text(IN_PYTHON)
    return [[str(compile_controller(folder))], [sys.executable, str(folder / "short.py")]]


def both(
    commands: list[list[str]], place: dict[str, str], serve: Callable[[], object] = lambda: None
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr, which are the same for both."""
    environment = {"USER": "default", **os.environ, "PYTHONPATH": str(CHECKOUT), **place}
    results = []
    for command in commands:
        serve()
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=30, check=False
        )
        results.append((done.returncode, done.stdout, done.stderr))
    assert results[0] == results[1]
    return results[0]


@contextmanager
def listening(answer: Callable[[socket.socket], object]) -> Iterator[int]:
    """A TCP port whose visitors are given to a function, one after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.mark.parametrize(
    "url", ["http://x", "tcp://host", "tcp://host:0/a", "tcp://:5/a", "ipc://x/a", "tcp://h:99999"]
)
def test_a_url_that_is_none(commands: list[list[str]], url: str):
    code, _, said = both(commands, {"WEBOTS_CONTROLLER_URL": url})
    assert code == 1
    assert url in said


def test_a_wrong_url_is_shown_without_its_token(commands: list[list[str]]):
    code, _, said = both(commands, {"WEBOTS_CONTROLLER_URL": "tcp://host/a?token=secret"})
    assert code == 1
    assert '"tcp://host/a?token=***"' in said and "secret" not in said


def test_several_robots_that_wait(commands: list[list[str]], tmp_path: Path):
    for name in ("one", "two%20words"):
        place = tmp_path / "snap" / "webots" / "common" / "tmp" / "webots" / "ann" / "1234" / "ipc" / name
        place.mkdir(parents=True)
        (place / "extern").touch()
    home = {"HOME": str(tmp_path), "WEBOTS_HOME": "/snap/webots/current", "USER": "ann"}
    code, _, said = both(commands, {**home, "WEBOTS_CONTROLLER_URL": "ipc://1234"})
    assert code == 1
    assert "one, two%20words; name one in WEBOTS_CONTROLLER_URL" in said
    assert both(commands, {**home, "WEBOTS_CONTROLLER_URL": ""}) == (code, "", said)


def test_a_refusal(commands: list[list[str]]):
    with listening(lambda one: (one.recv(100), one.sendall(b"FORBIDDEN"))) as port:
        code, _, said = both(commands, {"WEBOTS_CONTROLLER_URL": f"tcp://127.0.0.1:{port}/robot"})
    assert code == 1
    assert "refuses this controller: the robot has one already, or the token is missing" in said


@pytest.mark.parametrize(
    ("rest", "variable", "name"),
    [
        ("/a b?token=t-1", "", b"a%20b%3Ftoken%3Dt-1"),
        ("/a%20b%3Ftoken%3Dt", "other", b"a%2520b%3Ftoken%3Dt"),
        ("?token=t", "", b"%3Ftoken%3Dt"),
        ("/r", "t", b"r%3Ftoken%3Dt"),
        ("/r", "", b"r"),
    ],
)
def test_the_token_stands_behind_the_name(commands: list[list[str]], rest: str, variable: str, name: bytes):
    greetings: list[bytes] = []

    def answer(connection: socket.socket) -> None:
        greetings.append(connection.recv(100))
        connection.sendall(b"FORBIDDEN")

    with listening(answer) as port:
        place = {
            "WEBOTS_CONTROLLER_URL": f"tcp://127.0.0.1:{port}{rest}",
            "WBRIDGE_CONTROLLER_TOKEN": variable,
        }
        _, _, said = both(commands, place)
    assert greetings == [b"CTR\nRobot-Name: " + name] * 2
    assert f"the token is {'missing' if name == b'r' else 'wrong'}" in said


def test_a_simulator_that_is_not_ready_is_asked_again(commands: list[list[str]]):
    greetings: list[bytes] = []

    def answer(connection: socket.socket) -> None:
        greetings.append(connection.recv(100))
        connection.sendall([b"FAILED", b"FORBIDDEN"][len(greetings) % 2 - 1])

    with listening(answer) as port:
        both(commands, {"WEBOTS_CONTROLLER_URL": f"tcp://127.0.0.1:{port}/my robot"})
    assert greetings == [b"CTR\nRobot-Name: my%20robot", b"CTR\nRobot-Name: my robot"] * 2


def first_line(command: list[str], place: dict[str, str]) -> str:
    """What a controller says that finds no robot and tries again."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **place}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    process.kill()
    process.communicate()
    return line.strip()


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        (b"", ""),
        (b"\n", ' (no robot waits for a controller; set its field `controller` to "<extern>")'),
        (b"\nb\n\x1b[31m\n\na%20b", ' (waiting: HERE/a%20b, HERE/b; did you mean "a%20b"?)'),
        (b"\n8\n7\n6\n5\n4\n3\n2\n1\n0", f" (waiting: {', '.join(f'HERE/{one}' for one in range(8))}, ...)"),
        (b"\n" + b"x" * 8000, ' (no robot waits for a controller; set its field `controller` to "<extern>")'),
    ],
)
def test_robots_that_a_simulator_names(commands: list[list[str]], names: bytes, hint: str):
    with listening(lambda one: (one.recv(100), one.sendall(b"FAILED" + names))) as port:
        here = f"tcp://127.0.0.1:{port}"
        said = [first_line(one, {"WEBOTS_CONTROLLER_URL": f"{here}/a bb"}) for one in commands]
    assert said[0] == said[1]
    hint = hint.replace("HERE", here)
    assert said[0] == f'127.0.0.1:{port} does not have the robot "a bb"{hint}, retrying'


@pytest.mark.parametrize("url", ["ipc://8/e-puk", "ipc://7/a b", "e-puck2", "tcp://localhost:1/x"])
def test_robots_that_wait_on_this_machine(commands: list[list[str]], tmp_path: Path, url: str):
    temporary = tmp_path / "snap" / "webots" / "common" / "tmp"
    for place in (
        "webots/ann/7/ipc/e-puck",
        "webots-7/ipc/e-puck",
        "webots/ann/8/ipc/a%20b",
        "webots-x/ipc/c",
    ):
        (temporary / place).mkdir(parents=True)
        (temporary / place / "extern").touch()
    home = {"HOME": str(tmp_path), "WEBOTS_HOME": "/snap/webots/current", "USER": "ann"}
    if url == "e-puck2":  # the newest is looked at
        home["WEBOTS_TMPDIR"] = str(tmp_path)
    said = [first_line(one, {**home, "WEBOTS_CONTROLLER_URL": url}) for one in commands]
    assert said[0] == said[1]
    here = "tcp://localhost:" if url.startswith("tcp") else "ipc://"
    assert f"(waiting: {here}7/e-puck, {here}8/a%20b" in said[0]
    assert ("did you mean" in said[0]) == ("e-pu" in url)


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        write_answer(0, b"\0"),
        write_answer(-5, b""),
        b"\1\0\0\0",
        b"\xff" * 8,
        write_answer(0, b"\0\0\xc8"),
    ],
)
def test_a_simulator_that_goes_or_talks_nonsense(commands: list[list[str]], tmp_path: Path, rest: bytes):
    place = tmp_path / "ipc" / "robot"
    place.mkdir(parents=True)

    def serve() -> None:
        (place / "intern").unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(place / "intern"))
        listener.listen()
        threading.Thread(target=talk, args=(listener,), daemon=True).start()

    def talk(listener: socket.socket) -> None:
        with listener, listener.accept()[0] as connection:
            world = Loopback(name="robot")
            world.send(connection.recv(1000))
            connection.sendall(write_answer(0, world.answer().data))
            connection.recv(1000)
            connection.sendall(rest)

    environment = {"WEBOTS_INSTANCE_PATH": f"{tmp_path}/", "WEBOTS_ROBOT_NAME": "robot"}
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **environment}
    for command in commands:
        serve()
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=30, check=False
        )
        assert (done.returncode, done.stdout) == (1, "robot\n")
        assert done.stderr.startswith("Lost the simulator: ")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["robot", "a b/c", "ä" * 30, "x" * 71, "x" * 69])
def test_names_of_all_lengths_find_their_folder(
    c_home: Path, commands: list[list[str]], tmp_path: Path, name: str
):
    folder = tmp_path / "webots-1"
    for wanted in folder_names(name, len(f"{folder}/ipc//extern")):
        place = folder / "ipc" / wanted
        place.mkdir(parents=True)
        (place / "intern").touch()
        address = Address("intern", name, str(folder))
        assert local_sockets(address) == [place / "intern"]
        environment = {"WEBOTS_INSTANCE_PATH": f"{folder}/", "WEBOTS_ROBOT_NAME": name}
        process = subprocess.Popen(
            commands[0], env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        assert process.stderr.readline().startswith(f"Cannot connect to {place / 'intern'} (")
        process.kill()
        process.communicate()
        (place / "intern").unlink()


def test_others_run_and_a_signal_ends_the_wait_while_a_simulator_does_not_answer(tmp_path: Path):
    """Judge: Python runs other threads, and raises KeyboardInterrupt, during a wait of a thread."""
    program = tmp_path / "waiting.py"
    program.write_text(WAITING)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"tcp://127.0.0.1:{listener.getsockname()[1]}/robot"
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "WEBOTS_CONTROLLER_URL": url}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen([sys.executable, str(program)], env=environment, text=True, **pipes) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            with listener.accept()[0] as visitor:
                assert visitor.recv(3) == b"CTR"
                process.stdin.write("others run\n")
                process.stdin.flush()
                assert process.stdout.readline() == "others run\n"
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=60)
    assert said.endswith("KeyboardInterrupt\n")
    assert ", retrying" not in said
