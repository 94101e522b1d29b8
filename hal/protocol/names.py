"""Encode a robot's name as a part of an address or path, by the rules of each release."""

from __future__ import annotations

__all__ = ["encoded_name", "folder_names"]

SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.")
SOCKET_PATH = 91
"""Maximum length of a socket's complete path in R2025a."""
LONG_NAME = 70
"""Maximum length of an encoded name in R2023b."""


def encoded_name(name: str) -> str:
    """Encode a robot's name: UTF-8 bytes other than letters, digits and - _ ~ . become %XX."""
    return "".join(chr(b) if b in SAFE else f"%{b:02X}" for b in name.encode())


def folder_names(robot: str, path_length: int) -> list[str]:
    """The possible names of a robot's folder.

    Args:
        robot: the name as given, perhaps encoded already.
        path_length: of the instance folder and the rest of the path without the name.
    """
    names = [encoded_name(robot), robot]
    limit = max(SOCKET_PATH - path_length, 4) // 2 * 2
    if len(names[0]) > min(limit, LONG_NAME):
        from hashlib import sha1  # start-up: 4 ms, only for long names

        digits = sha1(names[0].encode()).hexdigest()
        names += [digits, digits[:limit]]
    return list(dict.fromkeys(name for name in names if "/" not in name))
