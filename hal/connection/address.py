"""Locate a controller's simulator: environment variables, folders of local instances, names of robots."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.protocol.names import TOKEN_VARIABLE, encoded_name, folder_names, split_token, without_token
from wbridge.hal.reports import messages

__all__ = ["Address", "AddressError", "encoded_name", "from_environment", "instance_roots", "local_sockets"]

INSTANCE_PATH, ROBOT_NAME, URL = "WEBOTS_INSTANCE_PATH", "WEBOTS_ROBOT_NAME", "WEBOTS_CONTROLLER_URL"


class AddressError(ValueError):
    """The environment variables contain no valid address of a simulator."""


class Address(NamedTuple):
    """The address of a simulator and the name of a robot."""

    scheme: str
    """"ipc", "tcp", or "intern" for a controller that the simulator started."""
    robot: str = ""
    """Name of the robot; "" selects the only robot that waits for a controller."""
    instance: str = ""
    """For ipc the instance number ("": the newest instance), for intern the instance folder."""
    host: str = ""
    port: int = 0
    token: str = ""
    """What the simulator requires over TCP; "" if the address contains none."""


def from_environment(environment: Mapping[str, str] = os.environ) -> Address:
    """Read the address from the environment variables.

    Raises:
        AddressError: the URL is invalid.
    """
    folder, robot = environment.get(INSTANCE_PATH), environment.get(ROBOT_NAME)
    if folder and robot:
        return Address("intern", robot, folder)
    address = parse_url(environment.get(URL, ""))
    if address.scheme != "tcp" or address.token:
        return address
    return address._replace(token=environment.get(TOKEN_VARIABLE, ""))


def parse_url(url: str) -> Address:
    """Parse a URL: `ipc://INSTANCE[/ROBOT]`, `tcp://HOST:PORT[/ROBOT][?token=TOKEN]`, `ROBOT`, or an empty
    string."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return Address("ipc", url)
    rest, token = split_token(rest)
    where, _, robot = rest.partition("/")
    if scheme == "ipc" and where.isdigit():
        return Address("ipc", robot, where)
    host, _, port = where.rpartition(":")
    if scheme == "tcp" and host and port.isdigit() and 0 < int(port) < 65536:
        return Address("tcp", robot, "", host, int(port), token)
    raise AddressError(messages.invalid_address(URL, without_token(url), messages.address_forms()))


def instance_roots(environment: Mapping[str, str] = os.environ) -> list[tuple[Path, str]]:
    """The parent folders of instance folders, each with the prefix of their names; newest layout first."""
    temporary = Path(os.sep, "tmp")
    home = environment.get("WEBOTS_HOME", "")
    if "/snap/webots" in home:
        temporary = Path(environment.get("HOME", os.sep), "snap", "webots", "common", "tmp")
    user = environment.get("USER") or environment.get("USERNAME") or "default"
    older = Path(environment.get("WEBOTS_TMPDIR") or temporary)
    return [(temporary / "webots" / user, ""), (older, "webots-")]


def instance_folders(address: Address, environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The candidate folders of an address: the named instance in each layout, else the newest instance."""
    if address.scheme == "intern":
        return [Path(address.instance)]
    roots = instance_roots(environment)
    if address.instance:
        return [root / (prefix + address.instance) for root, prefix in roots]
    found = [one for root, prefix in roots for one in root.glob(prefix + "*") if (one / "ipc").is_dir()]
    return sorted(found, key=lambda one: one.stat().st_mtime, reverse=True)[:1]


def local_sockets(address: Address, environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The sockets that accept this controller; empty if there are none (yet)."""
    kind = "intern" if address.scheme == "intern" else "extern"
    found: list[Path] = []
    for folder in instance_folders(address, environment):
        if address.robot:
            length = len(os.fspath(folder)) + len("/ipc//extern")
            names = folder_names(address.robot, length)
            found += [folder / "ipc" / name / kind for name in names]
        elif not found:  # several layouts list the same robots
            found = sorted(folder.glob(f"ipc/*/{kind}"))
    return [one for one in found if one.exists()]


def is_loading(address: Address, environment: Mapping[str, str] = os.environ) -> bool:
    """True while the simulator is loading a world."""
    return any((one / "loading").exists() for one in instance_folders(address, environment))
