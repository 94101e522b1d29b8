#!/usr/bin/env python3
"""Generate docs/tried-faults.md: how soon robots stand whoever dies, and which seeded faults are found.

It reads what the last trials have recorded; `python -m tests.remote.deaths > tests/remote/deaths.txt` and
`make test-mutants` make new records. `--check` compares the page with them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from tests.firmware.mutants.__main__ import COUNT, SEED  # noqa: E402
from tests.firmware.mutants.catalogue import Fault, read_faults, read_verdicts  # noqa: E402
from tests.firmware.mutants.judge import KILLED  # noqa: E402
from wbridge.wbverify import board_exam  # noqa: E402

OUTPUT = ROOT / "docs" / "tried-faults.md"
DEATHS = ROOT / "tests" / "remote" / "deaths.txt"
REGISTERS = "stm32.toml"
_DEATH = re.compile(r"(?P<death>.*?)\s{2,}(?P<end>.*)")
HEAD = """# Faults that were tried

Two trials that take too long for the tests of each change, as they were recorded last.
`python -m tests.remote.deaths > tests/remote/deaths.txt` repeats the first one, `make test-mutants` the
second.

## Until the motors stand

Each robot drives; then its controller, guard, simulator, gateway, wire, broker, window or board ends (TERM,
KILL, its own fault), hangs (STOP, frozen), is cut off, or can write no more, and the time until its motors
stand is measured at the robot, at most 600 ms. Robots without a watchdog of their own (`epuck`, `create2`,
`firmata`) stand within 300 ms after the end of any process that drives them. Those that drive on are robots
of this kind whose wire was cut, whose computer was suspended, or whose guard was lost together with the
process that watches it: a run names these events when it starts (see [remote-control.md](remote-control.md)).

What takes longer than 300 ms are robots that stop by their own watchdog, which waits for 500 ms as networks
need it (`watchdog` in the URL), boards whose hardware watchdog resets them, and pages that fall silent, which
drive for 400 ms more.

| robot, controller and what died | until its motors stand |
|---|---|
"""
SEEDED = """
## Faults seeded into firmware

Each fault is put into the files of a project; then the firmware is built, and `wbridge firmware verify`
compares it with the desktop in all flavors. *Found* means that the build or the comparison fails; the first
difference, or the test that finds it, is given. At least nine of ten must be found, of a list and on
each board with ten. Phases of encoders' edges are random with the seed {phases};
`python -m tests.firmware.mutants` adds {count} changes of lines by chance, with the seed {seed}.
"""
TABLE = """
### {title}

{count} of {all} are found.

| fault | how an engineer comes to it | result |
|---|---|---|
"""
TITLES = {
    "outsider.toml": "By somebody who had not read the checks: {}",
    "catalogue.toml": "From a catalogue of failures of embedded systems: {}",
    "reviewer.toml": "By another reader, after these were found: {}",
    "outsider_stm32.toml": "By somebody who had not read the checks: {}",
}
OF_REGISTERS = """
### Registers of boards with an STM32

QEMU does not keep what these faults change; the tests of registers find all of them
(`tests/firmware/test_stm32_faults.py`).

| fault | how an engineer comes to it |
|---|---|
"""


def deaths() -> Iterator[str]:
    """Iterate over the lines of the table of deaths."""
    for line in DEATHS.read_text(encoding="utf-8").splitlines():
        match = _DEATH.fullmatch(line)
        assert match is not None, line
        yield f"| {match['death']} | {match['end']} |\n"


def row(fault: Fault, kind: str, why: str) -> str:
    """Return a line of a table of faults."""
    result = f"found: {why}" if kind == KILLED else f"not found: {fault.survives or why}"
    return f"| {fault.name} | {fault.reason or '-'} | {result.replace('|', '/')} |\n"


def seeded() -> Iterator[str]:
    """Iterate over the tables of seeded faults."""
    yield SEEDED.format(phases=board_exam.SEED, count=COUNT, seed=SEED)
    for catalogue, boards in read_verdicts().items():
        faults = read_faults(catalogue)
        for board, verdicts in boards.items():
            title = TITLES[catalogue].format(f"`{board}`")
            killed = sum(verdict.kind == KILLED for verdict in verdicts.values())
            yield TABLE.format(title=title, count=killed, all=len(verdicts))
            for fault in faults[board]:
                yield row(fault, *verdicts[fault.name])
    yield OF_REGISTERS
    for rows in read_faults(REGISTERS).values():
        yield from (f"| {fault.name} | {fault.reason} |\n" for fault in rows)


def main() -> int:
    """Write the page, or compare it."""
    return write_or_compare(
        "Make docs/tried-faults.md.", lambda: {OUTPUT: HEAD + "".join(deaths()) + "".join(seeded())}
    )


if __name__ == "__main__":
    sys.exit(main())
