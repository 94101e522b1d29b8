"""The server against those who must not come in, say too much, or listen too slowly."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.waiting import PATIENCE, wait_for
from tests.windows.conftest import TOKEN, Served
from wbridge.robot_windows.guard import TOKEN_LIFETIME_S, Guard, kept_token
from wbridge.robot_windows.hub import Hub, WorldInfo
from wbridge.robot_windows.page_session import MOST_MISTAKES, MOST_UNSEEN
from wbridge.robot_windows.server import LARGEST_MESSAGE, MOST_PAGES, WindowServer
from wbridge.robot_windows.whole_messages import MOST_PARTS

RUN = {"time": 1.0, "mode": 1}


def _hear(socket: Any, wanted: str) -> dict[str, Any]:
    """The next message that has a key."""
    while True:
        data: dict[str, Any] = json.loads(socket.recv(timeout=10))
        if wanted in data:
            return data


# Coming in.


def test_the_scene_is_described_while_its_page_is_loaded(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("wbridge.robot_windows.server.EXPECTED_S", 0.2)
    served.get("/")
    assert not served.hub.is_watched, "this world has no scene"
    served.hub.open(WorldInfo("world", (), {}, None, scenes=tmp_path))
    served.get("/", Cookie="")
    served.get("/pages/style.css")
    assert not served.hub.is_watched, "nobody who may look is coming"
    served.get("/")
    assert served.hub.wants_scene and served.hub.is_watched
    wait_for(lambda: not served.hub.is_watched)


def test_the_printed_address_opens_the_workbench(served: Served):
    path = served.server.url.removeprefix(f"http://{served.host}")
    welcome = served.get(path, Cookie="")
    assert (welcome.status, welcome.headers["Location"]) == (302, "/")
    cookie = welcome.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    page = served.get("/", Cookie=cookie.split(";")[0])
    assert page.status == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/\\evil.example", "\\\\evil.example", "/\t/evil.example", "//\\/evil.example"]
)
def test_no_address_redirects_to_another_server(served: Served, path: str):
    """Browsers read backslashes as slashes and skip tabs and line ends (WHATWG URL, 4.4)."""
    with socket.create_connection(("127.0.0.1", served.server.port), PATIENCE) as wire:
        wire.sendall(f"GET {path}?token={TOKEN}&x=\\y HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode())
        answer = wire.recv(4096).decode("latin-1")
    location = next((line for line in answer.splitlines() if line.lower().startswith("location:")), "")
    place = location.partition(":")[2].strip()
    assert not place or (place.startswith("/") and place[1:2] not in ("/", "\\") and "\t" not in place)


def test_the_rest_of_an_address_stays_and_leads_nowhere_else(served: Served):
    welcome = served.get(f"//evil.example/x?token={TOKEN}&name=a%20b", Cookie="")
    assert welcome.status in (302, 404)
    assert not (welcome.headers["Location"] or "").startswith("//")


@pytest.mark.parametrize(
    "cookie",
    [
        *("", "other=1", "wbridge-{port}=wrong", "wbridge-1={token}", '=;"', "wbridge-{port}="),
        *("wbridge-{port}={token}", "wbridge-{port}=..", "wbridge-{port}=1.x.{token}"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/pages/style.css", "/robot_windows/generic/generic.html", "/nothing"])
def test_nobody_comes_in_without_the_token(served: Served, path: str, cookie: str):
    text = cookie.format(port=served.server.port, token=TOKEN)
    assert served.get(path, Cookie=text).status == 403
    assert served.get(f"{path}?token=wrong", Cookie=text).status == 403


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}"],
)
def test_a_wrong_host_is_refused(served: Served, host: str):
    assert served.get("/", Host=host.format(port=served.server.port)).status in (400, 421)


@pytest.mark.parametrize("path", ["/live", "/"])
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:1", "https://{host}", "http://{host}.evil.example"],
)
def test_pages_from_elsewhere_get_no_connection(served: Served, path: str, origin: str):
    with pytest.raises(InvalidStatus, match="403"):
        served.connect(path, origin=origin.format(host=served.host)).__enter__()


@pytest.mark.parametrize("path", ["/live", "/"])
def test_a_connection_needs_the_token(served: Served, path: str):
    with pytest.raises(InvalidStatus, match="403"):
        served.connect(path, additional_headers={}).__enter__()
    with served.connect(f"{path}?token={TOKEN}", additional_headers={}, origin=None) as socket:
        socket.ping().wait(10)  # a program that knows the token comes in without a browser


def test_there_is_no_other_address_to_connect_to(served: Served):
    with pytest.raises(InvalidStatus, match="404"):
        served.connect("/other").__enter__()


def test_files_outside_are_not_given_away(served: Served):
    for path in ("/../../etc/passwd", "/robot_windows/%2e%2e/%2e%2e/x", "/pages/..%2f..%2fserver.py"):
        assert served.get(path).status == 404


def test_nonsense_on_the_socket_does_not_end_the_server(served: Served):
    for junk in (
        b"\0" * 1000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10000,
        b"POST / HTTP/1.1\r\n\r\n",
        b"\r\n" * 50,
    ):
        with socket.create_connection(("127.0.0.1", served.server.port), timeout=10) as raw:
            try:
                raw.sendall(junk)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(1000):
                    pass
            except OSError:
                pass  # it was hung up on
    assert served.get("/").status == 200


def test_the_number_of_pages_is_limited(served: Served):
    with ExitStack() as open_pages:
        for _ in range(MOST_PAGES):
            _hear(open_pages.enter_context(served.connect()), "hello")
        with pytest.raises(InvalidStatus, match="503"), served.connect():
            pass


def test_a_token_is_kept_for_the_user_alone(tmp_path: Path):
    first = kept_token(1, tmp_path)
    file = tmp_path / "windows-1.token"
    assert kept_token(1, tmp_path) == first
    assert kept_token(2, tmp_path) != first
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o644)
    second = kept_token(1, tmp_path)
    assert second != first
    long_ago = time.time() - TOKEN_LIFETIME_S - 1
    os.utime(file, (long_ago, long_ago))
    assert kept_token(1, tmp_path) != second


def test_a_taken_port_is_told(served: Served):
    with pytest.raises(OSError, match="in use"):
        WindowServer(Hub(), port=served.server.port, token="t")


# Saying too much, or the wrong thing.


def test_mistakes_are_answered_and_do_no_harm(served: Served):
    with served.connect() as socket:
        wrong = ("no json", "[" * 5000, '{"do": "fly"}', '{"do": "watch", "robots": [7]}', '{"do": "seen"}')
        for text in wrong:
            socket.send(text)
            assert _hear(socket, "lines")["lines"][0]["kind"] == "error"
        socket.send('{"do": "pause"}')
        while not served.hub.has_commands:
            socket.ping().wait(10)
    assert served.hub.take()[0].name == "pause"


def test_who_makes_nothing_but_mistakes_is_hung_up_on(served: Served):
    with served.connect() as socket, pytest.raises(ConnectionClosed) as ended:
        for _ in range(MOST_MISTAKES):
            socket.send("no json")
        while True:
            socket.recv(timeout=10)
    assert ended.value.rcvd is not None
    assert (ended.value.rcvd.code, ended.value.rcvd.reason) == (1008, "too many mistakes")


@pytest.mark.parametrize("path", ["/live", "/"])
def test_an_oversized_message_ends_the_connection(served: Served, path: str):
    with served.connect(path) as socket, pytest.raises(ConnectionClosed) as ended:
        socket.send("x" * (LARGEST_MESSAGE + 1))
        while True:
            socket.recv(timeout=10)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1009


@pytest.mark.parametrize(("path", "text"), [("/live", '{"do": "pause"}'), ("/", "robot:r:x")])
def test_a_flood_ends_the_connection(served: Served, path: str, text: str):
    with served.connect(path) as socket, pytest.raises(ConnectionClosed) as ended:
        for _ in range(20000):
            socket.send(text)
            served.hub.take()
        while True:
            socket.recv(timeout=10)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1008
    assert served.get("/").status == 200


# Listening.


def test_a_page_gets_the_scene_and_each_message_once(served: Served, tmp_path: Path):
    scene = {"number": 1, "file": "1.json", "messages": {"surface 0": {"kind": "phong"}}, "poses": bytes(28)}
    with served.connect() as socket:
        _hear(socket, "hello")
        socket.send('{"do": "watch", "scene": true}')
        while not served.hub.wants_scene:
            socket.ping().wait(10)
        served.hub.publish(RUN, {}, None, scene)
        assert _hear(socket, "run")["scene"] == {key: scene[key] for key in ("number", "file", "messages")}
        assert socket.recv(timeout=10) == struct.pack("<dd", 1.0, 1.0) + bytes(28)
        served.hub.publish(RUN, {}, None, scene)
        assert _hear(socket, "run")["scene"]["messages"] == {}, "nor are the same poses sent again"
        served.hub.publish(RUN, {}, None, {**scene, "number": 2})
        assert _hear(socket, "run")["scene"]["messages"] == scene["messages"]


def test_files_of_the_scene_need_the_token_and_stay_in_their_folder(served: Served, tmp_path: Path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "mesh").write_bytes(b"abc")
    (tmp_path / "secret").write_bytes(b"no")
    assert served.get("/scene/mesh").status == 404
    served.hub.open(served.hub.world._replace(scenes=tmp_path / "scenes"))
    found = served.get("/scene/mesh")
    assert (found.status, served.body) == (200, b"abc")
    for path in ("/scene/../secret", "/scene/%2e%2e/secret", "/scene/", "/scene/absent", "/scene/a/mesh"):
        assert served.get(path).status == 404
    assert served.get("/scene/mesh", Cookie="").status == 403


def test_a_page_gets_the_newest_state(served: Served):
    with served.connect() as socket:
        assert _hear(socket, "hello")["hello"]["robots"][0]["name"] == "r"
        socket.send('{"do": "watch", "robots": [0], "places": true}')
        while served.hub.watched != {0}:
            socket.ping().wait(10)
        served.hub.publish(RUN, {0: {"values": {1: {"value": float("nan")}}}}, {"robots": []})
        news = _hear(socket, "run")
    assert news == {"run": RUN, "robots": {"0": {"values": {"1": {"value": None}}}}, "places": {"robots": []}}


def test_a_page_that_names_its_robot_is_told_of_it_from_the_beginning(served: Served):
    with served.connect("/live?robot=r") as socket:
        hello = _hear(socket, "hello")["hello"]
        assert hello["nearest"] == ["r"]
        assert served.hub.watched == {0}
        served.hub.publish(RUN, {0: {"values": {}}}, None)
        assert _hear(socket, "run")["robots"]["0"] == {"values": {}}
        socket.send('{"do": "watch"}')  # it can look elsewhere later
        while served.hub.watched:
            socket.ping().wait(10)


def test_a_page_gets_each_picture_once(served: Served):
    first, second = (2, 1, bytes(range(8))), (2, 1, bytes(8))
    with served.connect("/live?robot=r") as socket:
        _hear(socket, "hello")
        wait_for(lambda: served.hub.watched == {0})
        for pictures, new in (({4: first}, True), ({4: first}, False), ({4: second}, True), ({}, False)):
            served.hub.publish(RUN, {0: {"values": {}, "pictures": pictures}}, None)
            told = _hear(socket, "run")["robots"]["0"]["pictures"]
            assert set(told) == ({"4"} if new else set())
            assert all(one.startswith("data:image/bmp;base64,") for one in told.values())


def test_a_page_that_names_no_robot_hears_which_there_are(served: Served):
    names = ["wall", "bob", "e-puck 1", "epuck"]
    robots = tuple(replace(served.hub.world.robots[0], number=i, name=one) for i, one in enumerate(names))
    served.hub.open(served.hub.world._replace(robots=robots))
    for address, nearest in (
        ("/live?robot=E-Puck", ["epuck", "e-puck 1", "wall", "bob"]),
        ("/live?robot=nobody", ["bob", "epuck", "e-puck 1", "wall"]),
        ("/live", names),
        ("/live?robot=", names),
        ("/live?robot=%ff%00" + "x" * 4000 + "&robot=bob&&=", None),
    ):
        with served.connect(address) as socket:
            told = _hear(socket, "hello")["hello"]["nearest"]
            assert set(told) == set(names) if nearest is None else told[0] == nearest[0]
            assert served.hub.watched == frozenset()


def test_nobody_is_watched_when_all_have_gone(served: Served):
    with served.connect() as socket:
        _hear(socket, "hello")
        assert served.hub.is_watched
    wait_for(lambda: not served.hub.is_watched)
    assert served.hub.take()[-1].name == "left"


def test_a_page_that_reads_nothing_slows_nobody(served: Served):
    """Its bytes wait up to a limit; publishing takes no longer."""
    with served.connect() as idle, served.connect() as busy:
        for one in (idle, busy):
            one.send('{"do": "watch", "robots": [0]}')
        _hear(busy, "hello")
        values = {0: {"values": ["x" * 100_000]}}
        last = -1.0
        start = time.monotonic()
        for i in range(300):
            served.hub.publish({"time": float(i)}, values, None)
            if i % 30 == 0:
                heard = _hear(busy, "run")["run"]["time"]
                assert heard > last
                last = heard
        assert time.monotonic() - start < PATIENCE
        assert served.get("/").status == 200


def test_a_page_that_says_what_it_has_seen_gets_nothing_old(served: Served):
    """As long as it has not seen the last news, all there is on the way is a few; then comes the newest."""
    with served.connect() as socket:
        _hear(socket, "hello")
        socket.send('{"do": "seen", "news": 1}')
        socket.ping().wait(10)
        for i in range(MOST_UNSEEN):
            served.hub.publish({"time": float(i)}, {}, None)
            assert _hear(socket, "run")["run"]["time"] == i
        for i in range(100):
            served.hub.publish({"time": 100.0 + i}, {}, None)
        served.hub.say("meanwhile")
        with pytest.raises(TimeoutError):
            socket.recv(timeout=0.2)
        socket.send('{"do": "seen", "news": 6}')
        newest = _hear(socket, "run")
        assert newest["run"]["time"] == 199
        assert [one["text"] for one in newest["lines"]] == ["meanwhile"]


@pytest.mark.parametrize(
    ("query", "number"), [("", 1), ("&number=2", 2), ("&number=1", 1), ("&number=0", 1), ("&number=x", 1)]
)
def test_of_robots_of_one_name_the_number_says_which(served: Served, query: str, number: int):
    names = ["other", "twin", "twin"]
    robots = tuple(replace(served.hub.world.robots[0], number=i, name=one) for i, one in enumerate(names))
    served.hub.open(served.hub.world._replace(robots=robots))
    with served.connect(f"/live?robot=twin{query}") as socket:
        _hear(socket, "hello")
        assert served.hub.watched == {number}


def test_a_new_world_is_introduced(served: Served):
    with served.connect() as socket:
        first = _hear(socket, "hello")["hello"]
        served.hub.open(served.hub.world._replace(title="another"))
        assert _hear(socket, "hello")["hello"]["title"] == "another" != first["title"]


# Windows made for Webots.


def test_a_window_hears_what_was_said_before_it_came(served: Served):
    served.hub.send("r", b'a "quoted" \\ text')
    with served.connect("/") as socket:
        socket.send("robot:r:init robot window")
        assert socket.recv(timeout=10) == 'robot: {"message":"a \\"quoted\\" \\\\ text","name":"r"}'
        while not served.hub.has_commands:
            socket.ping().wait(10)
        assert served.hub.take()[0].values == {"robot": "r", "text": "init robot window"}
        with served.connect("/") as other:
            other.ping().wait(10)
            served.hub.send("r", b"new")
            assert json.loads(socket.recv(timeout=10)[7:])["message"] == "new"
            assert json.loads(other.recv(timeout=10)[7:])["message"] == "new"


def test_a_window_that_talks_nonsense_is_hung_up_on(served: Served):
    with served.connect("/") as socket, pytest.raises(ConnectionClosed) as ended:
        socket.send("pause")
        socket.recv(timeout=10)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1008


# Other machines, proxies.


@pytest.mark.parametrize("host", ["127.0.0.2:{port}", "127.0.0.1:{port}", "localhost:{port}"])
def test_a_server_for_all_answers_at_the_addresses_of_the_machine(host: str):
    """127.0.0.2 stands for the machine's address in a network: the server was given 0.0.0.0, not that."""
    with WindowServer(Hub(), host="0.0.0.0", port=0, token=TOKEN) as server:
        answer = _ask(server, host.format(port=server.port))
        assert answer.startswith("HTTP/1.1 200")


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.3:{port}", "127.0.0.2:1", "127.0.0.2"])
def test_a_server_for_all_refuses_names_that_may_be_those_of_others(host: str):
    """DNS rebinding: a foreign page's name leads to this machine, and the browser sends that name."""
    with WindowServer(Hub(), host="0.0.0.0", port=0, token=TOKEN) as server:
        answer = _ask(server, host.format(port=server.port))
        assert answer.startswith("HTTP/1.1 421")


