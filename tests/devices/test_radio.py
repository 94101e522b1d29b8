"""Radios: addresses, channels and power."""

from __future__ import annotations

from math import log10, pi
from typing import Any

import pytest

from tests.devices.rig import STEP_MS, Rig, robot, world

FREQUENCY = 2.4e9


def pair(sender: str = "", hearer: str = "", distance: float = 10.0) -> tuple[Rig, list[Any]]:
    """A rig with two radios, and the list of what the second one hears."""
    text = robot(f'Radio {{ name "radio" address "a" {sender} }}', name="one")
    text += robot(f'Radio {{ name "radio" address "b" {hearer} }}', f"translation {distance} 0 0", name="two")
    rig = Rig(world(text))
    radio = rig.of(rig.connect("two"), "radio")
    radio.enable(STEP_MS)
    heard: list[Any] = []
    radio.set_callback(lambda event: heard.append((event.rssi, event.emitter, event.data)))
    rig.step()
    return rig, heard


def send(rig: Rig, to: bytes = b"b") -> None:
    rig.model("radio").on_send(to, b"hello", 0.0)
    rig.step()


@pytest.mark.parametrize(("to", "arrives"), [(b"b", True), (b"", True), (b"c", False), (b"b\0", True)])
def test_packets_go_to_an_address(to: bytes, arrives: bool):
    rig, heard = pair()
    send(rig, to)
    assert [one[1:] for one in heard] == ([("a", b"hello")] if arrives else [])


def test_power_falls_with_the_distance():
    rig, heard = pair("txPower 7")
    send(rig)
    assert heard[0][0] == pytest.approx(7 - 20 * log10(4 * pi * 10 * FREQUENCY / 299_792_458))


@pytest.mark.parametrize("fields", ["rxSensitivity -40", "channel 3", "frequency 5e9"])
def test_a_deaf_or_detuned_radio_hears_nothing(fields: str):
    rig, heard = pair("", fields)
    send(rig)
    assert heard == []


def test_a_radio_that_is_off_hears_nothing():
    rig, heard = pair()
    rig.of(rig.connect("two"), "radio").enable(0)
    rig.step()
    send(rig)
    assert heard == []


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_nonsense_from_the_wire_is_refused(value: float):
    rig, _ = pair()
    with pytest.raises(ValueError, match="frequency"):
        rig.model("radio").on_set_frequency(value)
