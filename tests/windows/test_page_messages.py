"""Messages between server and pages are what robot_windows/messages.py declares, on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from wbridge.robot_windows.files import PAGES
from wbridge.robot_windows.hub import Hub
from wbridge.robot_windows.messages import (
    REQUESTS,
    SESSION_REQUESTS,
    Hello,
    Line,
    News,
    RunState,
    SceneNews,
    camel,
    plain,
    request_name,
)
from wbridge.robot_windows.requests import BadRequest, read_command

SCRIPTS = {
    path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PAGES.rglob("*.js"))
    if "vendor" not in path.parts
}
KINDS = {request_name(kind): kind for kind in (*REQUESTS, *SESSION_REQUESTS)}
ASKED = re.compile(r"(?<!inside\.)\bask\('(\w+)'(?:, \{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\})?")
KEY = re.compile(r"(?:^|,)\s*(\w+)(?=\s*[:,]|\s*$)")
READ = {"hello": Hello, "news": News, "run": RunState}


def asked() -> Iterator[tuple[str, str, set[str]]]:
    """Requests in the pages: file, name, and the names of their values."""
    for name, text in SCRIPTS.items():
        if name.startswith("live/"):
            continue  # these ask a worker
        for request, values in ASKED.findall(text):
            outside = re.sub(r"\([^()]*\)|\[[^\]]*\]", "", re.sub(r"\([^()]*\)", "", values))
            yield name, request, set(KEY.findall(outside))


def test_pages_ask_only_for_what_is_declared():
    found = list(asked())
    assert len(found) > 20
    assert [one for one in found if one[1] not in KINDS] == []
    unknown = [
        (name, request, key)
        for name, request, keys in found
        for key in keys - {entry.name for entry in fields(KINDS[request])}
    ]
    assert unknown == []


@pytest.mark.parametrize("variable", READ)
def test_pages_read_only_what_is_declared(variable: str):
    declared = {camel(entry.name) for entry in fields(READ[variable])}
    read = {
        (name, key)
        for name, text in SCRIPTS.items()
        if not name.startswith("live/")  # these have a run of their own
        for key in re.findall(rf"(?<![\w/]){variable}\.(\w+)", text)
        if key != "js"
    }
    assert len(read) > 3
    assert {one for one in read if one[1] not in declared} == set()


def test_a_message_has_the_names_of_pages_and_lacks_what_is_none():
    assert plain(News(lines=[plain(Line("a", "out", ""))])) == {
        "lines": [{"text": "a", "kind": "out", "robot": ""}]
    }
    hello = Hello(1, 1, "t", False, False, has_scene=True, nearest=[], shape={}, robots=[])
    assert plain(hello)["hasScene"] is True
    assert plain(SceneNews(1, "f", {})) == {"number": 1, "file": "f", "messages": {}}


def test_values_are_checked_as_their_field_is_annotated():
    command = read_command({"do": "play", "speed": None})
    assert (command.name, command.values) == ("play", {"speed": None})
    with pytest.raises(BadRequest, match=r"play: speed: expected 0.01 to 1000 times real time, not 0"):
        read_command({"do": "play", "speed": 0})


def test_a_line_of_the_log_is_as_declared():
    hub = Hub()
    hub.say("printed", "out", "rover")
    assert hub.lines.read(0).items == [plain(Line("printed", "out", "rover"))]
