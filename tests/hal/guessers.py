"""Programs that guess the secrets of each server of ours, on several connections at once.

`python -m tests.hal.guessers` prints how many guesses each server compares with its secret in any second.
"""

from __future__ import annotations

import hmac
import socket
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from unittest.mock import patch

from tests.hal.link.broker import make_certificates
from tests.hal.link.serving import serving, table_at, url_with
from wbridge.hal.link.errors import LinkError
from wbridge.robot_windows.hub import Hub, WorldInfo
from wbridge.robot_windows.server import WindowServer
from wbridge.wbcore.controllers.admission import Admission
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

__all__ = ["SERVERS", "Guess", "compared", "crowd", "most_in_a_second"]

TOKEN, WRONG = "the-token-of-these-tests", "wrong"
PATIENCE_S = 30.0
WORLD = '#VRML_SIM R2025a utf8\nWorldInfo { }\nRobot { name "r" controller "<extern>" }'
Guess = Callable[[str], bool]
"""Shows a secret on a new connection, the right one for ""; returns whether it opens."""


# Servers, and what shows them a secret.


@contextmanager
def _windows() -> Iterator[WindowServer]:
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub()
        hub.open(WorldInfo("world", (), {}, Path(folder)))
        server = WindowServer(hub, port=0, token=TOKEN)
        yield server
        server.close()


def _get(server: WindowServer, path: str, cookie: str = "", **headers: str) -> int:
    """The status of a request."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Cookie": cookie, **headers} if cookie else headers)
    status = connection.getresponse().status
    connection.close()
    return status


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


@contextmanager
def window_token() -> Iterator[Guess]:
    """The token in the address of a page."""
    with _windows() as server:
        yield lambda secret: _get(server, f"/?token={secret or TOKEN}") == 302


@contextmanager
def window_socket() -> Iterator[Guess]:
    """The token in the address of a WebSocket."""
    with _windows() as server:
        yield lambda secret: _get(server, f"/live?token={secret or TOKEN}", **UPGRADE) == 101


@contextmanager
def window_cookie() -> Iterator[Guess]:
    """The cookie of a page."""
    with _windows() as server:
        name, right = server.guard.cookie, server.guard.cookies.make()
        text = right.rpartition(".")[0]
        yield lambda secret: _get(server, "/", f"{name}={f'{text}.{secret}' if secret else right}") == 200


@contextmanager
def window_code() -> Iterator[Guess]:
    """The code that opens a page once."""
    with _windows() as server:
        yield lambda secret: _get(server, f"/?once={secret or server.guard.code}") == 302


@contextmanager
def extern_robot() -> Iterator[Guess]:
    """The token of a simulation's controllers over TCP."""
    server = Server(admission=Admission(TOKEN, everywhere=True))
    server.serve(Lockstep(Simulation(load_text(WORLD))).sessions)
    end = threading.Event()
    poller = threading.Thread(target=lambda: [server.poll(0.01) for _ in iter(end.is_set, True)])
    poller.start()

    def guess(secret: str) -> bool:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
            client.sendall(b"CTR\nRobot-Name: r?token=" + (secret or TOKEN).encode())
            return client.recv(100) == b"CONNECTED"

    yield guess
    end.set()
    poller.join()
    server.close()


@contextmanager
def _robot(options: str, shown: str) -> Iterator[Guess]:
    with serving(options) as robot:

        def guess(secret: str) -> bool:
            try:
                table_at(url_with(robot.url, secret or TOKEN, shown))
            except LinkError:
                return False
            return True

        yield guess


@contextmanager
def robot_tcp() -> Iterator[Guess]:
    """The token of a robot over TCP."""
    with _robot(f"tcp://:{TOKEN}@127.0.0.1", "") as guess:
        yield guess


@contextmanager
def robot_tls() -> Iterator[Guess]:
    """The token of a robot over TLS."""
    with tempfile.TemporaryDirectory() as name:
        make_certificates(Path(name))
        where = f"tcps://:{TOKEN}@127.0.0.1?cert={name}/server.crt&key={name}/server.key"
        with _robot(where, f"?ca={name}/ca.crt") as guess:
            yield guess


SERVERS = window_token, window_socket, window_cookie, window_code, extern_robot, robot_tcp, robot_tls


# Guessers.


@contextmanager
def compared() -> Iterator[dict[bytes, float]]:
    """The wrong secrets that a server of this process compares with the right one, and when (s)."""
    times: dict[bytes, float] = {}
    compare = hmac.compare_digest

    def note(own: str | bytes, other: str | bytes) -> bool:
        texts = [text.encode() if isinstance(text, str) else text for text in (own, other)]
        for text in texts:
            if text.startswith(WRONG.encode()):
                times.setdefault(text, time.monotonic())
        return compare(*texts)

    with patch.object(hmac, "compare_digest", note):
        yield times


def crowd(guess: Guess, threads: int, goes_on: Callable[[int], bool]) -> int:
    """Guess on several connections at once while a function of the number of guesses says so; their
    number."""
    numbers = count()

    def work() -> None:
        for number in iter(lambda: next(numbers), None):
            if not goes_on(number):
                return
            assert not guess(f"{WRONG}{number}")

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    return next(numbers) - threads


def most_in_a_second(times: Sequence[float]) -> int:
    """The largest number of times in any second."""
    return max((bisect_left(times, start + 1.0) - k for k, start in enumerate(times)), default=0)


def main() -> None:
    """Guess for some seconds at each server."""
    print(f"{'server':16}{'connections':>12}{'guesses/s':>12}{'compared in any second':>24}")
    for server in SERVERS:
        for threads in (1, 8):
            with compared() as times, server() as guess:
                end = time.monotonic() + 5.0
                number = crowd(guess, threads, lambda _, end=end: time.monotonic() < end)  # type: ignore[misc]
            most = most_in_a_second([*times.values()])
            print(f"{server.__name__:16}{threads:12}{number / 5.0:12.0f}{most:24}", flush=True)


if __name__ == "__main__":
    main()
