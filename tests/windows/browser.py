"""Commands of wbridge that serve windows, for browsers and programs that look at them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30


class Run:
    """The process, and where its windows are."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process, self.url = process, url
        self.port = int(url.split(":")[2].split("/")[0])

    def window(self, name: str, robot: str) -> str:
        """The address of a robot's window."""
        return f"http://127.0.0.1:{self.port}/robot_windows/{name}/{name}.html?name={robot}"


def run(world: Path, *options: str) -> AbstractContextManager[Run]:
    """Run a world with windows; it is ended behind the block."""
    return started("run", str(world), "--windows", *options)


@contextmanager
def started(*arguments: str) -> Iterator[Run]:
    """A command of wbridge that serves windows; it is ended behind the block."""
    command = [sys.executable, "-m", "wbridge", *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            lines = []
            for line in process.stderr:
                lines.append(line)
                found = re.search(r"(?:windows|view): (\S+)", line)
                if found:
                    yield Run(process, found[1])
                    return
            raise AssertionError("".join(lines))
        finally:
            process.terminate()
            process.stderr.read()


@contextmanager
def bridged(world: Path, *options: str) -> Iterator[str]:
    """A robot of a world, simulated by another program that serves it over the robot link: its address."""
    command = [sys.executable, "-m", "wbridge", "bridge", str(world), "--url", "tcp://127.0.0.1", *options]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as it:
        try:
            assert it.stdout is not None
            yield it.stdout.readline().partition(": ")[2].strip()
        finally:
            it.terminate()
