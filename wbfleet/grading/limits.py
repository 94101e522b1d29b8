"""What a graded program may do, and what this system can enforce."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from wbridge.hal.folders import import_folder
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbfleet.grading import sandbox
from wbridge.wbfleet.grading.rubric import Limits
from wbridge.wbfleet.grading.sandbox import landlock
from wbridge.wbfleet.grading.sandbox.control_group import delegated
from wbridge.wbfleet.grading.sandbox.plan import BUBBLEWRAP, NONE, OWN, Plan

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/sys/devices/system")
"""Folders that programs need to start."""
SETTINGS = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "nsswitch.conf", "passwd", "group"),
    *("localtime", "timezone", "locale.alias", "locale.conf", "fonts", "matplotlibrc", "mime.types"),
)
"""What they need of /etc."""
OWN_MODULES = ("controller", "vehicle", "wbridge", "wbridge/hal")
"""Folders of this project with the modules of controllers."""
OF_PROJECT = ("controllers", "libraries", "motions", "protos", "worlds")
"""Folders of a project that controllers may read; submissions can lie in another one."""
MEGABYTE = 1 << 20
WAYS = (BUBBLEWRAP, OWN)
"""How programs can be isolated, best first."""


class Isolation(NamedTuple):
    """What this system enforces besides the limits."""

    way: str
    """How programs get files, processes and a network of their own: one of WAYS, or NONE: they do not."""
    landlock: bool
    """Whether Landlock restricts files as well."""
    groups: str = ""
    """Folder in which control groups may be made; "": processes are added up one by one."""

    @property
    def missing(self) -> list[str]:
        """What is not enforced, for a warning."""
        if self.way != NONE:
            return []
        return ["processes, network and files (needs bubblewrap, or user namespaces for everybody)"]


def isolation(ways: Iterable[str] = WAYS) -> Isolation:
    """Return what this system enforces, found by trying it.

    Args:
        ways: those to try, in this order.
    """
    has_landlock = landlock.version() > 0
    return Isolation(next(filter(_works, ways), NONE), has_landlock, delegated())


def readable_folder(path: Path, project: Path) -> Path | None:
    """Return the folder that programs may read and that contains a path; None if there is none."""
    place = path.resolve()
    folders = [Path(path).resolve() for path in _readable(project)]
    return next((folder for folder in folders if place.is_relative_to(folder)), None)


def _readable(project: Path) -> list[str]:
    """Return what programs may read besides their own files."""
    home = import_folder()
    read = {sys.prefix, sys.base_prefix, sys.exec_prefix, site.getusersitepackages()}
    if (home / OWN_MODULES[0]).is_symlink():
        read.add(str(home))  # in a checkout, which has nothing but links there
    read |= {str((home / name).resolve()) for name in OWN_MODULES}
    # Other robots of the world may have controllers that come with wbridge.
    read |= {str(folder / name) for folder in (project, builtin_directory()) for name in OF_PROJECT}
    read |= {os.path.join("/etc", setting) for setting in SETTINGS}
    return [*SYSTEM, *sorted(map(os.path.abspath, read))]


def _works(way: str) -> bool:
    if way == BUBBLEWRAP and not _bubblewrap():
        return False
    with TemporaryDirectory(prefix="wbridge-grade-") as folder:
        tried = launcher(Limits(), Isolation(way, False), Path("/nowhere"), Path(folder))
        command = [*tried, sys.executable, "-I", "-S", "-c", ""]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _bubblewrap() -> str:
    """Return the path of bubblewrap; "" if it is not installed."""
    program = shutil.which("bwrap")
    return os.path.abspath(program) if program else ""


def launcher(limits: Limits, isolation: Isolation, project: Path, folder: Path) -> list[str]:
    """Return the command line in front of that of a program.

    Args:
        limits: of the program.
        found: what this system enforces.
        project: the project of the world; the program may read its folders for controllers and data, besides
            those of the system and of Python.
        folder: where the submission is; the program writes into a copy of it.
    """
    plan = Plan(
        way=isolation.way,
        landlock=isolation.landlock,
        folder=str(folder),
        read=tuple(_readable(project)),
        cpu_s=limits.cpu_s,
        memory=limits.memory_mb * MEGABYTE,
        disk=limits.disk_mb * MEGABYTE,
        processes=limits.processes,
        file_size=limits.file_mb * MEGABYTE,
        bubblewrap=_bubblewrap(),
        groups=isolation.groups,
    )
    package = str(Path(sandbox.__file__).parent)
    return [sys.executable, "-I", "-S", package, "supervise", plan.to_text()]
