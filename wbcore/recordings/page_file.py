"""The page of a recording: HTML whose parts are added one by one, complete at any time.

HTML needs no end tags, so a page may end after any part. A part says its size: a viewer skips one that was
being written when the run was killed. docs/recordings.md describes the parts.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.recordings.page_parts import Part
from wbridge.wbcore.recordings.row_files import report_incomplete

LEVEL = 6
"""Of the compression: higher ones take several times as long for 2 % less."""


class PageFile:
    """A page that grows."""

    def __init__(self, path: Path, start: str) -> None:
        """Create a page.

        Args:
            path: the file.
            start: HTML of the head and of the program that shows the parts.

        Raises:
            OSError: the file cannot be written.
        """
        self.problem = ""
        """Why the file is incomplete; "" if it is complete."""
        self._path = path
        self._file = path.open("wb", buffering=0)
        try:
            self._write(start.encode())
        except OSError:
            self._file.close()
            raise

    def add_json(self, kind: str, value: object, **attributes: str) -> None:
        """Add a part that is one JSON value."""
        self.add_bytes(kind, _json(value), **attributes)

    def add_described(self, kind: str, description: Mapping[str, object], data: bytes) -> None:
        """Add numbers with a description, whose length (uint32) comes first.

        The description's fields `first` and `frames`, if any, become attributes of the part, too.
        """
        head = _json(description)
        known = {name: str(description[name]) for name in ("first", "frames") if name in description}
        self.add_bytes(kind, len(head).to_bytes(4, "little") + head + data, **known)

    def add_bytes(self, kind: str, data: bytes, **attributes: str) -> None:
        """Add a part. After a failed write, which is reported once, nothing is added any more."""
        if not self.problem:
            self.add_part(Part(kind, b64encode(zlib.compress(data, LEVEL)).decode(), attributes))

    def add_part(self, part: Part) -> None:
        """Add a part as another page has it, as `add_bytes`."""
        if self.problem:
            return
        kind, text, attributes = part
        more = "".join(f' data-{name}="{value}"' for name, value in attributes.items())
        line = f'<script type="text/plain" data-part="{kind}" data-size="{len(text)}"{more}>{text}</script>\n'
        try:
            self._write(line.encode())
        except OSError as problem:
            self.problem = report_incomplete(self._path, problem)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
