"""Expands xacro files with the library `xacro`, if it is installed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from wbridge.hal.installation import package_command

__all__ = ["XacroError", "expand_xacro", "is_xacro"]

_XACRO = re.compile(rb"""<xacro:|=\s*["'][^"'<>]*\$[({]""")
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
        XacroError: the library is missing, or the file has an error.
    """
    try:
        xacro = import_module("xacro")
    except ImportError as problem:
        target = path.with_suffix("") if path.suffix == ".xacro" else path.with_suffix(".expanded.urdf")
        text = f"{path} needs the library xacro; install it with: {package_command('xacro')}"
        raise XacroError(f"{text}; or expand it where ROS is: xacro {path} -o {target}") from problem
    try:
        document = xacro.process_file(str(path), mappings=dict(arguments))
        return bytes(document.toxml(encoding="utf-8"))
    except (Exception, SystemExit) as problem:
        # The library raises exceptions of all kinds for errors in a file.
        raise XacroError(f"{path}: xacro: {problem or type(problem).__name__}") from problem
