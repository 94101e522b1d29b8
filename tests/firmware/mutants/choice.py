"""Which faults are tried: a share for each kind of file, chosen by a seed, whatever stands in other files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from tests.firmware.mutants.operators import Mutant, mutants_of

__all__ = ["SHARES", "chosen", "kind_of"]

SHARES = {"board": 3, "driver": 3, "table": 2, "device": 2}
"""Of ten faults: so many in the board's files, the drivers, the tables made for the robot, and in what
devices and controller stand on."""
TABLES = {"robot.c", "drivers.c", "devices.c", "table.c", "config.h"}
DEVICE = re.compile(
    r"(wbu?_\w+|channels|controller|devices_find|standalone|hil|frame_\w+|crc|bytes|packets?)\.c"
)
BOARD = re.compile(
    r"(board|chip|pwm|i2c|wire|serial|clock|timer|adc|pins|uart|interrupts|start\w*|\w+_board)\.c"
)
LEFT_OUT = re.compile(r".*\.h")
"""Headers declare; but that of the tables."""


def kind_of(file: str, drivers: set[str]) -> str | None:
    """What kind of file it is; None: one in which no faults are seeded."""
    if file in TABLES:
        return "table"
    if LEFT_OUT.fullmatch(file):
        return None
    stem = file.removesuffix(".c")
    if stem in drivers or stem in ("mpu6050", "axes", "curve"):
        return "driver"
    if DEVICE.fullmatch(file):
        return "device"
    return "board" if BOARD.fullmatch(file) else None


def chosen(seed: int, sources: Mapping[str, str], drivers: set[str]) -> Iterator[Mutant]:
    """All faults, in the order in which they are to be tried."""
    found: dict[str, list[Mutant]] = {kind: [] for kind in SHARES}
    for file, text in sources.items():
        kind = kind_of(file, drivers)
        if kind is not None:
            found[kind] += {one.key: one for one in mutants_of(file, text)}.values()
    queues = {kind: _thinned(sorted(all_, key=lambda one: _order(seed, one))) for kind, all_ in found.items()}
    turn = [kind for kind, share in SHARES.items() for _ in range(share)]
    while any(queues.values()):
        for kind in turn:
            if queues[kind]:
                yield queues[kind].pop(0)


def _thinned(ordered: list[Mutant]) -> list[Mutant]:
    """The kinds of mistakes in turn: there are many more constants than anything else."""
    by_fault: dict[str, list[Mutant]] = {}
    for one in ordered:
        by_fault.setdefault(one.fault, []).append(one)
    rounds = max((len(all_) for all_ in by_fault.values()), default=0)
    return [all_[k] for k in range(rounds) for all_ in by_fault.values() if k < len(all_)]


def _order(seed: int, mutant: Mutant) -> bytes:
    return hashlib.sha256(f"{seed} {mutant.fault} {mutant.key}".encode()).digest()
