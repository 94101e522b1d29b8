"""Windows served by a process of their own: the run never waits for it, and outlives it."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.waiting import wait_for
from tests.windows.wire import PATIENCE, Looker
from wbridge.robot_windows.frames import HEAD, frame, read_frame
from wbridge.robot_windows.hub import PageRobot, WorldInfo
from wbridge.robot_windows.shared_state import PLACE
from wbridge.robot_windows.subscribers import MOST_COMMANDS, Command
from wbridge.robot_windows.window_process import WindowProcess

TABLE = {"robot": {}, "devices": []}
WORLD = WorldInfo("world", (PageRobot(0, "r", "Robot", "", TABLE, {"rays": {}}),), {"standing": []}, None)
TOKEN = "the-token-of-these-tests"


@pytest.fixture
def windows() -> Iterator[WindowProcess]:
    with WindowProcess(port=0, token=TOKEN) as made:
        made.open(WORLD)
        yield made


def _commands(windows: WindowProcess, count: int) -> list[Command]:
    found: list[Command] = []

    def take() -> bool:
        taken = [command for command in windows.take() if command.name != "hold"]
        assert all(command.page > 0 for command in taken)
        found.extend(command._replace(page=0) for command in taken)
        return len(found) >= count

    wait_for(take)
    return found


def test_a_page_sees_states_and_lines_and_gives_commands(windows: WindowProcess):
    with Looker(windows.url) as page:
        assert page.hello["title"] == "world"
        wait_for(lambda: windows.watched == {0} and windows.is_watched and windows.wants_places)
        windows.publish({"time": 1.0}, {0: {"number": 0, "values": {3: {"value": 2.5}}}}, {"robots": []})
        windows.say("hello", "stdout", "r")
        now = page.until(lambda now: True)
        assert (now["run"], now["values"]) == ({"time": 1.0}, {"3": {"value": 2.5}})
        windows.publish({"time": 2.0}, {0: {"number": 0}}, None)
        page.heard("hello")
        page.ask("stop")
        page.ask("set", device=1, channel="velocity", value=None)
        wanted = {"device": 1, "channel": "velocity", "value": None}
        assert _commands(windows, 2) == [Command("stop", 0, {}), Command("set", 0, wanted)]
    assert _commands(windows, 1) == [Command("left", -1, {})]
    assert not windows.is_watched  # whoever hears of the command knows that nobody is left
    assert not windows.watched


def test_a_page_that_comes_before_the_world_waits_for_it():
    with WindowProcess(port=0, token=TOKEN) as windows, ThreadPoolExecutor() as pool:
        page = pool.submit(Looker, windows.url)
        wait_for(lambda: windows.is_watched)
        windows.open(WORLD)
        with page.result(PATIENCE) as looker:
            assert looker.hello["title"] == "world"


def test_a_state_that_is_too_large_for_the_board_arrives_all_the_same(windows: WindowProcess):
    big = {0: {"number": 0, "values": {}, "picture": "x" * (PLACE + 1)}}
    with Looker(windows.url) as page:
        wait_for(lambda: windows.watched)
        windows.publish({"time": 5.0}, {0: {"number": 0}}, None)
        page.until(lambda now: now["run"] == {"time": 5.0})
        windows.publish({"time": 6.0}, big, None)
        page.until(lambda now: now["run"] == {"time": 6.0})


def test_a_state_of_a_world_that_is_not_shown_yet_waits_for_it(windows: WindowProcess):
    with Looker(windows.url) as page:
        wait_for(lambda: windows.watched)
        os.kill(windows._process.pid, signal.SIGSTOP)
        try:
            windows.publish({"time": 1.0}, {0: {"number": 0}}, None)
            windows.open(WORLD)
            windows.publish({"time": 2.0}, {0: {"number": 0}}, None)
        finally:
            os.kill(windows._process.pid, signal.SIGCONT)
        page.until(lambda now: now["run"] == {"time": 2.0})


def test_a_process_that_stands_still_keeps_nobody_waiting(windows: WindowProcess):
    big = {0: {"number": 0, "values": {one: {"value": float(one)} for one in range(2000)}}}
    with Looker(windows.url) as page:
        wait_for(lambda: windows.watched)
        os.kill(windows._process.pid, signal.SIGSTOP)
        try:
            start = time.monotonic()
            for one in range(2000):
                windows.publish({"time": float(one)}, big, None)
                windows.say("x" * 4000)
            windows.send("r", bytes(2**24))
            assert time.monotonic() - start < PATIENCE  # a single wait would last for ever
        finally:
            os.kill(windows._process.pid, signal.SIGCONT)
        wait_for(lambda: windows.publish({"time": -1.0}, big, None) or not windows._backlog)
        page.until(lambda now: windows.publish({"time": -1.0}, big, None) or now["run"]["time"] == -1.0)
        windows.say("after")
        page.until(lambda now: windows.publish({"time": -1.0}, big, None) or "after" in page.said)
        assert any("lines and messages dropped" in one for one in page.said)


def test_a_run_that_takes_no_commands_keeps_no_more_than_it_can(windows: WindowProcess):
    with ExitStack() as stack:
        each, given = MOST_COMMANDS // 3, 0
        for page in [stack.enter_context(Looker(windows.url)) for _ in range(4)]:
            for _ in range(each):
                page.tell("release")
            given += each
            # Before the next page: else more than the server queues could come at once, and are refused.
            queued = min(given, MOST_COMMANDS)
            wait_for(lambda queued=queued: len(windows._commands) == queued)
        assert len(windows.take()) == MOST_COMMANDS
        wait_for(lambda: len(windows._commands) == given - MOST_COMMANDS)


def test_the_end_of_the_process_is_not_that_of_the_run(
    windows: WindowProcess, caplog: pytest.LogCaptureFixture
):
    with Looker(windows.url):
        wait_for(lambda: windows.is_watched)
        with caplog.at_level(logging.ERROR):
            windows._process.kill()
            wait_for(lambda: not windows.is_watched)
            windows._thread.join(PATIENCE)
    assert "the window server has ended" in caplog.text
    windows.publish({"time": 1.0}, {}, None)
    windows.say("nobody hears this")
    assert windows.take() == []


def test_all_pages_have_left_when_the_process_is_killed(
    windows: WindowProcess, monkeypatch: pytest.MonkeyPatch
):
    """They have left before anything is printed, which may take long."""
    waiting: list[bool] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: waiting.append(windows.has_commands))
    monkeypatch.setattr(logging.getLogger("wbridge"), "handlers", [handler])
    with Looker(windows.url) as page:
        page.ask("stop")
        assert _commands(windows, 1) == [Command("stop", 0, {})]
        windows._process.kill()
        wait_for(lambda: waiting)
        assert waiting == [True]
        assert _commands(windows, 1) == [Command("left")]


def test_the_process_ends_with_the_run():
    windows = WindowProcess(port=0, token=TOKEN)
    process = windows._process
    windows.close()
    windows.close()
    assert process.returncode == 0


def test_a_taken_port_is_told(windows: WindowProcess):
    with pytest.raises(OSError, match="address already in use"):
        WindowProcess(port=windows.port, token=TOKEN)


class Named(NamedTuple):
    a: int
    b: str


def test_frames_hold_plain_data():
    import numpy as np

    data = {"a": Named(1, "x"), 2: (np.float64(0.5), np.int32(3), bytearray(b"b"), None, True)}
    whole = frame("state", data)
    (size,) = HEAD.unpack_from(whole)
    assert size == len(whole) - HEAD.size
    assert read_frame(whole[HEAD.size :]) == ["state", {"a": [1, "x"], 2: [0.5, 3, b"b", None, True]}]
    whole = frame("line", "text", 1.5)
    assert read_frame(whole[HEAD.size :]) == ("line", "text", 1.5)


def test_the_folder_of_windows_is_passed_on(tmp_path: Path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own.html").write_text("<html><head></head>own</html>")
    with WindowProcess(port=0, token=TOKEN) as windows:
        windows.open(WORLD._replace(windows=tmp_path))
        opener = build_opener(HTTPCookieProcessor())

        def page_of_window() -> bytes:
            """The page; nothing until the process has read the message about the world."""
            try:
                with opener.open(windows.url.replace("/?", "/robot_windows/own/own.html?")) as page:
                    return bytes(page.read())
            except HTTPError:
                return b""

        wait_for(page_of_window)
        assert b"own</html>" in page_of_window()
