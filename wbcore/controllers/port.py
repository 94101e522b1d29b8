"""How controllers find a simulation without local sockets, as on Windows: by its TCP port alone."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

from wbridge.hal.protocol.dialect import Dialect

URL, FOLDER = "WEBOTS_CONTROLLER_URL", "WEBOTS_INSTANCE_PATH"


class PortInstance:
    """In place of `wbridge.wbcore.controllers.instance.Instance`: a number, and a folder without sockets."""

    def __init__(self, number: int) -> None:
        """
        Raises:
            OSError: the folder cannot be created.
        """
        self.number = number
        self.folder = Path(tempfile.mkdtemp(prefix=f"wbridge-{number}-"))

    def sockets(self, robot: str, kind: str) -> list[tuple[Path, Dialect]]:
        """No local socket; arguments as of `Instance`."""
        return []

    def mark_loading(self, is_loading: bool) -> None:
        """Nothing: controllers ask at the port."""

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


def use_port(environment: dict[str, str], port: int, robot: str) -> None:
    """Let a controller that is started here connect to a port instead of a local socket.

    Args:
        environment: its variables, which are changed.
        port: of the simulation.
        robot: name of the robot.
    """
    environment.pop(FOLDER, None)
    environment[URL] = f"tcp://127.0.0.1:{port}/{quote(robot, safe='')}"


def is_taken(problem: OSError) -> bool:
    """Whether a port that cannot be bound belongs to another program.

    With exclusive use, Windows says that access is denied; elsewhere that is a port this user may not have.
    """
    taken = {errno.EADDRINUSE, errno.EACCES} if os.name == "nt" else {errno.EADDRINUSE}
    return problem.errno in taken
