"""Packets that the engine takes: only their numbers vary."""

from __future__ import annotations

import math
import struct

import pytest

from wbridge.wbcore.engine import _engine

HEAD, GAP = b"head", b"-"
FRAME = HEAD + bytes(8) + GAP + bytes(8)
PLACES = [4, 13]


def packet(one: float, other: float, head: bytes = HEAD) -> bytes:
    return head + struct.pack("<d", one) + GAP + struct.pack("<d", other)


@pytest.fixture
def motors() -> list[_engine.Motor]:
    """One without limits of position, one for velocities up to 10."""
    return [_engine.Motor(), _engine.Motor()]


def taker(motors: list[_engine.Motor]) -> _engine.MotorPacket:
    return _engine.MotorPacket(FRAME, PLACES, motors, [False, True])


def test_targets_are_set(motors: list[_engine.Motor]) -> None:
    assert taker(motors).take(packet(1.5, -2.5)) == ()
    assert (motors[0].target_position, motors[1].target_velocity) == (1.5, -2.5)


def test_cut_targets_are_told_by_their_index(motors: list[_engine.Motor]) -> None:
    assert taker(motors).take(packet(1.5, 99)) == (1,)
    assert motors[1].target_velocity == 10


@pytest.mark.parametrize(
    "data",
    [
        packet(1, 2, b"tail"),
        packet(1, 2)[:-1],
        packet(1, 2) + b"x",
        b"",
        packet(math.nan, 2),
        packet(1, math.inf),
    ],
    ids=["other", "short", "long", "empty", "nan", "infinite velocity"],
)
def test_other_packets_and_wrong_numbers_set_nothing(motors: list[_engine.Motor], data: bytes) -> None:
    before = motors[0].target_position, motors[1].target_velocity
    assert taker(motors).take(data) is None
    assert (motors[0].target_position, motors[1].target_velocity) == before


@pytest.mark.parametrize("places", [[4], [4, 14], [4, 8], [13, 4]], ids=["few", "far", "overlap", "order"])
def test_places_must_fit(motors: list[_engine.Motor], places: list[int]) -> None:
    with pytest.raises(ValueError, match="place"):
        _engine.MotorPacket(FRAME, places, motors, [False, True])
