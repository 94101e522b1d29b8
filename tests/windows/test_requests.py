"""What pages may ask for, and what is refused."""

from __future__ import annotations

import pytest

from wbridge.robot_windows.hub import Hub
from wbridge.robot_windows.messages import LONGEST_PART, LONGEST_PATH, LONGEST_SOURCE
from wbridge.robot_windows.requests import LONGEST, BadRequest, read_command, read_object
from wbridge.robot_windows.subscribers import MOST_COMMANDS, Command
from wbridge.robot_windows.wwi import read_message


def test_a_request_becomes_a_command():
    data = read_object('{"do": "set", "robot": 0, "device": 3, "channel": "velocity", "value": 2.5}')
    command = read_command(data)
    assert command == Command("set", 0, {"device": 3, "channel": "velocity", "value": 2.5})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "7",
        "null",
        '{"do": 1e999, "robot": NaN}',
        '{"value": Infinity}',
        "[" * 60000,
        '{"a":' * 10000,
        "x" * (LONGEST + 1),
        b"{}",
    ],
)
def test_messages_that_are_no_object_are_refused(text: str | bytes):
    with pytest.raises(BadRequest):
        read_object(text)


def test_only_sources_may_be_long():
    """A controller's source of the greatest length may consist of characters that JSON escapes."""
    text = "\\n" * LONGEST_SOURCE
    source = f'{{"do": "write", "name": "a/a.py", "text": "{text}", "known": "", "id": 1}}'
    assert read_command(read_object(source)).values["text"] == "\n" * LONGEST_SOURCE
    with pytest.raises(BadRequest, match="allowed: 65536"):
        read_object(source.replace("write", "custom"))
    part = "+" * LONGEST_PART
    bring = f'{{"do": "bring", "name": "{"é" * LONGEST_PATH}", "part": "{part}", "begins": true, "id": 1}}'
    assert read_command(read_object(bring)).values["part"] == part
    with pytest.raises(BadRequest, match="characters"):
        read_object(" " * 2**19)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "unknown request"),
        ({"do": "explode"}, "unknown request"),
        ({"do": ["set"]}, "unknown request"),
        ({"do": "__init__"}, "unknown request"),
        ({"do": "pause", "robot": 1}, "unknown: robot"),
        ({"do": "stop"}, "robot is missing"),
        ({"do": "stop", "robot": True}, "whole number"),
        ({"do": "stop", "robot": -1}, "whole number"),
        ({"do": "play", "speed": 0}, "times real time"),
        ({"do": "play", "speed": float("inf")}, "a number"),
        ({"do": "control", "robot": 0, "on": 1}, "true or false"),
        ({"do": "set", "robot": 0, "device": 1, "channel": "velocity", "value": 1e300}, "a number"),
        ({"do": "set", "robot": 0, "device": 1, "channel": "velocity", "value": float("nan")}, "a number"),
        ({"do": "set", "robot": 0, "device": 1, "channel": 7, "value": 1}, "a text"),
        ({"do": "enable", "robot": 0, "device": 1, "channel": "value", "period": -5}, "whole number"),
        ({"do": "custom", "robot": 0, "text": "a\0b"}, "a text"),
        ({"do": "custom", "robot": 0, "text": "x" * 20000}, "at most"),
    ],
)
def test_wrong_requests_are_refused_with_the_reason(data: dict[str, object], says: str):
    with pytest.raises(BadRequest, match=says):
        read_command(data)


def test_commands_that_nobody_takes_are_limited():
    hub = Hub()
    accepted = sum(hub.put(Command("pause")) for _ in range(MOST_COMMANDS + 50))
    assert accepted == MOST_COMMANDS
    assert len(hub.take()) == MOST_COMMANDS
    assert hub.take() == []
    assert hub.put(Command("pause"))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("robot:e-puck:hello", ("e-puck", "hello")),
        ("robot:e-puck:a:b", ("e-puck", "a:b")),
        ('robot:{"name":"e:puck","message":"say \\"yes\\""}', ("e:puck", 'say "yes"')),
        ("robot:e-puck", None),
        ("pause", None),
        ("", None),
    ],
)
def test_lines_of_windows_for_webots_are_understood(line: str, found: tuple[str, str] | None):
    assert read_message(line) == found
