"""Who may connect over TCP. Judge: Webots' `robot.c`, in which the robot's name is all that follows the port:
sent as it is (R2022b, R2023a), with other characters than letters, digits and -_~. as %XX (R2023b, R2025a),
and as SHA-1 digits if that is longer than 70 characters (R2023b) or 90 (R2025a).
"""

from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import urllib.parse
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import CHECKOUT
from tests.controllers.project import HEADER
from tests.waiting import wait_for
from wbridge.hal.link.guesses import GUESSES_PER_SECOND, GuessLimit
from wbridge.hal.protocol import peer_user
from wbridge.hal.protocol.names import split_token, with_token
from wbridge.wbcore.controllers import admission
from wbridge.wbcore.controllers.admission import Admission, random_token
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

TOKEN = "the-token-of-these-tests"
LONG = "a robot with a long name, " * 3
Library = Callable[[str], bytes]


def raw(name: str) -> bytes:
    """What libraries of R2022b and R2023a send."""
    return name.encode()


def quoted(name: str, longest: int) -> bytes:
    """What libraries send that encode names."""
    code = urllib.parse.quote(name, safe="-_.~")
    return hashlib.sha1(code.encode()).hexdigest().encode() if len(code) > longest else code.encode()


LIBRARIES: dict[str, Library] = {
    "R2022b": raw,
    "R2023a": lambda name: raw(name) + b"\0",
    "R2023b": lambda name: quoted(name, 70),
    "R2025a": lambda name: quoted(name, 90),
}


class Desk:
    """A server of extern robots."""

    def __init__(self, names: tuple[str, ...], given: Admission) -> None:
        robots = "".join(
            f'Robot {{ name "{name}" controller "<extern>" supervisor TRUE }}\n' for name in names
        )
        self.lockstep = Lockstep(Simulation(load_text(f"{HEADER}WorldInfo {{ }}\n{robots}")))
        self.server = Server(admission=given)
        self.server.serve(self.lockstep.sessions)

    def reply(self, name: bytes, host: str = "127.0.0.1") -> bytes:
        """The answer to a handshake."""
        with socket.create_connection((host, self.server.port)) as client:
            client.sendall(b"CTR" + (b"\nRobot-Name: " + name if name else b""))
            client.settimeout(30)
            while self.server.poll(0.02):
                pass
            return client.recv(100)


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def build(*names: str, **options: bool) -> Desk:
        desks.append(Desk(names, Admission(TOKEN, **options)))
        return desks[-1]

    yield build
    for each in desks:
        each.server.close()


@pytest.mark.parametrize("release", LIBRARIES)
@pytest.mark.parametrize("name", ["r", "a b", LONG, "größe?token=x", ""])
def test_libraries_of_all_releases_carry_the_token(desk: Callable[..., Desk], release: str, name: str):
    there = desk(name or "only", everywhere=True)
    assert there.reply(LIBRARIES[release](f"{name}?token={TOKEN}")) == b"CONNECTED"


@pytest.mark.parametrize("release", LIBRARIES)
@pytest.mark.parametrize("name", ["r", LONG])
def test_without_the_token_nobody_enters(desk: Callable[..., Desk], release: str, name: str):
    there = desk(name, everywhere=True)
    for suffix in ("", "?token=", "?token=wrong", f"?token={TOKEN}x", f"?token={TOKEN[:-1]}"):
        assert there.reply(LIBRARIES[release](name + suffix)) == b"FORBIDDEN"


def test_this_users_programs_need_no_token_but_a_wrong_one_is_refused(desk: Callable[..., Desk]):
    there = desk("r", "s")
    assert there.reply(b"r") == b"CONNECTED"
    assert there.reply(b"s?token=wrong") == b"FORBIDDEN"
    assert there.reply(b"s?token=" + TOKEN.encode()) == b"CONNECTED"


def test_programs_need_the_token_where_the_system_hides_the_user(
    desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(peer_user, "TABLES", {})
    there = desk("r")
    assert there.reply(b"r") == b"FORBIDDEN"
    assert there.reply(b"r%3Ftoken%3D" + TOKEN.encode()) == b"CONNECTED"


def test_only_holders_of_the_token_learn_the_names_of_robots(desk: Callable[..., Desk]):
    there = desk("secret robot", everywhere=True)
    assert there.reply(b"x") == b"FORBIDDEN"
    assert there.reply(b"x?token=" + TOKEN.encode()) == b"FAILED\nsecret%20robot"


def test_a_long_name_without_a_token_is_found_by_its_digits(desk: Callable[..., Desk]):
    assert desk(LONG, "other").reply(quoted(LONG, 70)) == b"CONNECTED"


def test_an_address_guesses_ten_times_per_second(monkeypatch: pytest.MonkeyPatch, desk: Callable[..., Desk]):
    monkeypatch.setattr(admission, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    there = desk("r", everywhere=True)
    for k in range(GUESSES_PER_SECOND):
        assert there.reply(b"r?token=%d" % k) == b"FORBIDDEN"
    assert there.reply(b"r?token=" + TOKEN.encode()) == b"FORBIDDEN", (
        "even the right one, until a second is over"
    )


def test_refusals_are_reported_once_and_without_tokens(
    desk: Callable[..., Desk], caplog: pytest.LogCaptureFixture
):
    there = desk("r", everywhere=True)
    for suffix in ("", "?token=guess", "", "?token=guess"):
        there.reply(f"r{suffix}".encode())
    assert [text.partition(": it sent ")[2].partition(" token")[0] for text in caplog.messages] == [
        "no",
        "a wrong",
    ]
    assert "guess" not in caplog.text and TOKEN not in caplog.text


def test_who_has_closed_its_connection_is_nobody():
    """The kernel says that sockets without a program belong to root."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        client.sendall(b"CTR")
        client.close()
        connection, _ = listener.accept()
        with connection, pytest.raises(ConnectionResetError):
            peer_user.user_of_peer(connection)


def test_random_tokens_fit_into_addresses():
    tokens = {random_token() for _ in range(100)}
    assert len(tokens) == 100
    for token in tokens:
        assert len(token) == 16
        assert urllib.parse.quote(token, safe="-_") == token
        assert split_token(with_token("a b", token)) == ("a b", token)


CONTROLLER = """
import os, sys
from wbridge.hal import api
api.wb_robot_init()
print(api.wb_robot_get_name(), os.environ["WBRIDGE_CONTROLLER_TOKEN"], flush=True)
"""


@pytest.mark.parametrize("place", ["address", "environment"])
def test_a_controller_takes_the_token_from_its_address_or_its_environment(
    desk: Callable[..., Desk], place: str
):
    there = desk("a b", everywhere=True)
    url = f"tcp://127.0.0.1:{there.server.port}/a b" + (f"?token={TOKEN}" if place == "address" else "")
    environment = {"PYTHONPATH": str(CHECKOUT), "WEBOTS_CONTROLLER_URL": url}
    environment["WBRIDGE_CONTROLLER_TOKEN"] = TOKEN if place == "environment" else "x"
    command = [sys.executable, "-c", CONTROLLER]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:

        def has_ended() -> bool:
            there.server.poll()
            return process.poll() is not None

        wait_for(has_ended)
        assert process.stdout is not None
        assert process.stdout.read().split() == ["a", "b", environment["WBRIDGE_CONTROLLER_TOKEN"]]
