"""Run worlds on this machine as a page's Python would: without the modules and names that Pyodide lacks.

python -m tests.live.page_python STEPS [WORLD]...

Prints a line for each world: its name, the number of steps, and the state hash. numpy, Pillow and lupa
stand for packages that are loaded when they are used: they fail at their first use. STEPS 0: the worlds are
shown in the workbench, with these packages, and a line has the kinds of messages that it gets.

Source of the names: what Pyodide 315's Python says of itself, asked with Node.js for every module of the
standard library, and for every name of os, select, signal and socket that Python 3.11 has on Linux.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Awaitable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from scripts.house import ROOT

MODULES = (
    *("_curses", "_dbm", "_gdbm", "_hashlib", "_multiprocessing", "_posixshmem", "_tkinter", "_uuid"),
    *(
        "curses",
        "dbm",
        "ensurepip",
        "grp",
        "pwd",
        "readline",
        "resource",
        "syslog",
        "tkinter",
        "turtle",
        "venv",
    ),
)
OF_OTHERS = ("gymnasium", "mcap", "paho", "pettingzoo", "scipy", "serial", "torch", "trimesh", "websockets")
"""Packages that a page does not have."""
WHEN_USED = ("numpy", "PIL", "lupa")
"""Packages that a page loads when they are used."""
NAMES = {
    os: (
        *(
            "copy_file_range eventfd forkpty getegid geteuid getgrouplist getgroups getrandom getresuid"
        ).split(),
        *("initgroups lchown link listxattr memfd_create mkfifo mknod nice openpty pidfd_open pipe2").split(),
        *(
            "posix_fallocate posix_spawn posix_spawnp preadv pwritev sched_getaffinity sched_getscheduler"
        ).split(),
        *("sched_param sched_setaffinity sched_setscheduler sendfile setegid seteuid setgroups").split(),
        *("setpriority setresuid setxattr splice MFD_CLOEXEC P_PIDFD SEEK_DATA SEEK_HOLE").split(),
    ),
    select: [name for name in dir(select) if name.lower().startswith("epoll")],
    signal: ["SIGCLD", "alarm", "pidfd_send_signal", "setitimer"],
    socket: ["AF_CAN", "AF_NETLINK", "AF_UNIX", "SO_REUSEADDR", "SO_REUSEPORT", "sethostname"],
}
ENOUGH = 40
"""Messages to the workbench after which its run ends."""


class NotLoadedError(ImportError):
    """A package was used that a page would load for that."""


class Deferred(ModuleType):
    """Stands for a package that is loaded when it is used, and for what is imported from it."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Deferred:
        if name.startswith("__"):
            raise AttributeError(name)
        return Deferred(f"{self.__name__}.{name}")

    def __getitem__(self, _kind: object) -> Deferred:
        return self

    def __or__(self, _other: object) -> Deferred:
        return self

    __ror__ = __or__

    def __call__(self, *_arguments: object, **_named: object) -> NoReturn:
        raise NotLoadedError(f"{self.__name__} was used")


class Packages(MetaPathFinder, Loader):
    """Finds what pages load when it is used, and nothing of what they do not have."""

    def __init__(self, deferred: tuple[str, ...]) -> None:
        """`deferred`: packages that are not to be loaded."""
        self._deferred = deferred

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return a specification of a stand-in; None for packages of this project and of Python."""
        first = fullname.partition(".")[0]
        if first in OF_OTHERS or fullname in MODULES:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return ModuleSpec(fullname, self, is_package=True) if first in self._deferred else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a stand-in."""
        return Deferred(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it has no code."""


class Enough(Exception):
    """The workbench has got what it needs."""


class Page(ModuleType):
    """The functions of a page's worker."""

    port = None

    def __init__(self) -> None:
        super().__init__("page")
        self.kinds: list[str] = []
        """What the messages are, in their order."""

    def send(self, data: str | bytes) -> None:
        """Take a message for the workbench."""
        self.kinds.append(type(data).__name__)

    def say(self, kind: str, _text: str) -> None:
        """Take what the worker would tell."""
        self.kinds.append(kind)

    def listen(self, *_handlers: object) -> None:
        """Nothing is asked."""


def become_a_page(deferred: tuple[str, ...]) -> Page:
    """Take away what a page lacks, and give what it has; `deferred`: packages that are not to be loaded."""
    loop = asyncio.new_event_loop()  # it has sockets of its own here
    asyncio.set_event_loop(loop)
    for module, names in NAMES.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for name in [*sys.modules]:
        if name in MODULES or name.partition(".")[0] in (*OF_OTHERS, *deferred):
            del sys.modules[name]
    sys.platform, sys.maxsize = "emscripten", 2**31 - 1
    sys.meta_path.insert(0, Packages(deferred))
    page, ffi = Page(), ModuleType("pyodide.ffi")

    def run_sync(work: Awaitable[Any]) -> Any:
        done = loop.run_until_complete(work)
        if len(page.kinds) >= ENOUGH:
            raise Enough
        return done

    ffi.run_sync, ffi.create_proxy = run_sync, lambda function: function  # type: ignore[attr-defined]
    sys.modules.update({"page": page, "pyodide": ModuleType("pyodide"), "pyodide.ffi": ffi})
    return page


def refuse_sockets() -> None:
    """Let each opening of a socket fail; a page's would never connect."""

    def refuse(*_arguments: object) -> NoReturn:
        raise OSError("a socket was opened")

    socket.socket.bind = socket.socket.connect = refuse  # type: ignore[method-assign,assignment]


def main() -> None:
    """Run the worlds."""
    steps, *worlds = sys.argv[1:]
    page = become_a_page(WHEN_USED if int(steps) else ())
    from wbridge.live import in_page, page_run

    refuse_sockets()
    page_run.SAMPLES, page_run.SCENES = ROOT, Path(os.environ["PAGE_SCENES"])
    for world in worlds:
        try:
            result = json.loads(in_page.run(str(ROOT), f"worlds/{world}.wbt", {"steps": int(steps)}))
            print(world, result["steps"], result["hash"])
        except Enough:
            print(world, *dict.fromkeys(page.kinds))


if __name__ == "__main__":
    main()
