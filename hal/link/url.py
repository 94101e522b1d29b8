"""URLs of transports: `serial://PORT?baud=115200`, `mqtts://user:password@broker/topic`, `spy+tcp://host:port`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.messages import LONGEST_WATCHDOG
from wbridge.hal.printable import HIDDEN, keep_secret

__all__ = ["Url", "bits_per_second", "closest", "milliseconds", "parse_url", "seconds", "switch", "watchdog"]
__all__ += ["without_password"]


LONGEST_MS = 0xFFFF
"""A time in a message has two bytes."""
SECRET_FILE, SECRET_VARIABLE = "password_file", "password_env"
"""Options with the place of a password or token: the first line of a file, or an environment variable."""
LONGEST_SECRET = 4096
"""Of the first line that is read, in characters."""
_ENCODE = "write the characters / ? # [ ] of its password as %2F %3F %23 %5B %5D"
NO_PORTS = ("usb",)
"""Schemes whose URLs have another number behind the colon."""
_EXPECTED: dict[Callable[[str], object], str] = {int: "expected a whole number", float: "expected a number"}
"""What Python's own words about a wrong value are replaced by."""


class Url(NamedTuple):
    """Where a transport leads."""

    text: str
    """As it was given, without a password."""
    wrappers: tuple[str, ...]
    """Wrappers around the transport, outermost first, for example ("spy",)."""
    scheme: str
    user: str
    password: str
    host: str
    port: int | None
    path: str
    """Without the slash that ends the host."""
    options: Mapping[str, str]
    pinned: str = ""
    """What was there when the transport was asked to remember it (see `wbridge.hal.link.transports.pin`)."""

    def read_options(self, allowed: Mapping[str, Callable[[str], object]]) -> dict[str, Any]:
        """The options that are given, converted.

        Args:
            allowed: how to convert each, by name.

        Raises:
            AddressError: one is unknown or cannot be converted; all of them are named.
        """
        problems, values = [], {}
        for name, value in self.options.items():
            if name not in allowed:
                known = ", ".join(allowed) or "none"
                problems.append(f'unknown option "{name}"{closest(name, allowed)}; allowed: {known}')
                continue
            try:
                values[name] = allowed[name](value)
            except (ValueError, OSError) as error:
                why = _EXPECTED.get(allowed[name]) or str(error)
                problems.append(f'option {name} is "{value}": {why}')
        if problems:
            raise AddressError(f"{self.text}: " + "; ".join(problems))
        return values

    def without(self, names: Mapping[str, object]) -> Url:
        """The same without some options and without the outermost wrapper."""
        rest = {name: value for name, value in self.options.items() if name not in names}
        return self._replace(options=rest, wrappers=self.wrappers[1:])


def milliseconds(text: str) -> int:
    """A time that fits into a message.

    Raises:
        ValueError: it is none.
    """
    if not text.isdecimal() or not 0 < int(text) <= LONGEST_MS:
        raise ValueError(f"expected 1 to {LONGEST_MS} ms")
    return int(text)


def watchdog(text: str) -> int:
    """A time after which a robot of the link stops.

    Raises:
        ValueError: it is none, or longer than robots allow.
    """
    if not text.isdecimal() or not 0 < int(text) <= LONGEST_WATCHDOG:
        raise ValueError(f"expected 1 to {LONGEST_WATCHDOG} ms")
    return int(text)


def switch(text: str) -> bool:
    """An option that is on or off.

    Raises:
        ValueError: it is neither.
    """
    if text not in ("0", "1"):
        raise ValueError("expected 0 or 1")
    return text == "1"


def bits_per_second(text: str) -> int:
    """The speed of a line.

    Raises:
        ValueError: it is none.
    """
    if not text.isdecimal() or not int(text):
        raise ValueError("expected the number of bits per second, for example 115200")
    return int(text)


def seconds(text: str) -> float:
    """A time to wait.

    Raises:
        ValueError: it is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise ValueError("expected 0 or more seconds")
    return value


def closest(name: str, names: Mapping[str, object] | list[str]) -> str:
    """A hint at the most similar of the names; "" when none is similar."""
    import difflib  # start-up: 5 ms, only for messages

    near = difflib.get_close_matches(name, list(names), 1)
    return f', did you mean "{near[0]}"?' if near else ""


def _port(parts: SplitResult) -> int | None:
    """The port of a URL.

    Raises:
        ValueError: it is none.
    """
    try:
        return parts.port
    except ValueError:
        port = parts.netloc.rpartition(":")[2]
        raise ValueError(f'"{port}" is not a port; allowed: 0 to 65535') from None


def without_password(text: str) -> str:
    """A URL as it may be shown, even if it is wrong: without what stands between a colon and the last @."""
    start, separator, rest = text.partition("://") if "://" in text else ("", "", text)
    user, _, place = rest.rpartition("@")
    name, colon, password = user.partition(":")
    return f"{start}{separator}{name}:{HIDDEN}@{place}" if colon and password else text


def _secret(options: dict[str, str]) -> str | None:
    """Take the options that name the place of a password, and read it; None: there are none.

    Raises:
        ValueError: both are there, or the place has no password.
    """
    file, variable = options.pop(SECRET_FILE, None), options.pop(SECRET_VARIABLE, None)
    if file is not None and variable is not None:
        raise ValueError(f"{SECRET_FILE} and {SECRET_VARIABLE} are both given; one is enough")
    if variable is not None:
        password = os.environ.get(variable, "")
        if not password:
            raise ValueError(f"{SECRET_VARIABLE}: the environment variable {variable} is not set")
        return password
    return None if file is None else _read_secret(file)


def _read_secret(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as lines:
            password = lines.readline(LONGEST_SECRET).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{SECRET_FILE}: cannot read {file}: {error}") from None
    if not password:
        raise ValueError(f"{SECRET_FILE}: the first line of {file} is empty")
    return password


def parse_url(text: str) -> Url:
    """The parts of a URL.

    The options `password_file` and `password_env` name where its password is: all users of a computer can
    read command lines.

    Raises:
        AddressError: it is none, or its password cannot be read.
    """
    shown, netloc = without_password(text), ""
    try:
        parts = urlsplit(text)
        netloc = parts.netloc
        port = None if parts.scheme.rpartition("+")[2] in NO_PORTS else _port(parts)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        password = unquote(parts.password or "")
        secret = _secret(options)
        if secret is not None and password:
            raise ValueError("it has a password already")
    except ValueError as error:
        # With a / in the password, the error is about a part of the password, which must not be shown.
        why = _ENCODE if shown != text and "@" not in netloc else error
        raise AddressError(f'"{shown}" is not the address of a robot: {why}') from None
    if not parts.scheme or "://" not in text:
        meant = f'; did you mean "serial://{shown}"?' if text.startswith("/dev/") else ""
        raise AddressError(
            f'"{shown}" is not the address of a robot; expected for example serial:///dev/ttyUSB0, '
            f"tcp://192.168.1.7:8080 or mqtt://broker/robots/ann{meant}"
        )
    password = secret or password
    keep_secret(password)
    *wrappers, scheme = parts.scheme.split("+")
    return Url(
        text=shown,
        wrappers=tuple(wrappers),
        scheme=scheme,
        user=unquote(parts.username or ""),
        password=password,
        host=parts.hostname or "",
        port=port,
        path=unquote(parts.path),
        options=options,
    )