def _ask(server: WindowServer, host: str) -> str:
    """The answer of the server at 127.0.0.2."""
    cookie = f"{server.guard.cookie}={server.guard.cookies.make()}"
    with socket.create_connection(("127.0.0.2", server.port), PATIENCE) as wire:
        wire.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n".encode())
        return wire.recv(4096).decode("latin-1")


@pytest.mark.parametrize(
    ("host", "origin", "is_welcome"),
    [
        ("robots.example.org", "https://robots.example.org", True),
        ("robots.example.org", "http://robots.example.org", True),
        ("robots.example.org", "https://evil.example", False),
        ("localhost:9000", "http://localhost:9000", True),
        ("localhost:9001", "http://localhost:9001", False),
        ("other.example.org", "https://other.example.org", False),
    ],
)
def test_proxies_and_tunnels_are_named(host: str, origin: str, is_welcome: bool):
    names = ["robots.example.org", "localhost:9000"]
    guard = Guard("127.0.0.1", 8765, TOKEN, names)
    assert (guard.is_host(host) and guard.is_origin(origin)) is is_welcome
    assert guard.is_host("127.0.0.1:8765")


def test_the_address_of_a_server_for_all_is_one_that_can_be_opened():
    with WindowServer(Hub(), host="0.0.0.0", port=0, token=TOKEN) as server:
        host = urlsplit(server.url).hostname
        assert host is not None and host != "0.0.0.0"
        with socket.create_connection((host, server.port), PATIENCE):
            pass


