"""Take-over, replay and flood at a robot's topics, and how older ends are refused.

Judge: docs/robot-link.md, "Frames" (MQTT) and "Who can do what".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.broker import Broker
from tests.hal.link.conftest import ROVER
from tests.hal.link.serving import Serving, serving
from tests.hal.link.test_attacks_on_wires import PATIENCE, Wire
from wbridge.hal.installation import update_command
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import ConnectionLost, Refused
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.transports import connect
from wbridge.hal.link.transports.mqtt import ControllerPipe, MqttPipe
from wbridge.hal.link.url import parse_url

TOPIC = "robots/ann"
VELOCITY = Numbering(ROVER).channel(1, "velocity")
assert VELOCITY
FAST = m.encode_sample(VELOCITY, 99.0, 8)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    one = Broker(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


@pytest.fixture
def robot(broker: Broker) -> Iterator[Serving]:
    with serving(broker.url(TOPIC)) as one:
        yield one


@pytest.fixture
def wire(broker: Broker, robot: Serving) -> Iterator[Wire]:
    made = Wire(broker.url(TOPIC), robot.robot, robot.slave)
    yield made
    made.master.close()


@pytest.fixture
def stranger(broker: Broker) -> Iterator[ControllerPipe]:
    """Somebody else who may use the broker."""
    pipe = ControllerPipe(parse_url(broker.url(TOPIC)))
    yield pipe
    pipe.close()


class OldPipe(MqttPipe):
    """An end of the time when all controllers shared two topics."""

    def __init__(self, url: str, send_to: str, receive_from: str, announce: dict[str, bytes]) -> None:
        self._send_to = send_to
        super().__init__(parse_url(url), "", [receive_from], announce)

    def send(self, data: bytes) -> None:
        self.publish(self._send_to, data)

    def receive(self, timeout: float) -> bytes | None:
        taken = self.take(timeout)
        return taken[1] if taken else None


def answer(pipe: Any, data: bytes) -> Any:
    """What the robot says to it."""
    pipe.send(data)
    told = pipe.receive(PATIENCE)
    assert told
    return m.decode(told)


def test_who_knows_the_session_cannot_use_it_from_another_topic(wire: Wire, stranger: ControllerPipe):
    wire.drive(3)
    session, sequence = wire.slave.session, wire.slave.sequence
    for flags in (m.ENABLE, m.LEAVE, m.CONTINUE, m.PART):
        for number in (sequence, sequence + 1):
            taken_over = m.Request(flags, session, number, 8, 60_000, FAST)
            assert answer(stranger, m.encode(taken_over)).reason == m.REFUSED_SESSION
    wire.drive(3)
    assert wire.master.sessions == 1 and wire.robot.stops == 0 and wire.slave.watchdog == 5000


def test_recorded_requests_do_nothing_from_another_topic(wire: Wire, stranger: ControllerPipe):
    wire.drive(3)
    for data in [one for one in wire.taps[0].sent if one[0] == m.code_of(m.Request)]:
        assert answer(stranger, data).reason == m.REFUSED_SESSION
    wire.drive(3)
    assert wire.master.sessions == 1 and wire.robot.stops == 0


def test_a_flood_from_many_topics_locks_nobody_out(wire: Wire, stranger: ControllerPipe):
    request = m.encode(m.Request(m.ENABLE, wire.slave.session, 1, 8, 60_000, FAST))
    for k in range(500):
        stranger.publish(f"request/{k:022x}", request)
        stranger.publish("request", request)
    wire.drive(5)
    assert wire.master.sessions == 1 and wire.robot.stops == 0


def test_keys_are_long_and_never_the_same(broker: Broker):
    pipes = [ControllerPipe(parse_url(broker.url(TOPIC))) for _ in range(3)]
    assert len({one.key for one in pipes}) == 3
    assert all(re.fullmatch("[0-9a-f]{22}", one.key) for one in pipes)
    for one in pipes:
        one.close()


def test_an_older_controller_is_refused_and_hears_what_to_do(broker: Broker, robot: Serving):
    url = broker.url(TOPIC)
    old = Master(ROVER, lambda: OldPipe(url, "request", "reply", {}))
    with pytest.raises(Refused, match=re.escape(update_command())):
        old.connect(PATIENCE)
    assert robot.slave.sessions == 0


def test_a_guessable_key_is_refused(broker: Broker, robot: Serving):
    pipe = OldPipe(broker.url(TOPIC), "request/1", "reply/1", {})
    hello = m.Hello(m.VERSION, 1, 1, 500, robot.slave.numbering.hash, "old")
    assert answer(pipe, m.encode(hello)).reason == m.REFUSED_TOPIC
    pipe.close()


@pytest.mark.parametrize(("state", "said"), [("online", "update it there"), ("offline", "it is offline")])
def test_silence_of_an_older_robot_is_explained(broker: Broker, state: str, said: str):
    url = broker.url(f"robots/{state}")
    old = OldPipe(url, "reply", "request", {"state": state.encode()})
    with pytest.raises(ConnectionLost, match=said):
        Master(ROVER, lambda: connect(url)).connect(0.5)
    old.close()


def test_the_rules_of_the_page_give_each_controller_its_own_topics_only(tmp_path: Any):
    page = (CHECKOUT / "docs" / "robot-link.md").read_text()
    rules = page.partition("```\nuser ann\n")[2].partition("```")[0]
    broker = Broker(tmp_path, f"user ann\n{rules}")
    try:
        with serving(broker.url(TOPIC)) as robot:
            wire = Wire(broker.url(TOPIC, user="bob"), robot.robot, robot.slave)
            eve = OldPipe(broker.url(TOPIC, user="bob"), f"request/{wire.taps[0].pipe.key}", "reply/#", {})  # type: ignore[attr-defined]
            eve.send(m.encode(m.Request(m.LEAVE, wire.slave.session, 1, 8, 500, b"")))
            wire.drive(3)
            assert wire.master.sessions == 1 and eve.take(0.0) is None
            wire.master.close()
            eve.close()
    finally:
        broker.stop()
