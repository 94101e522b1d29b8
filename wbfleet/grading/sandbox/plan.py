"""What a sandbox consists of: limits and paths, as one JSON argument of its processes."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

BUBBLEWRAP, OWN, NONE = "bubblewrap", "namespaces", ""
"""Ways to isolate a program: by the program of this name, by system calls, not at all."""
CANNOT = 126
"""Exit code if the program cannot be started, as in a shell."""
OVER = 125
"""Exit code if the program has exceeded a limit, which the last line of its errors tells."""


ENVIRONMENT = "WBRIDGE_PROGRAM_ENVIRONMENT"
"""The environment variable with the environment of a program (see wbridge.wbcore.controllers.launcher). Its
files have a say in it, so nothing outside of the sandbox runs with it."""


def environment_of() -> dict[str, str]:
    """Return the environment of the program, of which this process was told."""
    return dict(json.loads(os.environ.get(ENVIRONMENT, "{}")))


class Plan(NamedTuple):
    """The sandbox of one program."""

    way: str
    """How it is built: BUBBLEWRAP, OWN or NONE."""
    landlock: bool
    """Whether Landlock restricts files as well."""
    folder: str
    """Where the program is, in which it may write."""
    read: tuple[str, ...]
    """Files and folders that it may read; those that do not exist are left out."""
    cpu_s: int
    """Processor time (s), memory (bytes), files (bytes) and processes of all its processes together."""
    memory: int
    disk: int
    processes: int
    file_size: int
    """Maximum size of a file (bytes)."""
    start: str = ""
    """The folder in which the program starts, if it can be seen; otherwise in `folder`."""
    bubblewrap: str = ""
    """Path of the program; not searched later, when files of the program may have a say in where."""
    groups: str = ""
    """Folder in which control groups may be made; "": none."""

    def to_text(self) -> str:
        """Return it as one argument."""
        return json.dumps(self._asdict())

    @classmethod
    def from_text(cls, text: str) -> Plan:
        """Return the plan that `to_text` wrote."""
        data = json.loads(text)
        return cls(**{**data, "read": tuple(data["read"])})
