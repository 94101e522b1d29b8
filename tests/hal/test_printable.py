"""Text of a peer is shown, and never obeyed, by a terminal.

Judge: ECMA-48 (control functions), Unicode UAX #9 (marks of direction), and CWE-150.
"""

from __future__ import annotations

import logging

import pytest

from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import TableMismatch
from wbridge.hal.printable import printable, printable_lines
from wbridge.log_format import PrintableFormatter
from wbridge.remote_controls.wblink import Plugin

ATTACKS = [
    ("\x1b[2J", "\\x1b[2J"),
    ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
    ("\x9b1m", "\\x9b1m"),
    ("\u202etxt.exe", "\\u202etxt.exe"),
    ("\u2066a\u2069", "\\u2066a\\u2069"),
    ("a\rb\n\b", "a\\rb\\n\\x08"),
    ("\u200b\u2028\ufeff", "\\u200b\\u2028\\ufeff"),
    ("\ud800", "\\ud800"),
]


@pytest.mark.parametrize(("text", "shown"), ATTACKS)
def test_what_a_terminal_obeys_is_shown_as_an_escape(text: str, shown: str):
    assert printable(text) == shown
    assert printable(f"a{text}").isprintable()


@pytest.mark.parametrize("text", ["", "left wheel", "Räder 车轮 \U0001f916", '"a\\b"'])
def test_what_can_be_read_stays(text: str):
    assert printable(text) == text


def test_a_long_text_is_cut():
    assert printable("x" * 100, 10) == "x" * 10 + "..."


@pytest.mark.parametrize(("text", "shown"), ATTACKS[:5])
def test_a_log_message_shows_names_so(text: str, shown: str):
    record = logging.LogRecord("wbridge", logging.WARNING, "", 0, 'robot "%s"\n\tnext', (text,), None)
    assert PrintableFormatter("%(message)s").format(record) == f'robot "{shown}"\n\tnext'


def test_what_a_robot_says_reaches_the_terminal_so(capsys: pytest.CaptureFixture[str]):
    Plugin()._say(str(TableMismatch('the robot "\x1b[2J\u202e" is another one')))
    assert capsys.readouterr().err == 'wblink: the robot "\\x1b[2J\\u202e" is another one\n'


def test_the_build_in_every_message_is_shown_so():
    build = "\x1b[31m"
    for message in (
        m.Hello(1, 1, 1, 1, bytes(8), build),
        m.Welcome(1, 1, 1, 64, 64, 4, 0, bytes(8), build),
        m.Refusal(1, 1, 1, 1, 1, bytes(8), build),
    ):
        assert m.decode(m.encode(message)).build == "\\x1b[31m"


def test_the_ends_of_lines_stay_where_a_message_has_several():
    assert printable_lines("one\ntwo\x1b[2J\r\nthree") == "one\ntwo\\x1b[2J\\r\nthree"
