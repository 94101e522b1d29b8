"""Reads logs of robots (see `device_log`), also those whose end is missing because a process was killed."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

from wbridge.hal.table import DeviceTable, TableError
from wbridge.wbcore.recordings.device_log import FORMAT, METADATA, MODEL, WORDS, McapMissing
from wbridge.wbcore.remote.real_step import RealStep

__all__ = ["LogError", "RobotLog", "Step", "read_log"]

LONGEST_RECORD = 1 << 26
"""Bytes, also of a chunk of records that is unpacked."""
MOST_NUMBERS = 20_000_000
"""Of a recording that is small as a file: each takes about 32 bytes of memory."""
NUMBERS_PER_BYTE = 3
"""Further numbers of a recording, for each byte of its file."""
STEP_NUMBERS, VALUE_NUMBERS = 16, 4
"""As many numbers are a step and a value taken for, besides the numbers of an array."""
LONGEST_STEP_MS = 3_600_000
MAGIC = 8
"""Bytes at the start and the end of a file."""


class LogError(ValueError):
    """A file is not a recording of robots; the message says why."""


class Step(NamedTuple):
    """A step of a robot."""

    time: float
    """At its end (s)."""
    said: RealStep


class RobotLog(NamedTuple):
    """What a robot did."""

    table: DeviceTable
    world: Path
    """The world that describes it, on the machine that made the log."""
    step_ms: float
    """Basic time step of the world."""
    steps: list[Step]
    contacts: str = ""
    """The law of contact of a simulation; "" for a real robot."""

    @property
    def duration_s(self) -> float:
        """Time of all steps."""
        return math.fsum(step.said.elapsed for step in self.steps) / 1000


def read_log(path: Path) -> dict[str, RobotLog]:
    """Return the logs of all robots in a file, by name.

    Raises:
        McapMissing: the package is not installed.
        LogError: the file cannot be read, or is not a recording of robots.
    """
    if find_spec("mcap") is None:
        raise McapMissing
    try:
        with path.open("rb") as file:
            collected = _Collected(MOST_NUMBERS + NUMBERS_PER_BYTE * os.fstat(file.fileno()).st_size)
            for record in _records(file):
                collected.take(record)
    except OSError as problem:
        raise LogError(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        reason = str(problem) if isinstance(problem, LogError) else f"is damaged: {problem}"
        raise LogError(f"{path} {reason}") from None
    if not collected.about:
        raise LogError(
            f"{path} is not a recording of robots; `wbridge remote --record FILE.mcap` creates such a file"
        )
    return collected.logs()


def _records(file: IO[bytes]) -> Iterator[Any]:
    """Yield the records that are complete."""
    from mcap import records, stream_reader  # start-up: only for logs
    from mcap.exceptions import EndOfFile, InvalidMagic  # start-up: only for logs

    bounded: Any = _Bounded(file)
    try:
        reader = stream_reader.StreamReader(bounded, emit_chunks=True, record_size_limit=LONGEST_RECORD)
        for record in reader.records:
            if isinstance(record, records.Chunk):
                data = _unpacked(record.compression, record.data)
                yield from stream_reader.breakup_chunk(replace(record, compression="", data=data))
            else:
                yield record
    except LogError:
        raise
    except EndOfFile:
        return  # the process that wrote it was killed
    except InvalidMagic as problem:
        if file.tell() < MAGIC or file.read(1):
            raise LogError("is not an MCAP recording") from problem
    except Exception as problem:  # decoders and decompressors raise whatever damaged bytes lead to
        if file.read(1):
            raise LogError(f"is damaged: {problem or type(problem).__name__}") from None
        return  # its end was cut within a record


def _unpacked(compression: str, data: bytes) -> bytes:
    """Return the records of a chunk, whatever it says about their size.

    Raises:
        LogError: they are larger than LONGEST_RECORD.
    """
    if compression == "zstd":
        unpacking = import_module("zstandard").ZstdDecompressor(max_window_size=LONGEST_RECORD)
        data = unpacking.stream_reader(data).read(LONGEST_RECORD + 1)
    elif compression == "lz4":
        data = import_module("lz4.frame").LZ4FrameDecompressor().decompress(data, LONGEST_RECORD + 1)
    if len(data) > LONGEST_RECORD:
        raise LogError(f"has a chunk that unpacks to more than {LONGEST_RECORD >> 20} MB")
    return data


class _Bounded:
    """A file of which nobody reads more than its size, whatever a damaged length says."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._size = file, os.fstat(file.fileno()).st_size

    def read(self, length: int) -> bytes:
        return self._file.read(min(length, self._size))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


class _Collected:
    """The robots, topics and steps that were read so far."""

    def __init__(self, room: int) -> None:
        """
        Args:
            room: how many numbers may come.
        """
        self.about: dict[str, str] = {}
        self._room = room
        self._tables: dict[str, DeviceTable] = {}
        self._topics: dict[int, tuple[str, int]] = {}
        self._steps: dict[str, list[Step]] = {}

    def take(self, record: Any) -> None:
        kind = type(record).__name__
        if kind == "Metadata" and record.name == METADATA:
            self.about = dict(record.metadata)
            if self.about.get("format") != FORMAT:
                raise LogError(f"its format is {self.about.get('format')}, which this version does not know")
        elif kind == "Attachment":
            self._tables[record.name] = _table(record.data)
            self._steps[record.name] = []
        elif kind == "Channel" and "robot" in record.metadata:
            self._topics[record.id] = record.metadata["robot"], int(record.metadata["tag"])
        elif kind == "Message" and record.channel_id in self._topics:
            robot, tag = self._topics[record.channel_id]
            if not robot.startswith(MODEL):
                self._add(robot, tag, record.log_time / 1e9, json.loads(record.data))

    def _add(self, robot: str, tag: int, time: float, values: dict[str, Any]) -> None:
        steps = self._steps[robot]
        if tag == 0:
            self._take_room(STEP_NUMBERS)
            steps.append(Step(time, _begun(values)))
            return
        device = self._tables[robot].device(tag)
        for name, value in values.items():
            channel = device.channel(name) if device is not None else None
            if channel is not None and steps:
                said = steps[-1].said
                side = said.commands if channel.direction == "act" else said.readings
                self._take_room(VALUE_NUMBERS + (len(value) if isinstance(value, list) else 0))
                side.append((tag, name, _number(value)))

    def _take_room(self, numbers: int) -> None:
        self._room -= numbers
        if self._room < 0:
            raise LogError("unpacks to more steps and values than a file of this size can have")

    def logs(self) -> dict[str, RobotLog]:
        world, step_ms = Path(self.about["world"]), float(self.about["step_ms"])
        law = self.about.get("contacts", "")
        return {
            name: RobotLog(table, world, step_ms, self._steps[name], law)
            for name, table in self._tables.items()
        }


def _table(data: bytes) -> DeviceTable:
    try:
        return DeviceTable.from_json(data)
    except TableError as problem:
        raise LogError(str(problem)) from None


def _begun(values: dict[str, Any]) -> RealStep:
    periods = [
        (int(record["tag"]), str(record["function"]), int(record["period"])) for record in values["periods"]
    ]
    elapsed = float(values["elapsed"])
    if not 0 <= elapsed <= LONGEST_STEP_MS:
        raise LogError(f"a step takes {elapsed} ms")
    return RealStep(elapsed, periods, [], [], bool(values["silent"]))


def _number(value: object) -> Any:
    if isinstance(value, list):
        return [_number(element) for element in value]
    if isinstance(value, str):
        return WORDS[value]
    if not isinstance(value, bool | int | float):
        raise LogError(f"{value!r} is not a number")
    return value
