"""Passwords and tokens in command lines, which all users of a computer can read."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from wbridge.hal.link.url import without_password

_LOG = logging.getLogger("wbridge")


def warn_of_passwords(urls: Iterable[str]) -> None:
    """Warn if addresses of robots contain a password or token."""
    shown = next((without_password(url) for url in urls if without_password(url) != url), None)
    if shown is not None:
        _LOG.warning(
            "warning: %s: other users of this computer can read the password in the command line; write it "
            "into a file that only you can read and add ?password_file=FILE, or ?password_env=VARIABLE",
            shown,
        )
