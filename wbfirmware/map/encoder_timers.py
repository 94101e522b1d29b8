"""Encoders that a timer of the board counts, without an interrupt for each edge."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.boards.drivers import Driver


class EncoderTimer(NamedTuple):
    """A timer or pulse counter that counts an encoder."""

    number: int
    reversed: bool
    """True if the encoder's first track is at channel 2."""


def encoder_pins(board: Board) -> list[str]:
    """Return the pairs of pins whose edges a timer of a board can count, as text."""
    return [" and ".join(pins) for pins in board.timing.encoders.values()]


def encoder_timer(
    board: Board, driver: Driver, values: Mapping[str, object], taken: Collection[str]
) -> EncoderTimer | None:
    """Return the timer or pulse counter that counts a device; None if none does.

    Args:
        board: the board.
        driver: of the device.
        values: of the driver's parameters.
        taken: timers that generate PWM or servo pulses, and so count nothing, and those of other encoders.
    """
    counters = (k for k in range(1, board.timing.counters + 1) if str(k) not in taken)
    for feature in driver.features.values():
        pins = [values.get(pin) for pin in feature.pins]
        for number, channels in board.timing.encoders.items():
            if number not in taken and pins and pins in (channels, channels[::-1]):
                return EncoderTimer(int(number), pins != channels)
        if pins and None not in pins and (counter := next(counters, None)):
            return EncoderTimer(counter, False)
    return None
