"""What strangers' files ask of the commands that read them is bounded, as with worlds (see test_bombs)."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest

from tests.bombs.bombs import print_blast
from tests.bombs.file_bombs import FILE_BOMBS, FileBomb, chunk, explode, mcap, record, text_of
from tests.bombs.test_bombs import MOST_MB
from wbridge.wbcore.recordings import device_log_reader
from wbridge.wbcore.recordings.device_log_reader import LogError, read_log

# Of recordings, `make test` reads those with parts that grow in test_strange_recordings.py.
SLOW = re.compile("recording_|urdf_(?!depth)|xacro|mjcf|policy_(?!tensor)|motion|image|font|wav_8")


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(bomb, id=bomb.name, marks=[pytest.mark.slow] * bool(SLOW.match(bomb.name)))
        for bomb in FILE_BOMBS
    ],
)
def test_a_file_needs_bounded_memory_and_ends_in_words(bomb: FileBomb, tmp_path: Path):
    blast = explode(bomb, tmp_path)
    print_blast(bomb.name, blast)
    assert "Traceback" not in blast.text, blast.text[-1500:]
    assert blast.code in (0, 1, 2), blast.text[-1500:]
    assert blast.peak_mb < MOST_MB


TABLE = (
    b'{"format": 1, "robot": {"tag": 0, "name": "r", "type": "Robot", "model": "", "constants": {},'
    b' "channels": []}, "devices": []}'
)
"""See wbridge.hal.table."""


def steps(count: int) -> bytes:
    """Records of a recording with so many steps (https://mcap.dev/spec)."""
    about = {"format": device_log_reader.FORMAT, "world": "a.wbt", "step_ms": "8"}
    pairs = b"".join(text_of(name) + text_of(value) for name, value in about.items())
    metadata = record(12, text_of(device_log_reader.METADATA) + struct.pack("<I", len(pairs)) + pairs)
    attachment = struct.pack("<QQ", 0, 0) + text_of("r") + text_of("") + struct.pack("<Q", len(TABLE)) + TABLE
    channel = text_of("robot") + text_of("r") + text_of("tag") + text_of("0")
    topic = (
        struct.pack("<HH", 1, 0) + text_of("t") + text_of("json") + struct.pack("<I", len(channel)) + channel
    )
    said = json.dumps({"periods": [], "elapsed": 8, "silent": False}).encode()
    message = record(5, struct.pack("<HIQQ", 1, 0, 0, 0) + said)
    return metadata + record(9, attachment + bytes(4)) + record(4, topic) + message * count


@pytest.mark.parametrize("compression", ["", "lz4", "zstd"])
def test_chunks_of_each_kind_are_read(tmp_path: Path, compression: str):
    """Judge: the packages of Python that compress."""
    plain = steps(3)
    data = {"": bytes, "lz4": _lz4, "zstd": _zstd}[compression](plain)
    words = mcap(steps(0) + chunk(b"", len(plain), compression, data))(tmp_path)
    assert len(read_log(Path(words[1]))["r"].steps) == 3


def test_a_recording_has_no_more_steps_than_its_file_can_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(device_log_reader, "MOST_NUMBERS", 16_000)
    packed = steps(1) + chunk(b"", 0, "zstd", _zstd(steps(2000)))
    with pytest.raises(LogError, match="more steps and values than a file of this size"):
        read_log(Path(mcap(packed)(tmp_path)[1]))
    assert len(read_log(Path(mcap(steps(2000))(tmp_path)[1]))["r"].steps) == 2000


def _lz4(data: bytes) -> bytes:
    import lz4.frame  # only where bombs are made

    return bytes(lz4.frame.compress(data))


def _zstd(data: bytes) -> bytes:
    import zstandard  # only where bombs are made

    return zstandard.ZstdCompressor().compress(data)
