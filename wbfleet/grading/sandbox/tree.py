"""What a process and all that it has started use, read from `/proc`. Source: Linux' manual page proc(5)."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from typing import NamedTuple

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PARENT, TIMES, THREADS, STARTED, PAGES = 1, slice(11, 13), 17, 19, 21
"""Columns of `stat` after the name."""
TIMES_OF_CHILDREN = slice(13, 15)
"""Of those that have ended and were waited for."""
LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
"""Some kernels do not list children; then all processes are asked for their parent."""
WRITABLE = ("tmp", "dev/shm")
"""Folders in memory, besides that of the program."""


class Usage(NamedTuple):
    """What the processes use together."""

    cpu_s: float
    memory: int
    """Resident memory, and files in memory (bytes)."""
    processes: int
    """Processes and threads."""
    disk: int
    """Files in memory (bytes); 0 if they cannot be seen."""


class Census:
    """Follows the descendants of a process."""

    def __init__(self, root: int, folder: str) -> None:
        """
        Args:
            root: number of the process, which itself is not counted. If it is this one, the descendants that
                it has waited for are counted, too.
            folder: writable folder of the processes, as they see it.
        """
        self._root, self._places = root, (*WRITABLE, folder.lstrip("/"))
        self._outside = set(filter(None, (_device(f"/{place}") for place in self._places)))
        """File systems in these places for processes that are not in the sandbox yet."""
        self._own_ticks: dict[tuple[int, int], int] = {}
        """Of each process ever seen, by number and start time: not all are waited for."""

    def take(self) -> Usage:
        """Return the sums at this moment."""
        ticks, pages, count, disk = self._ended_ticks(), 0, 0, 0
        for process in self.members():
            fields = _fields(process)
            if not fields:
                continue  # it has ended
            own = sum(map(int, fields[TIMES]))
            self._own_ticks[process, int(fields[STARTED])] = own
            ticks += own + sum(map(int, fields[TIMES_OF_CHILDREN]))
            pages += int(fields[PAGES])
            count += int(fields[THREADS])
            disk = disk or self._disk(process)
        cpu_s = max(ticks, sum(self._own_ticks.values())) / TICKS_PER_S
        return Usage(cpu_s, pages * PAGE + disk, count, disk)

    def _ended_ticks(self) -> int:
        """Return the time of those that the root has waited for, if it is this process."""
        if self._root != os.getpid():
            return 0
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return round((used.ru_utime + used.ru_stime) * TICKS_PER_S)

    def members(self) -> Iterator[int]:
        """Yield the numbers of the processes, parents first."""
        waiting = _children(self._root)
        while waiting:
            process = waiting.pop(0)
            yield process
            waiting += _children(process)

    def descendant(self, process: int, generations: int) -> int | None:
        """Return the first child of the first child ... of a process; None if there is none."""
        for _ in range(generations):
            children = _children(process)
            if not children:
                return None
            process = children[0]
        return process

    def shared_memory(self) -> int:
        """Return the memory (bytes) if pages that processes share are counted once; slower than `take`."""
        return sum(map(_proportional, self.members()))

    def _disk(self, process: int) -> int:
        """Return what the folders in memory hold, as this process sees them; 0 if it cannot be seen."""
        used: dict[int, int] = {}
        for place in self._places:
            path = f"/proc/{process}/root/{place}"
            device = _device(path)
            if device is None or device in self._outside:
                return 0
            try:
                about = os.statvfs(path)
            except OSError:
                return 0  # it has ended meanwhile
            used[device] = (about.f_blocks - about.f_bfree) * about.f_frsize
        return sum(used.values())


def _device(path: str) -> int | None:
    try:
        return os.stat(path).st_dev
    except OSError:
        return None


def _fields(process: int) -> list[bytes]:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            # The name in parentheses may contain anything.
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _children(process: int) -> list[int]:
    if not LISTS_CHILDREN:
        return [
            number
            for number in map(int, filter(str.isdigit, os.listdir("/proc")))
            if _parent(number) == process
        ]
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return []
    processes: list[int] = []
    for thread in threads:
        try:
            with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                processes += map(int, file.read().split())
        except OSError:
            continue  # it has ended
    return processes


def _parent(process: int) -> int:
    fields = _fields(process)
    return int(fields[PARENT]) if fields else 0


def _proportional(process: int) -> int:
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            rows = [line.split() for line in file if line.startswith(b"Pss:")]
    except OSError:
        return 0
    return sum(int(row[1]) for row in rows) * 1024
