"""What a graded program may do, and what this system can enforce."""

from __future__ import annotations

import json
import site
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from wbfleet.grading import jail

__all__ = ["Isolation", "Limits", "isolation"]

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc", "/proc", "/sys", "/dev", "/opt")
"""Folders that programs need to start."""
OWN = ("hal", "controller", "vehicle")
"""Folders of this project with the modules of controllers."""
OF_PROJECT = ("controllers", "libraries", "motions", "protos", "worlds")
"""Folders of a project that controllers may read; submissions can lie in another one."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/shm")
MEGABYTE = 1 << 20


class Limits(NamedTuple):
    """The limits of one program."""

    cpu_s: int = 60
    """Processor time (s)."""
    memory_mb: int = 2048
    """Address space of each process (MB)."""
    file_mb: int = 16
    """Size of a file that it writes (MB)."""
    processes: int = 64
    """Processes and threads."""


class Isolation(NamedTuple):
    """What this system enforces besides the limits."""

    files: bool
    """Programs can read only what they need, and write only into their own folder (Landlock)."""
    network: bool
    """Programs have no network and end with all processes that they have started (namespaces)."""

    @property
    def missing(self) -> list[str]:
        """What is not enforced, for a warning."""
        found = []
        if not self.files:
            found.append("access to files (needs Linux 5.13 or later with Landlock)")
        if not self.network:
            found.append("network and number of processes (needs unprivileged user namespaces)")
        return found


def isolation() -> Isolation:
    """Return what this system enforces, found by trying it."""
    has_landlock = jail.version() > 0
    tried = launcher(Limits(), Isolation(False, True), Path("/"), Path("/"))
    done = subprocess.run([*tried, "true"], capture_output=True, check=False)
    return Isolation(has_landlock, done.returncode == 0)


def launcher(limits: Limits, found: Isolation, project: Path, folder: Path) -> list[str]:
    """Return the command line in front of that of a program.

    Args:
        limits: of the program.
        found: what this system enforces.
        project: the project of the world; the program may read its folders for controllers and data, besides
            those of the system and of Python.
        folder: where it may write.
    """
    home = Path(__file__).resolve().parents[2]
    read = {sys.prefix, sys.base_prefix, sys.exec_prefix, site.getusersitepackages()}
    read |= {str(home / one) for one in OWN} | {str(project / one) for one in OF_PROJECT}
    data = {
        "cpu_s": limits.cpu_s,
        "memory": limits.memory_mb * MEGABYTE,
        "file_size": limits.file_mb * MEGABYTE,
        "processes": limits.processes,
        "landlock": found.files,
        "namespaces": found.network,
        "read": [*SYSTEM, *sorted(read)],
        "write": [str(folder), *DEVICES],
    }
    return [sys.executable, "-I", "-S", str(Path(jail.__file__)), json.dumps(data)]
