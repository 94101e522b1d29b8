"""The wires of the robot link, one module each; the scheme of a URL is the name of the file.

A module has FORM (how its URLs look) and `connect(url)`, which gives a message pipe to a robot; many have
`listen(url, table)` for the robot's end. A wrapper (`spy`, `fault`) has `wrap(url, inner)` instead. A scheme
with an s behind the name of a module is the same over TLS. Packages that only one transport needs are
imported when it is used.

Robots that do not speak the robot link are reached by byte pipes: transports that carry bytes have
`open_bytes(url)`, and for emulated robots `listen_bytes(url)`; wrappers then get `raw`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.url import Url, closest, parse_url

if TYPE_CHECKING:
    from wbridge.hal.link.pipe import Listener, Pipe
    from wbridge.hal.table import DeviceTable

__all__ = [
    "check",
    "check_place",
    "connect",
    "connect_bytes",
    "forms",
    "listen",
    "listen_bytes",
    "pin",
    "read_options",
    "schemes",
]


@cache
def schemes() -> tuple[str, ...]:
    """The names of all transports and wrappers."""
    files = Path(__file__).parent.glob("*.py")
    return tuple(sorted(file.stem for file in files if not file.stem.startswith("_")))


def forms() -> dict[str, str]:
    """How the URLs of each transport look, by scheme."""
    return {name: str(_module(name).FORM) for name in schemes()}


def connect(url: str | Url) -> Pipe:
    """A message pipe to the robot at a URL.

    Raises:
        AddressError: the URL is wrong, or a package that it needs is missing.
        ConnectionLost: nothing answers.
    """
    where = parse_url(url) if isinstance(url, str) else url
    if where.wrappers:
        wrapper = _find(where, where.wrappers[0], "wrap")
        pipe: Pipe = wrapper.wrap(where, connect)
        return pipe
    found: Pipe = _find(where, where.scheme, "connect").connect(where)
    return found


def check(url: str) -> None:
    """See that a URL names a transport that leads to robots, without going there.

    Raises:
        AddressError: it does not.
    """
    where = parse_url(url)
    for name in where.wrappers:
        _find(where, name, "wrap")
    _find(where, where.scheme, "connect")


def check_place(url: str | Url, use: str = "connect") -> None:
    """The same, and that the place is there as far as this machine knows (a module's own `check`).

    Args:
        url: of the robot.
        use: what is to be done there: connect, or open_bytes.

    Raises:
        AddressError: it is not.
    """
    where = parse_url(url) if isinstance(url, str) else url
    for name in where.wrappers:
        _find(where, name, "wrap")
    module = _find(where, where.scheme, use)
    if hasattr(module, "check"):
        module.check(where)


def read_options(url: Url, own: Mapping[str, Callable[[str], object]]) -> tuple[dict[str, Any], Url]:
    """Check all options of a URL: those of its user, of the wrappers around the transport, and its own.

    Args:
        url: with all of them.
        own: how to convert those of the user, by name.

    Returns:
        The user's options that are given, converted; and the URL without them.

    Raises:
        AddressError: one is unknown or cannot be converted; all of them are named.
    """
    allowed = dict(own)
    for name in (*url.wrappers, url.scheme):
        allowed |= getattr(_named(url, name), "OPTIONS", {})
    values = url.read_options(allowed)
    rest = {name: value for name, value in url.options.items() if name not in own}
    return {name: value for name, value in values.items() if name in own}, url._replace(options=rest)


def pin(url: Url) -> Url:
    """The URL of what is there now: connections to it fail when another thing has come in its place.

    Whoever opens a URL again and again pins it first: places such as the number of a pseudo terminal are
    given to other programs. Modules that have such places have a `pin` of their own.
    """
    name = url.scheme
    own = getattr(_module(name), "pin", None) if name in schemes() else None
    return url if own is None else url._replace(pinned=own(url))


def listen(url: str, table: DeviceTable) -> Listener:
    """Let controllers reach a robot at a URL.

    Args:
        url: where; what is missing (for example a port) is chosen and stands in the listener's URL.
        table: of the robot, for transports that show it to others.

    Raises:
        AddressError: the URL is wrong, or its transport has no robot's end.
        ConnectionLost: it is taken, or the broker is not there.
    """
    where = parse_url(url)
    if where.wrappers:
        raise AddressError(f"{where.text}: {where.wrappers[0]}+ works at the controller's end only")
    listener: Listener = _find(where, where.scheme, "listen").listen(where, table)
    return listener


def connect_bytes(url: str | Url) -> Pipe:
    """A byte pipe to whatever is at a URL, for robots with a protocol of their own.

    Raises:
        AddressError: the URL is wrong, its transport carries no bytes, or a package that it needs is missing.
        ConnectionLost: nothing answers.
    """
    where = parse_url(url) if isinstance(url, str) else url
    if where.wrappers:
        wrapper = _find(where, where.wrappers[0], "wrap")
        pipe: Pipe = wrapper.wrap(where, connect_bytes, raw=True)
        return pipe
    found: Pipe = _find(where, where.scheme, "open_bytes").open_bytes(where)
    return found


def listen_bytes(url: str) -> Listener:
    """Let controllers reach a robot with a protocol of its own; the listener gives byte pipes.

    Raises:
        AddressError: the URL is wrong, or its transport carries no bytes.
        ConnectionLost: it is taken.
    """
    where = parse_url(url)
    if where.wrappers:
        raise AddressError(f"{where.text}: {where.wrappers[0]}+ works at the controller's end only")
    listener: Listener = _find(where, where.scheme, "listen_bytes").listen_bytes(where)
    return listener


def _find(where: Url, name: str, use: str) -> ModuleType:
    """The module of a scheme or wrapper that can do something.

    Raises:
        AddressError: there is none, or it cannot.
    """
    module = _named(where, name)
    if not hasattr(module, use):
        able = ", ".join(scheme for scheme in schemes() if hasattr(_module(scheme), use))
        what = use.replace("_bytes", " for plain bytes")
        raise AddressError(f"{where.text}: {name} cannot {what}; these can: {able}")
    return module


def _named(where: Url, name: str) -> ModuleType:
    known = list(schemes())
    base = name if name in known else name[:-1] if name.endswith("s") else name
    module = _module(base) if base in known else None
    if module is None or (base != name and not getattr(module, "TLS", False)):
        hint = closest(name, known)
        raise AddressError(f'{where.text}: unknown transport "{name}"{hint}; allowed: {", ".join(known)}')
    return module


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
