"""What wheels are built for: versions of Python, systems, and the tools with which they are compiled."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PYTHONS", "STABLE", "SYSTEMS", "TOOLS", "ZIG", "System", "compact"]

PYTHONS = ("3.10", "3.11", "3.12")
STABLE = "3.12"
"""The first version with the stable ABI that the engine needs: its wheel serves all later ones, too."""
TOOLS = {
    "nanobind": "3.1.0",
    "scikit-build-core": "1.1.2",
    "cmake": "4.4.5",
    "ninja": "1.13.2",
    "auditwheel": "6.8.2",
}
"""Versions of the tools: others would compile other bytes."""
ZIG = "0.17.1"
"""The version of the compiler."""


class System(NamedTuple):
    """A system and processor."""

    processor: str
    target: str
    """How the compiler names it, with the oldest release of the C library."""
    platform: str
    """How wheels name it."""

    @property
    def triplet(self) -> str:
        """How extension modules of Python name it."""
        return self.target.rpartition(".")[0].rpartition(".")[0]


SYSTEMS = {
    system.processor: system
    for system in (
        System("x86_64", "x86_64-linux-gnu.2.28", "manylinux_2_28_x86_64"),
        System("aarch64", "aarch64-linux-gnu.2.28", "manylinux_2_28_aarch64"),
    )
}
"""By processor."""


def compact(version: str) -> str:
    """Return a version of Python as tags of wheels have it, such as cp312."""
    return "cp" + version.replace(".", "")
