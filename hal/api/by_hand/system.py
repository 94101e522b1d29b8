"""Utility functions of the C library."""

from __future__ import annotations

import os

from wbridge.hal.client.arguments import needs
from wbridge.hal.connection.address import AddressError, from_environment, instance_folders


@needs("value", "before", "after")
def wbu_string_replace(value: str, before: str, after: str) -> str:
    """Replace each occurrence of `before` in a string by `after`."""
    return value.replace(before, after)


@needs("variable")
def wbu_system_getenv(variable: str) -> str | None:
    """The value of an environment variable, or None."""
    return os.environ.get(variable)


@needs("path", otherwise="")
def wbu_system_short_path(path: str) -> str:
    """The path itself; short paths exist only on Windows."""
    return path


def wbu_system_tmpdir() -> str:
    """The folder that contains the simulator's instance folders."""
    return os.path.join(os.sep, "tmp")


def wbu_system_webots_instance_path(refresh: bool) -> str | None:
    """The folder of the simulator's instance, with a trailing separator, or None."""
    try:
        found = [one for one in instance_folders(from_environment()) if one.is_dir()]
    except AddressError:
        return None
    return f"{found[0]}{os.sep}" if found else None
