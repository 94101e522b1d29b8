"""What is said about controllers that the bridge sends away."""

from __future__ import annotations

import logging

import pytest

from tests.conftest import CHECKOUT
from wbridge.hal.link.errors import TableMismatch
from wbridge.hal.link.master import Master
from wbridge.hal.link.transports import connect
from wbridge.wbcore.bridge.bridge import Bridge
from wbridge.wbcore.simulation import Simulation

URL = "loop://another robot"
LATER = 1e15
"""ms of any clock: longer than every watchdog waits."""


def test_a_controller_for_another_robot_is_told_once(caplog: pytest.LogCaptureFixture):
    simulation = Simulation(CHECKOUT / "worlds" / "two_wheels.wbt")
    with Bridge(simulation, {"two wheels": [URL]}) as bridge:
        table = bridge.robots[0].side.table
        table = table._replace(devices=table.devices[:-1])
        other = Master(table, lambda: connect(URL), build="old")
        with caplog.at_level(logging.WARNING):
            for _ in range(2):
                with pytest.raises(TableMismatch):
                    other.connect(1.0)
                bridge.listen(0.0)
        (said,) = (one.getMessage() for one in caplog.records)
        assert said.startswith(
            'robot "two wheels": the controller "old" is refused: its robot has other devices'
        )
        other.close()


def test_a_controller_that_comes_and_asks_for_nothing_is_told_once(caplog: pytest.LogCaptureFixture):
    simulation = Simulation(CHECKOUT / "worlds" / "two_wheels.wbt")
    with Bridge(simulation, {"two wheels": [URL]}) as bridge:
        (served,) = bridge.robots
        for build in ("asking", "silent", "silent"):
            other = Master(served.side.table, lambda: connect(URL), watchdog=10_000, build=build)
            with caplog.at_level(logging.WARNING):
                other.connect(1.0)
                bridge.listen(0.0)
                if build == "asking":
                    other.begin(0)
                    bridge.listen(0.0)
                assert served.is_driven
                served.server.slave.tick(LATER)
                bridge.listen(0.0)
                assert not served.is_driven
            other.close()
        (said,) = (one.getMessage() for one in caplog.records)
        assert said.startswith('robot "two wheels": the controller "silent" connected but sent no request.')
        assert f"up to {served.server.slave.options.reply_limit} bytes" in said and "--board MAP" in said
