"""Logs of commands and readings of robots in MCAP, which Foxglove and other tools open (https://mcap.dev).

A log has one topic per device, "/ROBOT/DEVICE", whose messages are JSON objects with the channels of the
device table that were set or read in a step. The topic "/ROBOT" has one message per step: its length (ms),
whether the robot was silent, and the sampling periods that were set. Numbers that JSON lacks are the strings
"Infinity", "-Infinity" and "NaN". The device tables are attachments; the metadata record "wbridge" has what a
replay needs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from wbridge.hal.installation import extra_command
from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable
from wbridge.wbcore.recordings.row_files import report_incomplete
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.scene.load import World

FORMAT = "1"
METADATA = "wbridge"
"""Name of the metadata record."""
MODEL = "model "
"""Beginning of topics with the readings of a model that moves along with a real robot."""
WORDS = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
TYPES = {"bool": "boolean", "i32": "integer"}
"""JSON types of channels; all others have numbers."""
CHUNK = 1 << 13
"""Bytes that are lost at most if the process is killed."""
NS_PER_S = 1_000_000_000
DEFAULT_STEP_MS = 32.0
"""Of worlds without WorldInfo."""


class McapMissing(ImportError):
    """The package that reads and writes MCAP is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"MCAP needs a package that is not installed: {extra_command('fleet')}")


class DeviceLog:
    """An open log of some robots. If the file cannot be written, the log ends and `problem` tells why."""

    def __init__(
        self, path: Path, world: Path, step_ms: float, tables: Sequence[DeviceTable], contacts: str = ""
    ) -> None:
        """
        Args:
            path: of the log.
            world: the world that describes the robots.
            step_ms: basic time step of the world.
            tables: of the robots, which have different names.
            contacts: the law of contact of a simulation; "" for a real robot.

        Raises:
            McapMissing: the package is not installed.
            OSError: the file cannot be written.
        """
        try:
            from mcap.writer import Writer  # start-up: 30 ms, only for logs
        except ImportError:
            raise McapMissing from None
        self.problem = ""
        self._path = path
        self._file: IO[bytes] = path.open("wb")
        self._writer: Any = Writer(self._file, chunk_size=CHUNK)
        self._writer.start(profile="", library="wbridge")
        self._topics: dict[tuple[str, int], int] = {}
        """Numbers of the topics, by robot and tag; 0 is the robot itself."""
        self._further: dict[str, int] = {}
        """Those of what belongs to no device, by topic."""
        about = {"format": FORMAT, "world": str(world.absolute()), "step_ms": repr(step_ms)}
        if contacts:
            about["contacts"] = contacts
        self._writer.add_metadata(METADATA, about)
        for table in tables:
            self.add_robot(table, table.name)

    def add_robot(self, table: DeviceTable, name: str) -> None:
        """Add a robot with a name that no other one in the log has. The steps of the robot come after it."""
        self._enter(table, name)
        data = table.canonical().encode("ascii")
        try:
            self._writer.add_attachment(0, 0, name, "application/json", data)
        except OSError as problem:
            self.problem = self.problem or report_incomplete(self._path, problem)

    def add_model(self, table: DeviceTable) -> None:
        """Add topics for the model of a robot."""
        self._enter(table, MODEL + table.name)

    def _enter(self, table: DeviceTable, name: str) -> None:
        self._topics[name, 0] = self._topic(f"/{name}", _STEP, name, 0)
        names = [device.name for device in table.devices]
        for device in table.devices:
            label = device.name if names.count(device.name) == 1 else f"{device.name}#{device.tag}"
            if any(_is_recorded(channel) for channel in device.channels):
                self._topics[name, device.tag] = self._topic(
                    f"/{name}/{label}", _schema(device), name, device.tag
                )

    def _topic(self, topic: str, schema: Mapping[str, object], robot: str, tag: int) -> int:
        number = self._writer.register_schema(topic, "jsonschema", json.dumps(schema).encode())
        metadata = {"robot": robot, "tag": str(tag)}
        return int(self._writer.register_channel(topic, "json", number, metadata))

    def add_step(
        self, robot: str, time: float, step: RealStep, read: Iterable[tuple[LinkChannel, object]] = ()
    ) -> None:
        """Write a step.

        Args:
            robot: name of the robot.
            time: at its end (s).
            step: what happened in it.
            read: readings of the robot's model, if it has one.
        """
        periods = [{"tag": tag, "function": name, "period": ms} for tag, name, ms in step.periods]
        said = {"elapsed": step.elapsed, "silent": step.is_silent, "periods": periods}
        news: dict[tuple[str, int], dict[str, object]] = {(robot, 0): said}
        for tag, name, value in (*step.commands, *step.readings):
            news.setdefault((robot, tag), {})[name] = _plain(value)
        for channel, value in read:
            if _is_number(value):
                news.setdefault((MODEL + robot, channel.tag), {})[channel.name] = _plain(value)
        for key, values in news.items():
            if key in self._topics:
                self._write(self._topics[key], time, values)

    def add_named(self, robot: str, time: float, kind: str, values: Mapping[str, object]) -> None:
        """Write what belongs to no device to the topic "/ROBOT/KIND", which a replay leaves out.

        Args:
            robot: name of the robot.
            time: s.
            kind: a name that no device of the robot has, for example "telemetry".
            values: numbers or texts by name.
        """
        topic = f"/{robot}/{kind}"
        if topic not in self._further:
            number = self._writer.register_schema(
                topic, "jsonschema", json.dumps({"type": "object"}).encode()
            )
            self._further[topic] = int(self._writer.register_channel(topic, "json", number, {}))
        self._write(self._further[topic], time, {name: _plain(value) for name, value in values.items()})

    def _write(self, topic: int, time: float, values: Mapping[str, object]) -> None:
        if self.problem:
            return
        at = round(time * NS_PER_S)
        try:
            self._writer.add_message(topic, at, json.dumps(values, separators=(",", ":")).encode(), at)
        except OSError as problem:
            self.problem = report_incomplete(self._path, problem)

    def close(self) -> None:
        """Finish the file."""
        try:
            if not self.problem:
                self._writer.finish()
            self._file.close()
        except OSError as problem:
            self.problem = self.problem or report_incomplete(self._path, problem)


