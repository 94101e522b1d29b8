"""Dialects of the protocol: three groups of Webots releases, and their numbers of node types."""

from __future__ import annotations

from functools import cached_property

from wbridge.hal.protocol.node_types import NODES

LATE_NODES = ("Pose", "VacuumGripper")


class Dialect:
    """The properties of the protocol that differ between releases."""

    def __init__(self, name: str, *, late_nodes: bool, name_first: bool, newest: bool) -> None:
        self.name = name
        """Name of the dialect: a release such as "R2025a"."""
        self.name_first = name_first
        """True if the configure packet begins with the robot's name and the version."""
        self.proto_index = newest
        """True if requests and answers about fields contain the index of a PROTO layer."""
        self.sound_upload = newest
        """True if the command that plays a sound contains the sound file."""
        self.nodes = tuple(node for node in NODES if late_nodes or node not in LATE_NODES)
        """Node types in the order of their numbers."""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each node type."""
        return {name: number for number, name in enumerate(self.nodes)}

    def node(self, number: int) -> str:
        """The node type with this number, or ""."""
        return self.nodes[number] if 0 <= number < len(self.nodes) else ""

    def __repr__(self) -> str:
        return f"<dialect {self.name}>"


R2023A = Dialect("R2023a", late_nodes=False, name_first=False, newest=False)
R2023B = Dialect("R2023b", late_nodes=True, name_first=True, newest=False)
R2025A = Dialect("R2025a", late_nodes=True, name_first=True, newest=True)
DIALECTS = {dialect.name: dialect for dialect in (R2023A, R2023B, R2025A)}


def from_version(version: str) -> Dialect:
    """The dialect of a simulator by the version in its configure packet; the newest for unknown versions."""
    return R2023B if version.startswith("R2023b") else R2025A
