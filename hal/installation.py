"""How this copy of wbridge was installed, and the commands that complete or update it.

pip records the source of an installed distribution in `direct_url.json` (PyPA specification "Recording the
Direct URL Origin of installed distributions"); a distribution without that file comes from a package index.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution

__all__ = ["DISTRIBUTION", "UNKNOWN", "Installation", "described", "extra_command", "installation"]
__all__ += ["package_command", "requirements", "update_command"]

DISTRIBUTION = "wbridge-robotics"
"""Name of the distribution. The names of its packages are taken by other programs in public indexes."""
UNKNOWN = "unknown"
"""The version of a copy without metadata."""
CHECKOUT, FILE, REMOTE, INDEX = "checkout", "file", "remote", "index"
"""Kinds of sources: a folder with the sources, a wheel or archive on this machine, an archive or repository
at a URL, a package index."""


class Installation(NamedTuple):
    """Where this copy comes from."""

    version: str
    """The installed version, or `UNKNOWN`."""
    kind: str
    """`CHECKOUT`, `FILE`, `REMOTE` or `INDEX`."""
    source: str = ""
    """Path of the folder or file, or the URL in pip's notation; "" for an index."""
    is_editable: bool = False
    """True if the sources are used where they are."""
    engine: str = ""
    """What is unusual about the build of the simulator's engine, as its build writes it into the metadata."""


@lru_cache(maxsize=1)
def installation() -> Installation:
    """Return where this copy comes from. Without metadata it runs from its source folder."""
    distribution = _own_distribution()
    root = Path(__file__).resolve().parent.parent
    if distribution is None:
        return Installation(UNKNOWN, CHECKOUT, str(root), is_editable=True)
    origin = described(distribution.version, distribution.read_text("direct_url.json"))
    return origin._replace(engine=distribution.read_text("engine.txt") or "")


def _own_distribution() -> Distribution | None:
    """Return the distribution that these sources belong to, or None."""
    from importlib.metadata import PackageNotFoundError, distribution  # start-up: 39 ms, only for messages

    try:
        return distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return None


def described(version: str, direct_url: str | None) -> Installation:
    """Return what a distribution's metadata say.

    Args:
        version: of the distribution.
        direct_url: content of its file `direct_url.json`, or None if there is none.
    """
    if not direct_url:
        return Installation(version, INDEX)
    import json  # start-up: 5 ms, only for messages

    origin: dict[str, Any] = json.loads(direct_url)
    url = str(origin["url"])
    if "vcs_info" in origin:
        return Installation(version, REMOTE, f"{origin['vcs_info']['vcs']}+{url}")
    if not url.startswith("file:"):
        return Installation(version, REMOTE, url)
    from urllib.parse import unquote, urlsplit  # start-up: 9 ms, only for messages

    path = unquote(urlsplit(url).path)
    if "dir_info" in origin:
        return Installation(version, CHECKOUT, path, bool(origin["dir_info"].get("editable")))
    return Installation(version, FILE, path)


def extra_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, for example "gym", into this environment.

    Naming an editable checkout would compile its engine again, which takes minutes: the packages are named.
    """
    own = installation()
    is_gone = own.kind in (CHECKOUT, FILE) and not os.path.exists(own.source)
    if (is_gone or own.is_editable) and (packages := requirements(extra)):
        return package_command(*packages)
    return _pip(own, f"[{extra}]")


def package_command(*packages: str) -> str:
    """Return the command that installs packages of others into this environment."""
    return " ".join([*_pip_words(), *map(_quoted, packages)])


def update_command() -> str:
    """Return the command that installs the newest version, or this one again, into this environment."""
    own = installation()
    if own.kind == CHECKOUT and own.is_editable:
        folder = _near(own.source)
        change = "" if folder == "." else f"cd {quote(folder)} && "
        return f"{change}git pull && make build"
    return _pip(own, "", "--upgrade" if own.kind == INDEX else "--force-reinstall")


def requirements(extra: str) -> list[str]:
    """Return the packages of an extra by the metadata, for example ["scipy>=1.15"]; none without metadata."""
    own = _own_distribution()
    found: list[str] = []
    for line in (own and own.requires) or ():
        name, _, marker = (part.strip() for part in line.partition(";"))
        if f'extra == "{extra}"' in marker.replace("'", '"'):
            is_own = name.startswith(f"{DISTRIBUTION}[")
            found += requirements(name[len(DISTRIBUTION) + 1 : -1]) if is_own else [name]
    return found


def _pip(own: Installation, extra: str, *options: str) -> str:
    """Return pip's command for this distribution with an extra in brackets, or ""."""
    if own.kind == INDEX:
        requirement = DISTRIBUTION + extra
    elif own.kind == REMOTE:
        requirement = f"{DISTRIBUTION}{extra} @ {own.source}"
    else:
        below = _near(own.source)
        requirement = (below if below == "." or os.path.isabs(below) else f"./{below}") + extra
    editable = ["-e"] if own.is_editable else []
    return " ".join([*_pip_words(), *options, *editable, _quoted(requirement)])


def _pip_words() -> list[str]:
    """The call of pip in the environment of the running interpreter."""
    return [quote(_near(sys.executable)) if sys.executable else "python3", "-m", "pip", "install"]


def _quoted(requirement: str) -> str:
    """Quote for a shell, in double quotes as in the documentation if that is possible."""
    safe = quote(requirement)
    return safe if safe == requirement or "'" in requirement or "$" in requirement else f'"{requirement}"'


def _near(path: str) -> str:
    """Return a path relative to the working folder if it lies in it, else as it is."""
    try:
        below = os.path.relpath(path)
    except OSError:  # the working folder has been removed
        return path
    return path if below.startswith("..") else below
