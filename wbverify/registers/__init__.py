"""What the registers of a board and of its parts must hold, by formulas and tables of their data sheets.

A module here is named after an emulator and lists the rules of its chips. An emulator that does not show a
register has no rule for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, TypeAlias, cast

from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_pins import PinComparison
from wbridge.wbverify.coupling.couplings import SensorCoupling

Read: TypeAlias = Callable[[int, int], int]
"""Returns the number in some bytes at an address, the low byte first."""

__all__ = ["Rule", "compare_registers", "compare_parts", "tick_phase"]

ROUNDED = 1e-9
"""Relative rounding of computed limits."""


class Rule(NamedTuple):
    """A quantity that registers set, and its limits."""

    tag: int
    """The device that needs it; 0: the board."""
    quantity: str
    value: Callable[[Read], float]
    """Computes it from the registers."""
    low: float
    high: float
    source: str
    """Data sheet and section."""


class RulesModule(Protocol):
    """The interface of a module of rules."""

    def rules(self, hardware: Hardware) -> list[Rule]:
        """Return the rules for what a hardware map uses."""


def compare_registers(hardware: Hardware, bench: Bench, step: int) -> list[PinComparison]:
    """Compare the registers of a board with its rules.

    Args:
        hardware: the hardware map.
        bench: the board.
        step: step of the comparisons.

    Raises:
        BenchError: the emulator has ended.
    """
    module = _module(hardware)
    if module is None:
        return []
    read = _reader(bench)
    return [
        PinComparison(
            *(step, rule.tag, rule.quantity, (rule.low + rule.high) / 2, rule.value(read)),
            bound=(rule.high - rule.low) / 2 + ROUNDED * abs(rule.high),
            source=rule.source,
        )
        for rule in module.rules(hardware)
    ]


def tick_phase(hardware: Hardware, bench: Bench) -> float | None:
    """Return the time of the clock's ticks within a millisecond (us), which must not change: a clock that
    counts each tick from the last interrupt is late by the delays of all of them. None: it is not known.

    Raises:
        BenchError: the emulator has ended.
    """
    phase = getattr(_module(hardware), "tick_phase", None)
    return None if phase is None else float(phase(_reader(bench)))


def _module(hardware: Hardware) -> RulesModule | None:
    """Return the rules of a board's chips."""
    name = f"{__name__}.{hardware.board.emulator}"
    return None if find_spec(name) is None else cast(RulesModule, import_module(name))


def _reader(bench: Bench) -> Read:
    def read(place: int, size: int) -> int:
        return int.from_bytes(bench.memory(place, size), "little")

    return read


def compare_parts(sensors: Mapping[int, SensorCoupling], bench: Bench, step: int) -> list[PinComparison]:
    """Compare the settings of parts on the bus, which the board has written, with the hardware map.

    Raises:
        BenchError: the emulator has ended.
    """
    return [
        PinComparison(
            *(step, tag, setting.quantity, float(setting.wanted)),
            found=float(int(bench.show(setting.register).value) & setting.mask),
            bound=0.0,
            source=setting.source,
        )
        for tag, wire in sensors.items()
        for setting in wire.settings()
    ]
