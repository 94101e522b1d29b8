"""What starts controllers in place of this process, for example with less rights."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

ENVIRONMENT = "WBRIDGE_PROGRAM_ENVIRONMENT"
"""The environment variable by which a sandbox gets the environment of a program, as JSON."""
SOCKETS = "WBRIDGE_PROGRAM_SOCKETS"
"""The environment variable by which a sandbox gets the folders of the sockets that a program connects to."""


class Launcher(NamedTuple):
    """Starts controllers."""

    command: tuple[str, ...] = ()
    """Command line in front of that of a controller."""
    is_sandbox: bool = False
    """Nobody trusts the controllers: nothing that their files name is used outside of `command`, not even
    their environment, which names libraries to load."""

    def environment(self, program: Mapping[str, str], sockets: Iterable[Path]) -> Mapping[str, str]:
        """Return the environment of the process that starts a program.

        Args:
            program: the environment of the program.
            sockets: the folders of its sockets.
        """
        if not self.is_sandbox:
            return program

        folders = sorted({str(socket) for socket in sockets})
        return {**os.environ, ENVIRONMENT: json.dumps(dict(program)), SOCKETS: json.dumps(folders)}
