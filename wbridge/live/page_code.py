"""The controllers of a project in a web page, for the panel in which a person changes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from wbridge.live.projects import RUBRIC, zipped

__all__ = ["CODE", "ProjectCode"]

CODE = "controllers"
"""The folder of controllers in a project."""


class ProjectCode:
    """The files of a project's controllers in Python."""

    def __init__(
        self, world: Path, names: Iterable[str], downloaded: Iterable[Path], restart: Callable[[str], object]
    ) -> None:
        """
        Args:
            world: the world's file; the project is the folder around its own.
            names: of the controllers.
            downloaded: the folders that make up the project's archive.
            restart: starts the controllers of a name again.
        """
        self._project = world.resolve().parent.parent
        self._names = tuple(dict.fromkeys(names))
        self._downloaded = tuple(downloaded)
        self._restart = restart

    @property
    def folder(self) -> str:
        """The project's folder."""
        return str(self._project)

    @property
    def is_exercise(self) -> bool:
        """Whether the project has a rubric, see wbridge.live.exercise."""
        return (self._project / RUBRIC).is_file()

    def files(self) -> str:
        """Return the names of all files relative to the project's folder, as JSON."""
        return json.dumps(
            [
                str(file.relative_to(self._project))
                for name in self._names
                for file in sorted((self._project / CODE / name).glob("*.py"))
            ]
        )

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return self._file(name).read_text("utf-8", "replace")

    def write(self, name: str, text: str) -> None:
        """Change a file, and start its controllers again.

        Raises:
            ValueError: it is not a controller's file.
        """
        file = self._file(name)
        file.write_text(text, "utf-8")
        self._restart(file.parent.name)

    def _file(self, name: str) -> Path:
        if name not in json.loads(self.files()):
            raise ValueError(f"{name} is not a controller's file")
        return self._project / name

    def archive(self) -> bytes:
        """Return the project as a zip archive."""
        return zipped(self._project, self._downloaded)
