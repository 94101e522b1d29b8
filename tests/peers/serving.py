"""Serves a simulation's outside robots in a thread of the test, until their controllers have gone."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wbridge.hal.protocol.dialect import DIALECTS
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.simulation import Simulation

OLD_FOLDER = b"webots-%d"
"""Where libraries of R2023a look for a simulator; later ones look elsewhere."""
VERSION = re.compile(rb"\0(R20\d\d[a-z])")
"""The release that a later library compares with the simulator's."""


def dialect_of(home: Path) -> str:
    """What the library in a Webots folder speaks: the oldest is known by where it looks, the others by the
    release that they are of."""
    library = (home / "lib" / "controller" / "libController.so").read_bytes()
    if OLD_FOLDER in library:
        return "R2023a"
    release = max(VERSION.findall(library)).decode()
    return "R2023b" if release < "R2025a" else "R2025a"


@contextmanager
def serve(simulation: Simulation, dialect: str) -> Iterator[int]:
    """The port of a server that steps the simulation with whoever connects."""
    lockstep = Lockstep(simulation)
    server = Server(dialect=DIALECTS[dialect])
    for session in lockstep.sessions:
        session.expected = session.robot.controller == "<extern>"
    server.serve(lockstep.sessions)
    ended = threading.Event()

    failures: list[BaseException] = []

    def run() -> None:
        try:
            while not ended.is_set():
                if lockstep.is_ready:
                    lockstep.step()
                else:
                    server.poll(0.05)
        except Exception as failure:
            failures.append(failure)
        finally:
            server.close()  # so that no controller waits for ever

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield server.port
    finally:
        ended.set()
        thread.join(10)
        if failures:
            raise failures[0]
