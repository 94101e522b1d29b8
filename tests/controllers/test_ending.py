"""The end of the link: what a controller is told, and what becomes of its last requests."""

from __future__ import annotations

import pytest

from wbridge.hal.protocol.packet import AnswerReader, write_request
from wbridge.wbcore.controllers.exchange import ControllerExchange
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

QUIT = bytes([0, 0, 2])


@pytest.fixture
def link() -> ControllerExchange:
    text = '#VRML_SIM R2023b utf8\nWorldInfo { }\nRobot { name "a" controller "<extern>" }'
    made = ControllerExchange(Simulation(load_text(text)).robots.list[0])
    assert len(made.feed(write_request(0))) > 8
    return made


def answers(data: bytes) -> list[bytes]:
    return [one.data for one in AnswerReader().feed(data)]


def test_the_end_answers_a_pending_step(link: ControllerExchange):
    assert link.feed(write_request(32)) == b""
    assert answers(link.quit()) == [QUIT]
    assert link.due is None


def test_requests_after_the_end_get_empty_answers(link: ControllerExchange):
    link.feed(write_request(32))
    link.quit()
    assert answers(link.feed(write_request(0) + write_request(16))) == [b"", b""]
    assert link.due is None


def test_a_controller_that_computes_gets_its_answers_until_its_next_step(link: ControllerExchange):
    assert link.quit() == b""
    custom_data = bytes([37, 2, 0]) + b"x\0"
    assert QUIT not in answers(link.feed(write_request(0, [(0, custom_data)])))
    assert link.robot.node.get("customData") == "x"
    assert answers(link.feed(write_request(32))) == [QUIT]
    assert answers(link.feed(write_request(0))) == [b""]


def test_the_last_word_is_said_once(link: ControllerExchange):
    link.quit()
    assert answers(link.last_word()) == [QUIT]
    assert link.last_word() == b""


def test_commands_after_the_end_do_nothing(link: ControllerExchange):
    link.feed(write_request(32))
    link.quit()
    custom_data = bytes([37, 2, 0]) + b"x\0"
    link.feed(write_request(0, [(0, custom_data)]))
    assert link.robot.node.get("customData") == ""
