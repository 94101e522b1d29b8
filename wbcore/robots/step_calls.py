"""The calls of robots in each step, collected from those devices and parts that have something to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wbridge.wbcore.devices import Device
from wbridge.wbcore.robots.parts import Part

Call = Callable[[], None]


class StepCalls(NamedTuple):
    """The calls of each step."""

    begin: list[Call]
    """At the start of a step, for all robots before any device acts."""
    before: list[Call]
    """Before the physics step."""
    after: list[Call]
    """After the physics step."""


class RobotCalls:
    """The calls of one robot."""

    def __init__(self) -> None:
        self.steps = StepCalls([], [], [])
        self.samplers: list[Callable[[float], None]] = []
        """Called with the time (ms) when a step ends."""
        self.on_changed: Callable[[], object] = _ignore
        """Called when the calls of each step have changed."""

    def collect(self, parts: Sequence[Part], devices: Sequence[Device]) -> None:
        """Collect the calls again; called whenever a device or part begins or stops to act in each step."""
        everyone: list[Part | Device] = [*parts, *devices]
        workers = [worker for worker in everyone if worker.works]
        self.collect_samplers(parts)
        self.steps = StepCalls(
            [part.begin_step for part in parts if _overrides(part, "begin_step")],
            [worker.before_step for worker in workers if _overrides(worker, "before_step")],
            [worker.after_step for worker in workers if _overrides(worker, "after_step")],
        )
        self.on_changed()

    def collect_samplers(self, parts: Sequence[Part]) -> None:
        """Only parts with messages are called when a step ends; they report when that changes."""
        self.samplers = [part.sample for part in parts if part.is_sampled and _overrides(part, "sample")]


def _ignore() -> None:
    """No host is notified."""


def _overrides(worker: Device | Part, method: str) -> bool:
    base = Device if isinstance(worker, Device) else Part
    return getattr(type(worker), method) is not getattr(base, method)
