"""Encode a robot's name as a part of an address or path, by the rules of each release.

Webots' libraries send what follows the port of a `tcp://` address as the robot's name, whatever it is. So a
token that is appended to the name reaches the simulator from libraries of all releases.
"""

from __future__ import annotations

from collections.abc import Iterable

SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.")
SOCKET_PATH = 91
"""Maximum length of a socket's complete path in R2025a."""
LONG_NAME = 70
"""Maximum length of an encoded name in R2023b."""
TOKEN = "?token="
"""Stands between a robot's name and the token in an address."""
TOKEN_VARIABLE = "WBRIDGE_CONTROLLER_TOKEN"
"""Environment variable of the token: of a run, and of controllers whose address contains none."""
_HIDDEN = "***"


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


def spellings(name: str) -> list[str]:
    """How libraries may write a name, which may contain a token, when they connect over TCP.

    The name in the address may be encoded already; R2023b and later encode it again, and replace a long name
    by digits.
    """
    encoded = encoded_name(name)
    twice = encoded_name(encoded)
    written = [name, encoded, twice]
    if len(twice) > LONG_NAME:
        from hashlib import sha1  # start-up: 4 ms, only for long names

        written += [sha1(text.encode()).hexdigest() for text in (encoded, twice)]
    return written


def with_token(robot: str, token: str) -> str:
    """The last part of an address: a robot's name and a token, if any."""
    return f"{robot}{TOKEN}{token}" if token else robot


def split_token(text: str) -> tuple[str, str]:
    """The robot's name, which may be encoded, and the token of an address; "" if there is none."""
    for mark in (TOKEN, encoded_name(TOKEN)):
        robot, separator, token = text.rpartition(mark)
        if separator:
            return robot, token
    return text, ""


def shows_token(name: str, token: str, robots: Iterable[str]) -> bool:
    """Return True if a name from a handshake contains the token, after a time that does not depend on it.

    Args:
        name: as libraries send it.
        token: the right one.
        robots: names of all robots: libraries replace a long name with its token by digits.
    """
    # The digits of a long name contain the token, so they are compared as carefully as the token itself.
    whole = [text for robot in robots for text in spellings(with_token(robot, token))]
    return any([_is_same(split_token(name)[1], token), *(_is_same(name, text) for text in whole)])


def _is_same(given: str, token: str) -> bool:
    """Compare secrets in constant time."""
    import hmac  # start-up: 4 ms, only for TCP

    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("utf-8", "replace"))


def without_token(url: str) -> str:
    """An address as it may be shown."""
    robot, token = split_token(url)
    return with_token(robot, _HIDDEN) if token else url
