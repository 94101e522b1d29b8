"""The surroundings that procedural PROTOs can read."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import Any

from wbridge.wbcore.scene.proto import ProtoDefinition
from wbridge.wbcore.scene.version import NEWEST, Version

_OS_NAMES = {"linux": "linux", "darwin": "mac", "win32": "windows"}


@dataclass
class Context:
    """The surroundings that templates can read (table 5.2)."""

    world: str = ""
    project_path: str = ""
    webots_home: str = ""
    coordinate_system: str = "ENU"
    release: Version = NEWEST
    """The title and other data in the header of the world's file."""
    seed: int = 0
    _count: int = field(default=0, repr=False)

    def of(
        self, definition: ProtoDefinition, identifier: int, release: Version | None = None
    ) -> dict[str, Any]:
        """Return the `context` of one instance of a model of a release; by default the world's."""
        return {
            "world": self.world,
            "proto": os.path.abspath(definition.source.path),
            "project_path": self.project_path,
            "webots_home": self.webots_home,
            "temporary_files_path": "",
            "os": _OS_NAMES.get(sys.platform, "linux"),
            "id": str(identifier),
            "coordinate_system": self.coordinate_system,
            "world_version": str(release or self.release),
            "webots_version": {"major": str(NEWEST), "revision": "0"},
            "webots_modules_path": self.webots_home,
        }

    def next_id(self) -> int:
        """Return a number for a new instance; a world always numbers its instances in the same order."""
        self._count += 1
        return self._count
