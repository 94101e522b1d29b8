"""What `--fetch` may reach, and how long and how large. Judge: OWASP's cheat sheet on server-side request
forgery; RFC 6890 (addresses that are not public).
"""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.scene.helpers import HEADER
from wbridge.wbcore.scene import cache, downloading
from wbridge.wbcore.scene.cache import joined
from wbridge.wbcore.scene.downloading import MOST_REDIRECTS, Refused, check_address, download
from wbridge.wbcore.scene.load import LoadOptions, load_world

HOST = "127.0.0.1"


class Site:
    """A server whose answers a test chooses; it counts what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, str, bytes]] = {}
        self.asked: list[str] = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                status, location, body = site.answers.get(self.path, (404, "", b""))
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer((HOST, 0), Handler)
        self.port = self.server.server_port
        self.url = f"http://{HOST}:{self.port}"


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A trusted site on loopback."""
    running = Site()
    monkeypatch.setenv("WBRIDGE_FETCH_HOSTS", f"lab.example, {HOST}:{running.port}")
    thread = threading.Thread(target=running.server.serve_forever, args=(0.01,))
    thread.start()
    yield running
    running.server.shutdown()
    running.server.server_close()
    thread.join()


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://example.org/x.proto",
            "ftp://example.org/x",
            "file:///etc/passwd",
            "file:/etc/passwd",
            "x.proto",
        ),
        *("https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://a.localhost/x"),
        *("https://10.0.0.1/x", "https://192.168.1.1/x", "https://172.16.0.1/x", "https://169.254.169.254/x"),
        *(
            "https://[fd00::1]/x",
            "https://[fe80::1%25eth0]/x",
            "https://[::ffff:127.0.0.1]/x",
            "https://0.0.0.0/x",
        ),
        *("https://printer.local/x", "https://db.internal/x", "https://user:pw@example.org/x", "https:///x"),
        *("https://example.org\\@127.0.0.1/x", "https://example.org/\r\nX: y", "https://example.org:99999/x"),
        *("https://[x/", "data:text/plain,x", ""),
    ],
)
def test_addresses_that_are_refused(url: str):
    with pytest.raises(Refused):
        check_address(url, {})


def test_public_and_trusted_addresses_are_allowed():
    check_address("https://raw.githubusercontent.com/cyberbotics/webots/x.proto", {})
    check_address("https://93.184.215.14/x", {})
    trusted = {"WBRIDGE_FETCH_HOSTS": "lab.example, 10.0.0.5:8000"}
    check_address("http://lab.example/x", trusted)
    check_address("http://10.0.0.5:8000/x", trusted)
    for url in ("http://10.0.0.5:22/x", "http://10.0.0.6:8000/x", "ftp://lab.example/x"):
        with pytest.raises(Refused):
            check_address(url, trusted)


def test_a_public_name_with_a_private_address_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch):
    """The resolver gives loopback for a public name, as with DNS rebinding; nothing is sent there."""
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **named: real(HOST, *more, **named))
    with pytest.raises(Refused, match="not a public address"):
        download(f"https://models.example.org:{site.port}/x")
    assert site.asked == []


def test_a_file_that_ends_early_is_not_used(monkeypatch: pytest.MonkeyPatch):
    with dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", ends=True) as port:
        monkeypatch.setenv("WBRIDGE_FETCH_HOSTS", f"{HOST}:{port}")
        with pytest.raises(OSError, match="before the end of the file"):
            download(f"http://{HOST}:{port}/x")


@pytest.mark.parametrize(
    "location",
    [
        *("file:///etc/passwd", "ftp://127.0.0.1/x", "https://evil.example/x", "http://lab.example/x"),
        *(
            "http://localhost:1/x",
            "https://169.254.169.254/latest",
            "//evil.example/x",
            "http:\\\\evil.example/x",
        ),
    ],
)
def test_redirects_elsewhere_are_refused(site: Site, location: str):
    site.answers["/a"] = (302, location, b"")
    with pytest.raises((Refused, OSError)):
        download(f"{site.url}/a")
    assert site.asked == ["/a"]


def test_redirects_on_the_same_server_are_followed_but_not_without_end(site: Site):
    site.answers["/a"] = (301, "b", b"")
    site.answers["/b"] = (302, f"{site.url}/c", b"")
    site.answers["/c"] = (200, "", b"model")
    assert download(f"{site.url}/a") == b"model"
    for k in range(20):
        site.answers[f"/{k}"] = (302, f"/{k + 1}", b"")
    site.asked.clear()
    with pytest.raises(OSError):
        download(f"{site.url}/0")
    assert len(site.asked) <= MOST_REDIRECTS + 1


def test_a_file_that_is_too_large_is_not_read_to_its_end(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(downloading, "MOST_BYTES", 2**20)
    site.answers["/a"] = (200, "", bytes(2**20))
    assert len(download(f"{site.url}/a")) == 2**20
    site.answers["/a"] = (200, "", bytes(2**20 + 1))
    with pytest.raises(ValueError, match="larger than 1 MiB"):
        download(f"{site.url}/a")


@contextmanager
def dripping(before: bytes, ends: bool = False) -> Iterator[int]:
    """A server that sends a start, then a byte now and then, for ever unless it ends."""
    ended = threading.Event()
    if ends:
        ended.set()
    with socket.create_server((HOST, 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                try:
                    connection.sendall(before)
                    while not ended.wait(0.01):
                        connection.sendall(b"x")
                except OSError:
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        ended.set()
        thread.join()


@pytest.mark.parametrize("before", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: ", b"HT"])
def test_a_server_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch, before: bytes):
    with dripping(before) as port:
        monkeypatch.setenv("WBRIDGE_FETCH_HOSTS", f"{HOST}:{port}")
        with pytest.raises(ValueError, match=r"longer than 0\.3 s"):
            download(f"http://{HOST}:{port}/x", 0.3)


def test_nonsense_in_place_of_an_answer_is_an_error(site: Site, monkeypatch: pytest.MonkeyPatch):
    with dripping(b"no http at all\r\n") as port:
        monkeypatch.setenv("WBRIDGE_FETCH_HOSTS", f"{HOST}:{port}")
        with pytest.raises(OSError, match="answer is invalid"):
            download(f"http://{HOST}:{port}/x")


def test_a_world_cannot_download_without_end(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch):
    names = [f"M{k}" for k in range(6)]
    for name in names:
        site.answers[f"/{name}.proto"] = (200, "", f"{HEADER}PROTO {name} [ ] {{ Solid {{ }} }}".encode())
    externs = "".join(f'EXTERNPROTO "{site.url}/{name}.proto"\n' for name in names)
    world = tmp_path / "w.wbt"
    world.write_text(f"{HEADER}{externs}{' '.join(f'{name} {{ }}' for name in names)}")
    monkeypatch.setattr(cache, "MOST_BYTES", 100)
    loaded = load_world(world, LoadOptions(cache=tmp_path / "cache", fetch=True))
    assert len(site.asked) == 3, "until 100 bytes are exceeded, at about 45 bytes each"
    assert sum("allowed: 0 MiB" in text.message for text in loaded.report.errors) == 3


def test_a_downloaded_model_cannot_name_local_files():
    assert joined("https://example.org/a/b.proto", "file:///etc/passwd") == "file:///etc/passwd"
    assert joined("https://example.org/a/b.proto", "c.proto") == "https://example.org/a/c.proto"
    assert joined("/home/w.wbt", "file:///x/y.proto") == "/x/y.proto"
