"""Expands xacro files with the library `xacro`, if it is installed, in a process with bounds of its own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from wbridge.hal.installation import package_command
from wbridge.wbcore.importers import xacro_worker
from wbridge.wbcore.scene.diagnostics import printable

_XACRO = re.compile(rb"""<xacro:|=\s*["'][^"'<>]*\$[({]""")
_WORKER = f"""
import sys
sys.path[:] = [folder for folder in sys.path if folder]  # not of the folder in which somebody works
from {xacro_worker.__name__} import main
sys.exit(main(sys.argv[1:]))
"""
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


class XacroError(ValueError):
    """Raised if a xacro file cannot be expanded; the message says what to do."""


def is_xacro(path: Path, data: bytes) -> bool:
    """Return True for a file that needs xacro: by its name, or by elements or expressions of xacro outside of
    comments."""
    return path.suffix.lower() == ".xacro" or _XACRO.search(_COMMENT.sub(b"", data)) is not None


def expand_xacro(path: Path, arguments: Mapping[str, str]) -> bytes:
    """Return the URDF that a xacro file expands to.

    Raises:
        XacroError: the library is missing, or the file has an error or needs too much memory or time.
    """
    if find_spec("xacro") is None:
        target = path.with_suffix("") if path.suffix == ".xacro" else path.with_suffix(".expanded.urdf")
        text = f"{path} needs the library xacro; install it with: {package_command('xacro')}"
        raise XacroError(f"{text}; or expand it where ROS is: xacro {path} -o {target}")
    words = [str(path), *(f"{name}={value}" for name, value in arguments.items())]
    with tempfile.TemporaryFile() as urdf, tempfile.TemporaryFile() as messages:
        code = _run(words, urdf, messages)
        messages.seek(0)
        lines = messages.read().decode("utf-8", "replace").strip().splitlines()
        said = "\n".join(map(printable, lines))
        if code != 0:
            raise XacroError(f"{path}: xacro: {_problem(code, said)}")
        if said:
            print(said, file=sys.stderr)
        urdf.seek(0)
        return urdf.read()


def _run(words: list[str], urdf: BinaryIO, messages: BinaryIO) -> int | None:
    """Run the worker; return its exit code, None if it took too long."""
    command = [sys.executable, "-c", _WORKER, *words]
    try:
        done = subprocess.run(
            command, stdout=urdf, stderr=messages, timeout=xacro_worker.LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


def _problem(code: int | None, said: str) -> str:
    """Return why a file could not be expanded."""
    if code is None or code == -getattr(signal, "SIGXCPU", 0):
        return f"the file took longer than the allowed {xacro_worker.LONGEST_S} s; does a macro never end?"
    return said or f"its process ended with code {code}"
