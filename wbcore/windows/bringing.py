"""Models that pages bring from the user's computer: they send the files, then put them into the world.

The files of a model stay where pages may save worlds, so that a saved world finds them; where pages may not
save, they stay with the run and end with it.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from wbridge.wbcore.windows.allowed import Allowed
from wbridge.wbcore.windows.building import Building
from wbridge.wbcore.windows.interventions import Done
from wbridge.wbcore.windows.request_handler import WindowRequest
from wbridge.wbcore.windows.shelf import model_text
from wbridge.wbcore.windows.user_supervisor import models_of

MOST_BYTES, MOST_FILES, MOST_PAGES = 64 * 2**20, 1000, 4
"""Maximum of what a page has sent and not put into the world yet, and pages of which that is kept."""
DEEPEST = 8
_PART = re.compile(r'[^\x00-\x1f\x7f/\\:*?"<>|.][^\x00-\x1f\x7f/\\:*?"<>|]{0,99}')
"""A name that is possible on every system, and not hidden."""


class Bringing:
    """Carries out the requests `bring` and `put` of pages."""

    def __init__(
        self, building: Building, folder: Path, allowed: Allowed, answer: Callable[[WindowRequest], Done]
    ) -> None:
        """
        Args:
            building: puts models into the world.
            folder: for models in runs whose worlds pages may not save.
            allowed: what pages may write.
            answer: returns what tells a page how its request went.
        """
        self._building, self._answer = building, answer
        self._home = (allowed.saves or folder) / "protos"
        self._with_protos = allowed.code
        self._files: dict[int, dict[str, bytearray]] = {}
        """By page: the bytes of its files by their names."""

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {"bring": self._bring, "put": self._put}

    def _bring(self, request: WindowRequest) -> None:
        """Take a part of a file."""
        values = request.values
        files = self._of_page(request.page)
        part = b64decode(values["part"], validate=True)
        name = _checked(values["name"])
        if values["begins"] or name not in files:
            files[name] = bytearray()
        if len(files) > MOST_FILES or sum(map(len, files.values())) + len(part) > MOST_BYTES:
            del self._files[request.page]
            raise ValueError(f"a model may have {MOST_FILES} files and {MOST_BYTES >> 20} MiB")
        files[name] += part
        self._answer(request)("")

    def _of_page(self, page: int) -> dict[str, bytearray]:
        """Return the files of a page; those of the page that came first are dropped for those of many."""
        if page not in self._files and len(self._files) >= MOST_PAGES:
            del self._files[next(iter(self._files))]
        return self._files.setdefault(page, {})

    def _put(self, request: WindowRequest) -> None:
        """Put the model that a page has sent where it says."""
        from wbridge.wbcore.importers.brought import put_model  # start-up: 24 ms, only to convert models

        files = self._files.pop(request.page, {})
        x, y, z = request.values["point"]
        with TemporaryDirectory() as folder:
            for name, data in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            world = self._building.world
            taken = models_of(world.nodes) | {extern.name for extern in world.header.externs}
            proto = put_model(Path(folder), self._home, taken, self._with_protos)
        text = model_text(proto.stem, self._url(proto), self._building.release, (x, y, z))
        self._building.put(proto.stem, text, (x, y, z), self._answer(request))

    def _url(self, proto: Path) -> str:
        """Return the address of a PROTO from the world's folder."""
        folder = Path(self._building.world.path).absolute().parent
        try:
            return Path(os.path.relpath(proto.absolute(), folder)).as_posix()
        except ValueError:
            return proto.absolute().as_posix()  # on another drive of Windows


def _checked(name: str) -> str:
    """Return a file's name, with folders.

    Raises:
        ValueError: it cannot be used everywhere, or no model consists of such files.
    """
    from wbridge.wbcore.importers.brought import SUFFIXES  # start-up: as above

    parts = name.split("/")
    if len(parts) > DEEPEST or not all(map(_PART.fullmatch, parts)) or parts[-1].endswith((".", " ")):
        raise ValueError(f"{name[:100]}: not a file's name that is possible on every computer")
    if PurePosixPath(name).suffix.lower() not in SUFFIXES:
        raise ValueError(f"{parts[-1]}: no model consists of such files; possible: {', '.join(SUFFIXES)}")
    return name
