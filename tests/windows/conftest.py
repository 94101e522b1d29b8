"""A server with a small world in it, and clients that ask it."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project
from tests.devices.conftest import drive
from tests.windows.visit import chromium, visit
from wbridge.robot_windows.hub import Hub, PageRobot, WorldInfo
from wbridge.robot_windows.server import WindowServer

__all__ = ["chromium", "drive", "visit"]

TOKEN = "the-token-of-these-tests"
ROBOT = PageRobot(0, "r", "Robot", "", {"robot": {}, "devices": []}, {"outline": [], "rays": {}})


class Served:
    """A server, its hub, and ways to ask it."""

    def __init__(self, folder: Path) -> None:
        self.hub = Hub()
        self.hub.open(WorldInfo("world", (ROBOT,), {"standing": []}, folder))
        self.server = WindowServer(self.hub, port=0, token=TOKEN)
        self.host = f"127.0.0.1:{self.server.port}"
        self.cookie = f"{self.server.guard.cookie}={self.server.guard.cookies.make()}"

    def get(self, path: str, **headers: str) -> HTTPResponse:
        """Ask for a page; with the cookie, unless headers say otherwise ("" leaves one out)."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        connection.putrequest("GET", path, skip_host=True)
        for name, value in {"Host": self.host, "Cookie": self.cookie, **headers}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        self.body = response.read()
        connection.close()
        return response

    def connect(self, path: str = "/live", **options: Any) -> Any:
        """A client of websockets, with cookie and Origin unless told otherwise."""
        from websockets.sync.client import connect

        options.setdefault("additional_headers", {"Cookie": self.cookie})
        options.setdefault("origin", f"http://{self.host}")
        options.setdefault("compression", None)
        return connect(f"ws://{self.host}{path}", **options)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.server.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Project(tmp_path / "project")