class LogOfRobot:
    """A log of one robot that its controller drives, and of its model, if it has one."""

    def __init__(self, path: Path, world: World, table: DeviceTable, has_model: bool) -> None:
        """
        Raises:
            McapMissing, OSError: as for `DeviceLog`.
        """
        info = world.first("WorldInfo")
        step_ms = float(info.get("basicTimeStep")) if info is not None else DEFAULT_STEP_MS
        self._robot = table.name
        self._log = DeviceLog(path, Path(world.path), step_ms, [table])
        if has_model:
            self._log.add_model(table)

    @property
    def problem(self) -> str:
        """Why the file is incomplete; "" if it is complete."""
        return self._log.problem

    def add_step(
        self, time: float, step: RealStep, read: Iterable[tuple[LinkChannel, object]], pose: Iterable[float]
    ) -> None:
        """Write a step; the model's pose is left out."""
        self._log.add_step(self._robot, time, step, read)

    def close(self) -> None:
        """Finish the file."""
        self._log.close()


_STEP = {
    "type": "object",
    "properties": {
        "elapsed": {"type": "number", "$comment": "ms"},
        "silent": {"type": "boolean"},
        "periods": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "tag": {"type": "integer"},
                    "function": {"type": "string"},
                    "period": {"type": "integer", "$comment": "ms"},
                },
            },
        },
    },
}


def _is_recorded(channel: Channel) -> bool:
    return channel.type in ("bool", "i32", "f32", "f64", "vec3", "quaternion")


def _schema(device: DeviceEntry) -> dict[str, object]:
    properties = {channel.name: _property(channel) for channel in device.channels if _is_recorded(channel)}
    return {"type": "object", "title": f"{device.type} {device.name}", "properties": properties}


def _property(channel: Channel) -> dict[str, object]:
    data = {"type": TYPES.get(channel.type, "number")}
    is_list = channel.shape or channel.type in ("vec3", "quaternion")
    found: dict[str, Any] = {"type": "array", "items": data} if is_list else data
    return {**found, "$comment": "command" if channel.direction == "act" else "reading"}


def _is_number(value: object) -> bool:
    numbers = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(number, bool | int | float) for number in numbers)


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
