"""Meshes and textures as files with names by content, which a viewer fetches once."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Hashable
from pathlib import Path

import numpy as np

from wbridge.wbcore.render.forms import DrawnForm
from wbridge.wbcore.render.images import AnyTexture, TextureUse
from wbridge.wbcore.visual.images import Image

LEVEL = 2
"""The tessellation of round shapes that viewers get, from 0 (coarsest)."""
IMAGES = (".png", ".jpg", ".jpeg")


class Files:
    """Files by name. A name is a hash of the content, so equal files exist once."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}
        self._new: list[str] = []
        self._meshes: dict[Hashable, str] = {}
        self._pictures: dict[tuple[Path, int], str] = {}

    def take_new(self) -> dict[str, bytes]:
        """Return the files since the last call."""
        names, self._new = self._new, []
        return {name: self.known[name] for name in names}

    def forget(self, name: str) -> None:
        """Drop a file that is not in use any more; it is new when it comes again."""
        self.known.pop(name, None)

    def add(self, data: bytes) -> str:
        """Return the name of a file with this content."""
        name = hashlib.sha256(data).hexdigest()[:20]
        if name not in self.known:
            self.known[name] = data
            self._new.append(name)
        return name

    def mesh(self, form: DrawnForm) -> str:
        """Return the name of a mesh.

        Its file: the number of vertices (uint32), eight float32 for each vertex (position, normal, u from the
        left, v from the top; of lines and points a color instead of the normal), and the indices (uint32).
        """
        known = self._meshes.get(form.key)
        if known is None or form.version is not None:
            levels = form.make()
            vertices, _ = levels[min(LEVEL, len(levels) - 1)]
            data = vertices.data.astype("<f4").tobytes() + vertices.indices.astype("<u4").tobytes()
            known = self._meshes[form.key] = self.add(len(vertices.data).to_bytes(4, "little") + data)
        return known

    def texture(self, use: AnyTexture) -> str:
        """Return the name of a texture: a PNG or JPEG file."""
        if isinstance(use, TextureUse) and use.path.suffix.lower() in IMAGES:
            return self.picture(use.path, use.modified_ns)
        return self.pixels(use.pixels())

    def picture(self, path: Path, modified_ns: int = 0) -> str:
        """Return the name of a picture file.

        Raises:
            OSError: it cannot be read.
        """
        key = (path, modified_ns)
        if key not in self._pictures:
            self._pictures[key] = self.add(path.read_bytes())
        return self._pictures[key]

    def pixels(self, pixels: Image) -> str:
        """Return the name of pixels as a PNG file."""
        import PIL.Image  # start-up: 14 ms, few worlds have changing textures

        file = io.BytesIO()
        PIL.Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG", compress_level=1)
        return self.add(file.getvalue())
