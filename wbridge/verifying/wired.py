"""Boards whose pins are wired to a simulated robot, step by step in lockstep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from hal.firmware.bench import Bench
from wbridge.coupling import wires_of

if TYPE_CHECKING:
    from hal.firmware.bench import Shown
    from hal.firmware.build import Built
    from hal.firmware.hardware import Hardware
    from wbridge.coupling.wires import Act, Event, Sense
    from wbridge.verifying.reference import Filter, Reference

__all__ = ["Seen", "Wires", "filters", "watch"]

COMPUTING, CHANGING = 1 / 2, 1 / 3
"""Shares of a step. The board samples and computes in its first half, then its pins are looked at; then its
surroundings change. The rest is a distance to the next sample: boards begin their first step a little late or,
as the bench counts, early."""


class Seen(NamedTuple):
    """What the pins of a device told in a step, and what they should have told."""

    step: int
    tag: int
    quantity: str
    wanted: float
    found: float
    bound: float


class Watched(NamedTuple):
    """A run of a board."""

    seen: list[Seen]
    text: str
    """What the board has printed to its wire."""
    skipped: list[str]
    """Names of devices of which it cannot be foreseen, in some steps, what their pins do."""


class Wires:
    """All pins of an emulated board with what hangs on them."""

    def __init__(self, bench: Bench, hardware: Hardware, step_ms: float) -> None:
        self._bench = bench
        self.senses, self.acts = wires_of(hardware)
        step_us = round(1000 * step_ms)
        self._compute_us, self._change_us = round(COMPUTING * step_us), round(CHANGING * step_us)
        self._rest_us = step_us - self._compute_us - self._change_us
        self.said = bytearray()
        """Bytes that the board has sent."""

    def compute(self) -> None:
        """Let the board sample and compute: the first part of a step."""
        self.said += self._bench.run(self._compute_us)

    def look(self, act: Act) -> Mapping[str, Shown]:
        """What the pins of a device do."""
        return {pin: self._bench.show(pin) for pin in act.pins}

    def change(self) -> None:
        """Let the surroundings become what the sensors' wires carry: the second part of a step."""
        events: list[tuple[float, Event]] = []
        for wire in self.senses.values():
            own = list(wire.events())
            events += [((k + 1) / (len(own) + 1), one) for k, one in enumerate(own)]
        past = 0
        for share, event in sorted(events, key=lambda one: one[0]):
            at = round(share * self._change_us)
            if at > past:
                self.said += self._bench.run(at - past)
                past = at
            self._bench.drive(event.pin, event.value)
        self.said += self._bench.run(self._change_us - past + self._rest_us)


def filters(hardware: Hardware) -> dict[int, Filter]:
    """What the wires make of the sensors' values, for the run on the desktop."""
    senses: dict[int, Sense] = wires_of(hardware)[0]
    return {tag: wire.carry for tag, wire in senses.items()}


def watch(hardware: Hardware, built: Built, reference: Reference) -> Watched:
    """Let a board live through a run on the desktop by its pins.

    Args:
        hardware: the hardware map.
        built: its firmware.
        reference: a run whose sensors had the `filters`.

    Raises:
        BenchError: the emulator ended.
    """
    names: dict[int, dict[str, tuple[Any, ...]]] = {}
    seen: list[Seen] = []
    skipped: dict[str, None] = {}
    with Bench(built.board, built.program, lockstep=True) as bench:
        wires = Wires(bench, hardware, reference.step_ms)
        for step, commands in enumerate(reference.commands):
            wires.compute()
            for (tag, name), values in commands.items():
                names.setdefault(tag, {})[name] = values
            for tag, act in wires.acts.items():
                wanted = act.wanted(names.get(tag, {}), reference.step_ms / 1000)
                if wanted is None:
                    skipped[hardware.table.all[tag].name] = None
                    continue
                found = act.found(wires.look(act))
                seen.append(Seen(step, tag, act.quantity, wanted, found, act.bound()))
            for reading in reference.readings[step]:
                if reading.tag in wires.senses:
                    wires.senses[reading.tag].carry(reading.measured)
            wires.change()
        return Watched(seen, wires.said.decode("utf-8", "replace"), list(skipped))
