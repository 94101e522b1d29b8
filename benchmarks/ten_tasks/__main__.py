"""Measures the programs of docs/ten-tasks.md beside those for MuJoCo and PyBullet in this folder.

    python -m benchmarks.ten_tasks [--write]

prints the table of the page, or writes it into the page. The seconds are those of processors for whole
programs, with the start of Python: the best of three; other work on the machine prolongs them little. MuJoCo,
PyBullet, Matplotlib and imageio with ffmpeg are needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.checkout import CHECKOUT
from benchmarks.ten_tasks.programs import HEAD, PAGE, PEERS, TASKS, Row, own_programs, peer_program, rows
from benchmarks.ten_tasks.programs import lines as lines_of

ROUNDS = 3


def seconds(text: str, folder: Path) -> float:
    """Return the processor time of a program that runs in a folder (s): the best of three."""
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    environment = {"MUJOCO_GL": "egl", "MPLBACKEND": "agg", **os.environ}
    times = []
    for _ in range(ROUNDS):
        start = processor_time()
        command = [sys.executable, program.name]
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
        times.append(processor_time() - start)
    return min(times)


def processor_time() -> float:
    """Return what processes that have ended took (s)."""
    times = os.times()
    return times.children_user + times.children_system


def measured(folder: Path) -> list[Row]:
    """Return the rows of the table, with programs run in a folder."""
    own_folder = folder / "own"
    own_folder.mkdir()
    for name in ("worlds", "protos", "controllers"):
        (own_folder / name).symlink_to(CHECKOUT / name)
    for model in Path(__file__).parent.glob("arm.*"):
        shutil.copy(model, folder)
    table = []
    for task, own in zip(TASKS, own_programs(), strict=True):
        peers = [peer_program(peer, task) for peer in PEERS]
        times = [seconds(own, own_folder), *(seconds(text, folder) for text in peers)]
        table.append(Row(task, tuple(map(lines_of, (own, *peers))), tuple(times)))
        print(table[-1], file=sys.stderr)
    return table


def main() -> None:
    """Measure, and print the table or write it."""
    with tempfile.TemporaryDirectory() as folder:
        text = rows(measured(Path(folder)))
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text(encoding="utf-8")
        before, _, after = page.partition(HEAD)
        PAGE.write_text(
            before + HEAD + text + after.partition("\n\n")[2].join(("\n\n", "")), encoding="utf-8"
        )
    else:
        print(HEAD + text)


if __name__ == "__main__":
    main()
