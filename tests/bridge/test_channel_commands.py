"""Channels of the device table as commands and samples of simulated devices: none is forgotten."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.hal.link.conftest import make_device
from wbridge.hal.catalogue import kinds
from wbridge.hal.protocol.devices import codec_of
from wbridge.wbcore.bridge.channel_commands import (
    _COMMANDS,
    _SAMPLES,
    commands_of,
    function_name,
    picture_values,
)
from wbridge.wbcore.devices import device_class

OUTSIDE = {"Device", "Robot", "DifferentialWheels", "Servo", "Display", "Radio", "Skin", "Speaker", "Motor"}
"""Bases, and kinds whose commands are drawings, sounds and packets of the simulator alone."""
PICTURES = {"image", "rangeImage", "pointCloud", "segmentationImage"}
OWN_WAY = {("Emitter", "packets")}
LINKED = [(name, one) for name, one in kinds().items() if name not in OUTSIDE and codec_of(name) is not None]


@pytest.mark.parametrize(("name", "kind"), LINKED)
def test_each_command_channel_is_a_command(name, kind):
    wanted = {one.name for one in kind.channels if one.direction == "act"}
    wanted = {one for one in wanted if (name, one) not in OWN_WAY}
    assert set(_COMMANDS.get(name, {})) >= wanted


@pytest.mark.parametrize(("name", "kind"), LINKED)
def test_each_sensor_channel_is_told_by_a_message(name, kind):
    codec = codec_of(name)
    told = set()
    for message_name, read in _SAMPLES.get(name, {}).items():
        message = codec.messages[codec.message_codes[message_name]]
        told |= {channel for channel, _ in read(*_sample(message))}
    assert told >= {one.name for one in kind.channels if one.direction == "sense"} - PICTURES


def _sample(message):
    """Values of a message, as far as the channels' names depend on them."""
    return [[] if one == "objects" else (0, 0, 0) for one in message.layout.names]


@pytest.mark.parametrize(("name", "kind"), LINKED)
def test_each_period_is_set_by_a_command_that_the_device_has(name, kind):
    for one in kind.channels:
        if one.enable and one.name not in ("objects", "segmentationImage"):
            assert hasattr(device_class(name), f"on_{function_name(one.enable)}"), one.enable


def test_a_lidars_picture_is_ranges_and_points():
    entry = SimpleNamespace(type="Lidar", constants={"horizontalResolution": 1, "numberOfLayers": 1})
    device = SimpleNamespace(entry=entry)
    point = b"\0\0\x80\x3f" * 3 + bytes(8)
    assert picture_values(device, b"\0\0\0\x40" + point) == [
        ("rangeImage", [2.0]),
        ("pointCloud", [(1.0, 1.0, 1.0, 0, 0.0)]),
    ]


def test_drawings_are_commands_of_the_simulated_display():
    device = SimpleNamespace(entry=make_device(1, "screen", "Display", width=4, height=4))
    line = bytes([2, 0]) + b"".join(n.to_bytes(4, "little") for n in (1, 3, 2, 4))
    orders = [(16, (0x102030).to_bytes(4, "little")), (33, line)]
    wanted = [("set_color", (0x102030,)), ("draw_line", ([1, 3], [2, 4]))]
    assert commands_of(device, "drawing", orders) == wanted
    for wrong in ((200, b""), (16, b"abc"), (16, b"abcde"), (67, b"\1\0\0\0\xff\x7f\xff\x7f\3abc")):
        assert commands_of(device, "drawing", [orders[0], wrong, orders[1]]) == wanted[:1]
