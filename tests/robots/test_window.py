"""Messages between controllers and robot windows, in both directions, and custom data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.devices.rig import Rig, robot, world


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(robot("")))


def window(rig: Rig) -> Any:
    return rig.robot.part("window")


def test_the_window_reads_what_the_controller_sends(rig: Rig):
    rig.client.wwi_send_text("one")
    rig.client.wwi_send(b"\1\0\2")
    rig.step()
    assert window(rig).take_messages() == [b"one\0", b"\1\0\2"]
    assert window(rig).take_messages() == []


def test_the_controller_reads_what_the_window_sends_in_order(rig: Rig):
    window(rig).send("eins")
    window(rig).send("zwei ä")
    rig.step()
    assert [rig.client.wwi_receive_text() for _ in range(3)] == ["eins", "zwei ä", None]


def test_messages_that_nobody_reads_are_limited(rig: Rig, caplog: pytest.LogCaptureFixture):
    for _ in range(1005):
        rig.client.wwi_send_text("x")
    rig.step()
    assert len(window(rig).take_messages()) == 1000
    assert "no page reads" in caplog.records[0].getMessage()


def test_too_much_for_the_controller_is_refused(rig: Rig):
    window(rig).send(bytes(2**24))
    with pytest.raises(ValueError, match="are queued for the controller"):
        window(rig).send("x")


def test_custom_data_that_somebody_else_changes_reach_the_controller(rig: Rig):
    rig.set("ROBOT", "customData", "new")
    rig.step()
    assert rig.client.get_custom_data() == "new"


def test_custom_data_of_the_controller_reach_the_field(rig: Rig):
    rig.client.set_custom_data("mine")
    rig.step()
    assert rig.node("ROBOT").get("customData") == "mine"
