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
    from wbridge.verifying.reference import Filter, Reference, Values

__all__ = ["Seen", "Wires", "filters", "watch"]

APART = 1 / 6
"""Share of a step in which a board samples, and in which nothing changes around it; boards begin their first
step a little late or, as the bench counts, early."""


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
        self._step_us = 1000 * step_ms
        for wire in self.senses.values():
            for event in wire.start():
                bench.drive(event.pin, event.value)
        self.said = bytearray()
        """Bytes that the board has sent."""

    def wait(self, share: float) -> None:
        """Let a share of a step pass."""
        self.said += self._bench.run(round(share * self._step_us))

    def look(self, act: Act) -> Mapping[str, Shown]:
        """What the pins of a device do."""
        return {pin: self._bench.show(pin) for pin in act.pins}

    def change(self, share: float) -> None:
        """Let the surroundings become what the sensors' wires carry, in a share of a step."""
        events: list[tuple[float, Event]] = []
        for wire in self.senses.values():
            own = list(wire.events())
            events += [((k + 1) / (len(own) + 1), one) for k, one in enumerate(own)]
        past, end = 0, round(share * self._step_us)
        for part, event in sorted(events, key=lambda one: one[0]):
            at = round(part * end)
            if at > past:
                self.said += self._bench.run(at - past)
                past = at
            self._bench.drive(event.pin, event.value)
        self.said += self._bench.run(end - past)


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
        courses = _courses(wires.senses, reference)
        for step, commands in enumerate(reference.commands):
            for tag, value in courses[step].items():
                wires.senses[tag].carry(value)
            wires.wait(APART)
            wires.change(1 - 2 * APART)
            for (tag, name), values in commands.items():
                names.setdefault(tag, {})[name] = values
            for tag, act in wires.acts.items():
                wanted = act.wanted(names.get(tag, {}), reference.step_ms / 1000)
                if wanted is None:
                    skipped[hardware.table.all[tag].name] = None
                    continue
                found = act.found(wires.look(act))
                seen.append(Seen(step, tag, act.quantity, wanted, found, act.bound()))
            wires.wait(APART)
        return Watched(seen, wires.said.decode("utf-8", "replace"), list(skipped))


def _courses(senses: Mapping[int, Sense], reference: Reference) -> list[dict[int, Values]]:
    """What the sensors measure at the end of each step, by tag.

    They were asked in some steps only. An encoder turns in the others, too: evenly, as far as is known.
    """
    courses: list[dict[int, Values]] = [{} for _ in range(reference.steps)]
    last: dict[int, tuple[int, Values]] = {}
    for step, readings in enumerate(reference.readings):
        for one in readings:
            wire = senses.get(one.tag)
            if wire is None:
                continue
            begin, (before, *_) = last.get(one.tag, (-1, (0.0,)))
            for between in range(begin + 1, step) if wire.is_gradual else ():
                share = (between - begin) / (step - begin)
                courses[between][one.tag] = (before + share * (one.measured[0] - before),)
            courses[step][one.tag] = one.measured
            last[one.tag] = step, one.measured
    return courses
