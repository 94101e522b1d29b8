"""The map in docs/architecture.md: every file and folder that it names exists."""

from __future__ import annotations

import re

import pytest

from tests.conftest import CHECKOUT
from wbridge.hal.protocol.devices.motor import CODEC
from wbridge.hal.protocol.packet import write_request

PAGE = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`([a-z_]+/[\w./-]*)`", PAGE)))
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")
"""A word such as KIND or BOARD stands for any name."""


@pytest.mark.parametrize("path", PATHS)
def test_a_path_on_the_map_exists(path: str):
    assert any(CHECKOUT.glob(PLACEHOLDER.sub("*", path).rstrip("/"))), path


def _drawn() -> list[str]:
    """The folders of the tree under "Folders", with their parents."""
    found, parents = [], [""]
    block = PAGE.partition("## Folders")[2].split("```")[1]
    for line in block.strip("\n").splitlines():
        names = re.match(r"( *)((?:\S+/ ?)+|\S+\.py)(?: |$)", line)
        if names is None:
            continue
        depth = len(names[1]) // 2
        parents[depth + 1 :] = [parents[depth] + names[2].split()[0]]
        found += [parents[depth] + one for one in names[2].split()]
    return found


def test_the_folders_drawn_exist():
    drawn = _drawn()
    assert len(drawn) > 30
    assert [one for one in drawn if not (CHECKOUT / one).exists()] == []


SYMBOLS = sorted(set(re.findall(r"`([a-z_]+/[\w./-]*\.\w+): ?([\w.:]+)`", PAGE)))


@pytest.mark.parametrize(("path", "symbol"), SYMBOLS)
def test_a_symbol_on_the_map_stands_in_its_file(path: str, symbol: str):
    """`Robot.take` is a definition `take` in a file that also defines `Robot`."""
    text = (CHECKOUT / path).read_text(encoding="utf-8")
    names = re.split(r"\.|::", symbol)
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


def test_the_life_of_a_command_names_symbols():
    assert len(SYMBOLS) >= 3


def test_the_bytes_of_a_command_are_those_of_the_protocol():
    """The judge is the writer of packets, by which Webots' recorded controllers are answered."""
    block = PAGE.partition("### The bytes of a command")[2].split("```")[1]
    shown = bytes.fromhex("".join(re.findall(r"^((?:[0-9a-f]{2} )+) ", block, re.MULTILINE)))
    command = bytearray()
    CODEC.write_command(command, CODEC.command_codes["set_velocity"], (3.0,))
    assert shown == write_request(32, [(1, command)])


QUESTIONS = {
    "How is a motor's velocity limited?": "wbcore/engine/src/motor.cpp",
    "Where is a PROTO searched?": "wbcore/scene/library.py",
    "What bytes does a command have in the controller protocol?": "#the-bytes-of-a-command",
    "How does an ADC value become a distance?": "drivers/analog_distance/analog_distance.c",
    "Where does the page draw a curve?": "robot_windows/pages/workbench/plot_panel.js",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_table_answers_a_reader_s_question(question: str):
    """By a link, so that the answer is the second page that a reader opens."""
    (answer,) = re.findall(rf"^\| {re.escape(question)} \| (.*) \|$", PAGE, re.MULTILINE)
    assert any(target.endswith(QUESTIONS[question]) for target in re.findall(r"\]\(([^)]+)\)", answer))
    assert re.search(r"`[\w/.]+:[\w.:]+`|\]\(#", answer), "a file with its symbol, or a section of the page"