# The end.


@pytest.mark.parametrize("reason", ["all controllers have ended (exit code 0)", "ä" * 200])
def test_pages_hear_how_the_run_has_ended(served: Served, reason: str):
    """Close code 1001 (RFC 6455, 7.4.1), and a reason of at most 123 bytes (5.5)."""
    with served.connect() as page:
        _hear(page, "hello")
        served.hub.finish(reason)
        served.server.close()
        with pytest.raises(ConnectionClosed) as end:
            while True:
                page.recv(timeout=10)
    assert end.value.rcvd is not None and end.value.rcvd.code == 1001
    assert end.value.rcvd.reason.removesuffix("…") == reason[: len(end.value.rcvd.reason.removesuffix("…"))]
    assert len(end.value.rcvd.reason) > 30


def test_idle_connections_lock_no_page_out(served: Served):
    """Whoever reaches the port can open connections; pages of those who have the token still come."""
    idle = [socket.create_connection(("127.0.0.1", served.server.port)) for _ in range(100)]
    for one in idle:
        one.sendall(b"GET / HTTP/1.1\r\nHost: ")
    assert served.get("/").status == 200
    with served.connect() as page:
        assert page.recv(timeout=10)
    for one in idle:
        one.close()


@pytest.mark.parametrize("path", ["/live", "/"])
@pytest.mark.parametrize("part", [b"", b"x"])
def test_a_message_of_very_many_parts_ends_the_connection(served: Served, path: str, part: bytes):
    """Empty parts never reach the limit of a message's bytes (RFC 6455, 5.4)."""
    with socket.create_connection(("127.0.0.1", served.server.port), PATIENCE) as wire:
        key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        head = f"Host: {served.host}\r\nCookie: {served.cookie}\r\n{key}Sec-WebSocket-Version: 13\r\n\r\n"
        wire.sendall(f"GET {path} HTTP/1.1\r\n{head}".encode())
        masked = bytes([0x80 | len(part)]) + bytes(4) + part  # masked with zeros
        wire.sendall(b"\x01" + masked + (b"\x00" + masked) * MOST_PARTS)
        answer = b""
        while b"too many parts" not in answer:
            data = wire.recv(2**16)
            assert data, "closed without a reason"
            answer += data
    assert served.get("/").status == 200


def test_messages_in_several_parts_are_put_together(served: Served):
    with served.connect() as page:
        page.send(['{"do": "wat', 'ch", "robots": ', "[7]}"])
        assert _hear(page, "lines")["lines"][0]["kind"] == "error"
