"""The programs of the ten tasks, their lines, and the table of the page that shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "ten-tasks.md"
PEERS = ("mujoco", "pybullet")
TASKS = {
    "load": "load a robot",
    "step": "step for two seconds",
    "motor": "set a motor's target",
    "sensor": "read a sensor",
    "randomise": "randomise a mass in ten runs",
    "plot": "plot a sensor",
    "kinematics": "inverse kinematics",
    "picture": "take a picture",
    "record": "record what happens",
    "copies": "many copies at once",
}
"""Names of the peers' files, and what the page calls the tasks."""
HEAD = """\
| task | lines here | MuJoCo | PyBullet | seconds here | MuJoCo | PyBullet |
|---|---|---|---|---|---|---|
"""


class Row(NamedTuple):
    """A task: lines and seconds here, of MuJoCo, and of PyBullet."""

    task: str
    lines: tuple[int, ...]
    seconds: tuple[float, ...]


def own_programs() -> list[str]:
    """Return the programs of the page."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def peer_program(peer: str, task: str) -> str:
    """Return a peer's program for a task."""
    return (Path(__file__).parent / peer / f"{task}.py").read_text(encoding="utf-8")


def lines(program: str) -> int:
    """Return how many lines of a program are not empty."""
    return sum(bool(line.strip()) for line in program.splitlines())


def rows(table: Sequence[Row]) -> str:
    """Return the rows of the page's table, and their sum."""
    text = []
    for number, row in enumerate(table, 1):
        title = TASKS[row.task]
        anchor = f"{number}-{title.replace(' ', '-').replace(chr(39), '')}"
        cells = [*map(str, row.lines), *(f"{each:.2f}" for each in row.seconds)]
        text.append(f"| [{title}](#{anchor}) | {' | '.join(cells)} |")
    sums = [str(sum(row.lines[place] for row in table)) for place in range(len(PEERS) + 1)]
    return "\n".join([*text, f"| all | {' | '.join(sums)} | | | |"])
