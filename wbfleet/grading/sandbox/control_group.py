"""A control group for the processes of a program, where the user may make some: the kernel adds up what they
use.

Source: the kernel's documentation of control groups, version 2.
"""

from __future__ import annotations

import os
from contextlib import suppress

from wbridge.wbfleet.grading.sandbox.plan import Plan

OWN_GROUP = "wbridge-grade"
"""The group of this process and its simulators: one that has groups below it may not have processes."""
CONTROLLERS = ("memory", "pids")
OWN_PROCESSES = 2
"""Those between the supervising process and the program."""


def delegated() -> str:
    """Return a folder in which this user may make control groups, as below `systemd-run --user --scope -p
    Delegate=yes`; "" if there is none. This process moves into a group of its own below it."""
    folder = _own_folder()
    if not folder or not os.access(folder, os.W_OK) or not os.access(f"{folder}/cgroup.procs", os.W_OK):
        return ""
    own = os.path.join(folder, OWN_GROUP)
    try:
        os.makedirs(own, exist_ok=True)
        _write(own, "cgroup.procs", "0")
    except OSError:
        return ""
    for controller in CONTROLLERS:
        with suppress(OSError):  # not given to this user: then the processes are added up one by one
            _write(folder, "cgroup.subtree_control", f"+{controller}")
    return folder


def _own_folder() -> str:
    """Return the folder of this process' control group; "" if there is none."""
    try:
        with open("/proc/self/cgroup") as groups, open("/proc/self/mounts") as mounts:
            path = next((line[3:].strip() for line in groups if line.startswith("0::")), "")
            rows = [mount.split() for mount in mounts]
    except OSError:
        return ""
    mount = next((row[1] for row in rows if row[2] == "cgroup2"), "")
    return os.path.join(mount, path.lstrip("/")).rstrip("/") if mount and path else ""


class ControlGroup:
    """The control group of one program."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    @classmethod
    def make(cls, plan: Plan) -> ControlGroup | None:
        """Make a group with the limits of a plan; None if there cannot be any."""
        if not plan.groups:
            return None
        folder = os.path.join(plan.groups, f"{OWN_GROUP}-{os.getpid()}")
        try:
            os.mkdir(folder)
        except OSError:
            return None
        limits = {"memory.max": plan.memory, "memory.swap.max": 0, "pids.max": plan.processes + OWN_PROCESSES}
        for name, value in limits.items():
            with suppress(OSError):  # the controller was not given to this user
                _write(folder, name, str(value))
        return cls(folder)

    def join(self) -> None:
        """Move this process into the group.

        Raises:
            OSError: it cannot be moved.
        """
        _write(self._folder, "cgroup.procs", "0")

    def cpu_s(self) -> float:
        """Return the processor time of all processes that were ever in the group."""
        for name, value in self._rows("cpu.stat"):
            if name == "usage_usec":
                return int(value) / 1e6
        return 0.0

    def excess(self) -> str:
        """Return which limit the kernel has enforced by killing; "": none."""
        killed = dict(self._rows("memory.events")).get("oom_kill", "0")
        return "memory" if killed != "0" else ""

    def kill(self) -> None:
        """Kill all processes in the group."""
        with suppress(OSError):  # Linux before 5.14: the supervising process kills them one by one
            _write(self._folder, "cgroup.kill", "1")

    def remove(self) -> None:
        """Remove the group, whose processes have ended."""
        with suppress(OSError):
            os.rmdir(self._folder)

    def _rows(self, name: str) -> list[tuple[str, str]]:
        try:
            with open(os.path.join(self._folder, name)) as file:
                return [(key, value) for key, value in map(str.split, file)]
        except (OSError, ValueError):
            return []


def _write(folder: str, name: str, text: str) -> None:
    # Not created: a file that does not exist is one that this kernel does not have.
    place = os.open(os.path.join(folder, name), os.O_WRONLY)
    try:
        os.write(place, text.encode())
    finally:
        os.close(place)
