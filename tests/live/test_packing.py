"""How the archives of the site are packed.

Judges: Python's gzip, lzma and zipfile, and the sizes of archives that compress each file alone.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile

import pytest

from wbridge.live.packing import open_packed, packed

FILES = [
    (f"models/{number}.proto", f"PROTO Box{number} [] {{ Solid {{}} }}".encode() * 5) for number in range(50)
]


@pytest.mark.parametrize(
    ("is_first", "unpack"),
    [(False, bytes), (False, lzma.decompress), (True, bytes), (True, gzip.decompress)],
    ids=["as sent", "unpacked on the way", "the first one", "the first one, unpacked on the way"],
)
def test_what_was_packed_is_there_again(is_first, unpack) -> None:
    with open_packed(unpack(packed(FILES, is_first))) as archive:
        assert [(name, archive.read(name)) for name in archive.namelist()] == FILES


def test_equal_files_make_equal_archives() -> None:
    assert packed(FILES) == packed(FILES)


def test_files_that_resemble_each_other_share_what_they_have_in_common() -> None:
    alone = io.BytesIO()
    with zipfile.ZipFile(alone, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in FILES:
            archive.writestr(name, data)
    assert len(packed(FILES)) < len(alone.getvalue()) / 3
