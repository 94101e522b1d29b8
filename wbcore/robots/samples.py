"""The enabled sensors of a robot: their schedule, and the latest values for the controller.

Most sensors send one message of a fixed size. Their values are packed in one operation, because all answers
with the same sensors have the same shape (see wbridge.hal.protocol.shape). The engine samples and packs what
it can measure by itself (see wbridge.wbcore.robots.sample_pass).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.shape import Shape
from wbridge.wbcore.devices.sensor import SLACK_MS, Sampling, Sensor
from wbridge.wbcore.robots.sample_pass import SamplePass

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot

    Task: TypeAlias = SamplePass | tuple[Sampling | None, Sensor, int]
    """Sensors that the engine samples; or a sampling schedule (None: the sensor's own), sensor, and tag."""

MOST_BEGUN = 8
"""Pictures that are drawn at the same time; each has memory of its own."""
MOST = 64
"""Limit of stored shapes: a controller that varies its sensors must not fill the memory."""


class Samples:
    """Samples the enabled sensors of a robot and writes their newest values."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._physics = robot.simulation.physics
        self._sensors: dict[int, Sensor] = {}
        self._is_planned = self._is_remote = False
        self._structure = -1
        self._tasks: list[Task] = []
        self._passes: list[SamplePass] = []
        self.make_pass: Callable[[bytes], SamplePass] = SamplePass
        """Creates a pass for the next plan."""
        self._newest: dict[int, tuple[object, ...]] = {}
        """Pending values by tag."""
        self._begun: list[Callable[[], None]] | None = None
        """What ends the pictures that were begun in the running pass; None outside of it."""
        self._shapes: dict[tuple[int, ...], tuple[Shape | None, list[int] | None]] = {}

    def listen(self, sensor: Sensor, on: bool) -> None:
        """Add or remove a sensor that was enabled or disabled."""
        self._drop_plan()
        if on:
            self._sensors[sensor.tag] = sensor
            self._sensors = dict(sorted(self._sensors.items()))
        else:
            self._sensors.pop(sensor.tag, None)

    def clear(self) -> None:
        """Disable all sensors and drop pending values."""
        self.drop()
        self._sensors.clear()

    def drop(self) -> None:
        """Drop pending values, for example before sampling times change."""
        self._drop_plan()
        self._newest.clear()

    def kept(self) -> dict[int, tuple[object, ...]]:
        """Return the pending values by tag, for the simulation's state, and update the sensors' last sampling
        times."""
        self._drop_plan()
        return dict(self._newest)

    def restore(self, newest: dict[int, tuple[object, ...]]) -> None:
        """Restore the pending values that `kept` returned."""
        self._newest = dict(newest)

    def forget(self) -> None:
        """Drop plans and shapes after a change of devices or dialect."""
        self.spread()
        self._drop_plan()
        self._shapes.clear()

    # Measuring.

    def sample(self, now: float) -> None:
        """Sample the sensors that are due at this time (ms), in the order of tags, which is that of their
        random numbers.

        Pictures are only begun in their turn, and ended together: while one is drawn, the next is prepared.
        """
        is_planned = self._is_planned and self._structure == self._physics.structure
        if not is_planned or self._is_remote is not self._robot.is_remote:
            self._plan()
        if not self._tasks:
            return
        self._begun = []
        try:
            if not self._sample(now):
                self._plan()
                is_done = self._sample(now)
                assert is_done, "new measurements are usable"
        finally:
            begun, self._begun = self._begun, None
            for end in begun:
                end()

    def finish_later(self, end: Callable[[], None]) -> None:
        """End a picture: after the running pass or, outside of it, now."""
        if self._begun is None:
            end()
            return
        self._begun.append(end)
        if len(self._begun) == MOST_BEGUN:
            for client in self._begun:
                client()
            self._begun.clear()

    def _sample(self, now: float) -> bool:
        """Return False if a measurement has become unusable; what was sampled before is not due any more."""
        newest = self._newest
        for task in self._tasks:
            if isinstance(task, SamplePass):
                if not task.sample(now):
                    return False
                continue
            sampling, sensor, tag = task
            if sampling is None:
                sensor.sample(now)
                continue
            since = now - sampling.last
            if since >= sampling.period - SLACK_MS:
                sampling.last = now
                values = sensor.measure(since / 1000)
                if values is not None:
                    newest[tag] = values
        return True

    def _drop_plan(self) -> None:
        """Invalidate the sampling plan."""
        for sample_pass in self._passes:
            self._newest.update(sample_pass.take())
            sample_pass.part()
        self._passes, self._tasks = [], []
        self._is_planned = False

    def _plan(self) -> None:
        self._drop_plan()
        self._is_planned, self._structure = True, self._physics.structure
        self._is_remote = self._robot.is_remote
        for sensor in self._sensors.values():
            if self._is_remote and not sensor.WORKS_REMOTELY:
                continue
            layout = _layout(sensor)
            source = sensor.source() if layout is not None and layout.is_of_doubles else None
            if source is not None:
                self._last_pass().add(sensor, source, self._head(sensor))
            else:
                is_flat = layout is not None and layout.flat is not None
                self._tasks.append((sensor.sampling if is_flat else None, sensor, sensor.tag))

    @property
    def time_head(self) -> bytes:
        """The bytes before the time in an answer."""
        return HEAD.pack(0, self._robot.codec.message_codes["time"])

    def _last_pass(self) -> SamplePass:
        """Return the pass at the end of the plan, a new one after another task."""
        last = self._tasks[-1] if self._tasks else None
        if not isinstance(last, SamplePass):
            last = self.make_pass(self.time_head)
            self._tasks.append(last)
            self._passes.append(last)
        return last

    def _head(self, sensor: Sensor) -> bytes:
        return HEAD.pack(sensor.tag, sensor.message_code)

    # Sending.

    @property
    def single_pass(self) -> SamplePass | None:
        """Return the pass over all enabled sensors; None if some are in no pass or values are pending. A new
        object means a change."""
        if not self._is_planned or self._is_remote or self._structure != self._physics.structure:
            return None
        return self._passes[0] if len(self._tasks) == len(self._passes) == 1 and not self.waits else None

    def has_only(self, sensors: SamplePass | None) -> bool:
        """True if no values but those of this pass can be pending."""
        return not self._newest and self._tasks == ([] if sensors is None else [sensors])

    @property
    def is_empty(self) -> bool:
        """True if no sensor is enabled and no value is pending."""
        return not self._sensors and not self._newest

    def latest(self) -> Iterator[tuple[int, tuple[object, ...]]]:
        """The newest values that the engine has read, by tag, for observers."""
        for sample_pass in self._passes:
            yield from sample_pass.latest()

    def newest(self) -> dict[int, tuple[object, ...]]:
        """Return the newest samples of enabled sensors by tag, for programs without a controller; they stay
        pending."""
        return {**self._newest, **dict(self.latest())}

    @property
    def waits(self) -> bool:
        """True if values are pending."""
        return bool(self._newest) or any(sample_pass.waits for sample_pass in self._passes)

    def packet(self, seconds: float) -> bytes | None:
        """Return the answer for a local connection with the time (s) and all pending values, or None if the
        engine does not have all of them."""
        if self._newest:
            return None
        if len(self._passes) == 1:
            native = self._passes[0].native
            return native.packet(seconds) if native.waits else None
        waiting = [sample_pass for sample_pass in self._passes if sample_pass.waits]
        return waiting[0].packet(seconds) if len(waiting) == 1 else None

    def write(self, time: tuple[float, ...]) -> bytes | None:
        """Return the pending values, after the time (s) if given; None if they cannot be packed."""
        newest = self._newest
        self._take_from_passes()
        if self._robot.message_log is not None:
            self._robot.message_log.newest.update(newest)
        shape, order = self._shape((len(time), *newest))
        if shape is None:
            return None
        values = newest.values() if order is None else [newest[tag] for tag in order]
        try:
            if shape.is_single:
                data = shape.write_single([*time, *[number for (number,) in values]])
            else:
                data = shape.write([time, *values] if time else [*values])
        except (struct.error, ValueError, TypeError):
            return None  # writing them one by one reports what is wrong
        newest.clear()
        return data

    def spread(self) -> None:
        """Move the pending values to their devices, to be sent with the devices' other messages."""
        self._take_from_passes()
        for tag in sorted(self._newest):
            sensor = self._sensor(tag)
            sensor.send_newest(sensor.MESSAGE, *self._newest[tag])
        self._newest.clear()

    def _take_from_passes(self) -> None:
        for sample_pass in self._passes:
            self._newest.update(sample_pass.take())

    def _shape(self, key: tuple[int, ...]) -> tuple[Shape | None, list[int] | None]:
        """Return the shape of an answer, given whether it has the time, and the tags in the order of the
        values; and the order of the messages, if different. The shape is None if a message has several
        parts."""
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MOST:
                self._shapes.clear()
            found = self._shapes[key] = self._make_shape(key[0], list(key[1:]))
        return found

    def _make_shape(self, has_time: int, tags: list[int]) -> tuple[Shape | None, list[int] | None]:
        order = sorted(tags)
        messages = self._messages(bool(has_time), order)
        is_flat = all(layout.flat is not None for _, layout in messages)
        return Shape(messages) if is_flat else None, None if order == tags else order

    def _messages(self, has_time: bool, tags: list[int]) -> list[tuple[bytes, Layout]]:
        """Return the bytes before each message, and its layout."""
        codec = self._robot.codec
        parts: list[tuple[bytes, Layout]] = []
        if has_time:
            code = codec.message_codes["time"]
            parts.append((HEAD.pack(0, code), codec.messages[code].layout))
        for tag in tags:
            sensor = self._sensor(tag)
            assert sensor.codec is not None, "only sensors with a codec are sampled here"
            code = sensor.codec.message_codes[sensor.MESSAGE]
            parts.append((HEAD.pack(tag, code), sensor.codec.messages[code].layout))
        return parts

    def _sensor(self, tag: int) -> Sensor:
        device = self._robot.devices[tag - 1]
        assert isinstance(device, Sensor), "only sensors are sampled"
        return device


def _layout(sensor: Sensor) -> Layout | None:
    """Return the layout of a sensor's messages if it is sampled by its period."""
    if type(sensor).sample is not Sensor.sample or sensor.codec is None:
        return None
    code = sensor.codec.message_codes.get(sensor.MESSAGE)
    return None if code is None else sensor.codec.messages[code].layout
