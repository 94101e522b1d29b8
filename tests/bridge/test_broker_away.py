"""What a bridge says when the broker of its robots ends, and is started again."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.broker import Broker
from tests.waiting import wait_for
from wbridge.wbcore.bridge.bridge import Bridge
from wbridge.wbcore.simulation import Simulation


def test_a_broker_that_goes_and_comes_back_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    broker = Broker(tmp_path)
    simulation = Simulation(CHECKOUT / "worlds" / "two_wheels.wbt")
    said = caplog.records
    try:
        with (
            caplog.at_level(logging.WARNING, "wbridge.wbcore.bridge.bridge"),
            Bridge(simulation, {"two wheels": [broker.url("rover")]}) as bridge,
        ):

            def listen() -> int:
                bridge.listen(0.01)
                return len(said)

            for _ in range(3):
                assert listen() == 0
            broker.stop()
            wait_for(lambda: listen() == 1)
            broker.start()
            wait_for(lambda: listen() == 2)
    finally:
        broker.stop()
    assert [one.getMessage() for one in said] == [
        'robot "two wheels": the broker is unreachable; trying to reconnect',
        'robot "two wheels": the broker is connected again',
    ]
