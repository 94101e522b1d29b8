"""Import every module of the product without the names of Python that Windows lacks; print what fails.

python -m tests.project.windows_names [FOLDER ...]

FOLDER: with tests, whose modules are imported instead of the product's. Each line has a module and why it
cannot be imported. What others have written is imported before, with all names. Source of the names: the
documentation of Python's library, which says "Availability: Unix" for them.
"""

from __future__ import annotations

import importlib
import mmap
import os
import select
import signal
import socket
import sys
from collections.abc import Iterable

import pytest

from scripts.house import PACKAGES, ROOT, dotted

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
OTHERS = (
    *("asyncio", "concurrent.futures.process", "ctypes.util", "gymnasium", "http.server", "inspect"),
    *("logging.handlers", "mcap.reader", "mcap.writer", "multiprocessing.pool", "numpy", "paho.mqtt.client"),
    *("pathlib", "pettingzoo", "PIL.Image", "scipy.optimize", "scipy.stats", "serial.tools.list_ports"),
    *("_pytest.capture", "hypothesis", "lupa", "pytest", "quickjs", "websockets.sync.client"),
    *(
        "shutil",
        "socketserver",
        "subprocess",
        "tempfile",
        "urllib.request",
        "uuid",
        "webbrowser",
        "websockets",
    ),
)
"""What this project imports, and what would miss the names, which Windows' own version does not need."""
APART = (".projects.template.", ".former.", ".hal.ros")
"""Controllers for projects of users, which start when they are imported, and former names, which warn."""
SIGNALS = {"SIGABRT", "SIGBREAK", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
NAMES = {
    os: [
        *(
            "EX_OK O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK P_PID WEXITED WIFEXITED WNOHANG WNOWAIT"
        ).split(),
        *(
            "chown fchdir fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp getuid"
        ).split(),
        *(
            "killpg memfd_create mkfifo nice openpty pidfd_open pipe2 posix_fallocate posix_spawn pread"
        ).split(),
        *("preadv pwrite register_at_fork sched_getaffinity sched_setaffinity sendfile set_blocking").split(),
        *("setpgid setpriority setresuid setsid setuid statvfs sysconf tcgetpgrp ttyname uname wait").split(),
        *("wait3 wait4 waitid").split(),
    ],
    select: [name for name in dir(select) if name.lower().startswith(("poll", "epoll", "kqueue"))],
    signal: [name for name in dir(signal) if name.startswith("SIG") and name not in SIGNALS]
    + [
        "alarm",
        "pause",
        "pthread_kill",
        "pthread_sigmask",
        "setitimer",
        "sigpending",
        "sigtimedwait",
        "sigwait",
    ],
    socket: [
        "AF_UNIX",
        "CMSG_LEN",
        "MSG_DONTWAIT",
        "MSG_NOSIGNAL",
        "SCM_RIGHTS",
        "SO_PEERCRED",
        "TCP_QUICKACK",
    ],
    mmap: [name for name in dir(mmap) if name.startswith(("MAP_", "PROT_"))],
}


def remove_names() -> None:
    """Take away what Windows lacks."""
    for name in OTHERS:
        importlib.import_module(name)
    for module, names in NAMES.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "win32"
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # imports of it fail


def modules(folders: Iterable[str]) -> list[str]:
    """Return the names of all modules in folders; none is imported for that."""
    files = (file for folder in folders for file in sorted((ROOT / folder).rglob("*.py")))
    paths = (file.relative_to(ROOT) for file in files if file.name != "__main__.py")
    names = (dotted(p) if p.parts[0] != "tests" else ".".join(p.with_suffix("").parts) for p in paths)
    return [name for name in names if not any(folder in name for folder in APART)]


def main(folders: list[str]) -> None:
    """Print a line for each module that fails."""
    names = modules(folders or PACKAGES)
    remove_names()
    for name in names:
        try:
            importlib.import_module(name)
        except pytest.skip.Exception:
            pass  # a test that is skipped as a whole
        except (ImportError, AttributeError) as problem:
            print(name, problem, sep=": ")


if __name__ == "__main__":
    main(sys.argv[1:])
