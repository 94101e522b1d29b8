"""Apply the tolerances that a hardware map states for devices, and tell which of them were needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.tolerances import Tolerance
from wbridge.wbverify.coupling.couplings import PIXELS, WHOLE_PICTURES
from wbridge.wbverify.reference import BATTERY
from wbridge.wbverify.step_table import TableRow

EXACT = ("packet.", "PWM frequency of ", "step", PIXELS, WHOLE_PICTURES)
"""First words of values to which no tolerance applies, because they are not measured or commanded reals."""
SETTINGS = ("sampling_period", "channel")
"""Last words of commands of the same kind."""


class UsedTolerance(NamedTuple):
    """What became of a device's tolerance in the comparison of a flavor."""

    place: str
    """The flavor."""
    device: str
    allowed: float
    reason: str
    compared: int
    """Values to which it applies, in all steps."""
    needed: int
    """Those that agree only by it."""
    exceeded: int
    """Those that differ although it applies."""
    worst: TableRow | None
    """The one with the largest difference; None if no value differs."""

    @property
    def largest(self) -> float:
        """The largest difference seen."""
        return 0.0 if self.worst is None else self.worst.apart

    def __str__(self) -> str:
        seen = "all values are equal"
        if self.worst is not None:
            at = f"{self.worst.value} in step {self.worst.step}"
            seen = f"the largest difference is {self.largest:.3g} ({at})"
        use = f"needed in {self.needed} of {self.compared} comparisons" if self.needed else "not needed"
        use += f", too small in {self.exceeded}" if self.exceeded else ""
        return (
            f'"{self.device}" may differ by {self.allowed:g} ({self.place}), because: {self.reason}; {use}, '
            f"{seen}"
        )


def apply_tolerances(
    hardware: Hardware, rows: Iterable[TableRow]
) -> tuple[list[TableRow], list[UsedTolerance]]:
    """Widen the bounds of a flavor's rows to the tolerances of the map.

    A value may differ by the larger of both. A missing value stays a difference.

    Returns:
        all rows in their order, and each tolerance of the map.
    """
    stated = {
        (wiring.device.name, not wiring.device.tag): wiring.tolerance
        for wiring in hardware.wirings
        if wiring.tolerance
    }
    found: list[TableRow] = []
    applied: dict[tuple[str, bool], list[TableRow]] = {key: [] for key in stated}
    for row in rows:
        key = (row.device, row.value == BATTERY)
        tolerance = stated.get(key) if _is_tolerable(row) else None
        if tolerance is not None:
            applied[key].append(row)
            row = row._replace(bound=max(row.bound, tolerance.largest))
        found.append(row)
    used = [_used(hardware.flavor.name, key[0], stated[key], own) for key, own in applied.items()]
    return found, used


def _is_tolerable(row: TableRow) -> bool:
    is_exact = row.value.startswith(EXACT) or row.value.endswith(SETTINGS)
    return not (row.is_given or row.source or is_exact)


def _used(place: str, device: str, tolerance: Tolerance, rows: list[TableRow]) -> UsedTolerance:
    """Return what became of a tolerance. `rows` have the bounds without it."""
    beyond = [row for row in rows if not row.agrees]
    needed = sum(row.apart <= tolerance.largest for row in beyond)
    worst = max((row for row in rows if row.apart > 0), key=lambda row: row.apart, default=None)
    return UsedTolerance(place, device, *tolerance, len(rows), needed, len(beyond) - needed, worst)


def unneeded(used: Iterable[UsedTolerance]) -> list[str]:
    """Return a line for each tolerance that no comparison needed, of all flavors together."""
    devices: dict[str, list[UsedTolerance]] = {}
    for tolerance in used:
        devices.setdefault(tolerance.device, []).append(tolerance)
    return [
        f'"{name}": tolerance = {device[0].allowed:g} was not needed '
        f"({', '.join(tolerance.place for tolerance in device)}); {_seen(device)}; remove tolerance and "
        "reason from the map"
        for name, device in devices.items()
        if not any(tolerance.needed or tolerance.exceeded for tolerance in device)
    ]


def _seen(used: list[UsedTolerance]) -> str:
    if not any(tolerance.compared for tolerance in used):
        return "it applies to none of the compared values"
    largest = max(tolerance.largest for tolerance in used)
    if largest == 0:
        return "all values are equal"
    return f"the largest difference is {largest:.3g}, which is always allowed"
