"""Recognition and segmentation, as a part of the Camera: sampling, messages, and the segmentation image."""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.picture_memory import PictureMemory
from wbridge.wbcore.devices.sensor import Sampling
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.visual.errors import RenderError
from wbridge.wbcore.visual.views import View

if TYPE_CHECKING:
    from wbridge.wbcore.devices.recognition import ObjectFinder

BLACK = 0xFF000000
SEGMENTATION_IMAGE = 9
"""The message code of a segmentation image sent as bytes."""

RecognitionState = tuple[int, float, bool]
"""Sampling period and last time (ms), and whether it is segmenting."""


class RecognizingDevice(ImageDevice):
    """A device with a Recognition node. Subclasses define `view`."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self.recognition = Sampling()
        self.is_segmenting = False
        self._segments: PictureMemory | None = None
        self._was_available: bool | None = None
        super().__init__(place, entry, robot)
        self.mount = Mount(self.simulation.physics, lambda: self.node)

    @cached_property
    def _finder(self) -> ObjectFinder:
        from wbridge.wbcore.devices.recognition import (
            ObjectFinder,  # start-up: 8 ms, few cameras recognize objects
        )

        return ObjectFinder(self.simulation, self.mount)

    def view(self, elapsed: float) -> View:
        """Return the view from the current pose, `elapsed` seconds after the last picture."""
        raise NotImplementedError

    @property
    def recognition_node(self) -> Node | None:
        """The Recognition node, if there is one."""
        return node_in(self.node, "recognition")

    @property
    def has_segmentation(self) -> bool:
        """The field Recognition.segmentation."""
        node = self.recognition_node
        return node is not None and "segmentation" in node.spec.fields and bool(node.get("segmentation"))

    # Commands.

    def on_enable(self, period: int) -> None:
        """Set the sampling period of the picture in ms; 0 disables it."""
        super().on_enable(period)
        self._listen()

    def on_enable_recognition(self, period: int) -> None:
        """Set the sampling period of the recognition in ms; 0 disables it."""
        self.recognition.start(period, self.simulation.time_ms)
        self._listen()

    def on_enable_segmentation(self, on: bool) -> None:
        """Enable or disable segmentation images, which are taken together with the objects."""
        self.is_segmenting = on
        if on and not self.has_segmentation:
            self.robot.warn(
                f'camera "{self.name}": no segmentation images: set the field segmentation of its '
                "Recognition node to TRUE"
            )
        elif on and self._segments is None:
            self._allocate_segments()

    def _listen(self) -> None:
        self.robot.listen(self, self.sampling.period > 0 or self.recognition.period > 0)

    def _allocate_segments(self) -> None:
        self._segments = self.make_memory(self.file_size, "segmentation_file")
        if self._segments is not None:
            self._segments.pixels.view("<u4")[:] = BLACK

    # Sampling.

    def sample(self, now: float) -> None:
        """Take a picture, and recognize objects, if they are due."""
        super().sample(now)
        if self.recognition.is_due(now):
            self.recognition.take(now)
            self._recognize()

    def _recognize(self) -> None:
        node = self.recognition_node
        if node is None:
            return
        self.send_newest("objects", self._finder.find(self.node, node, self.conventions))
        if self.has_segmentation != self._was_available:
            if self._was_available is not None:
                self.send_newest("segmentation", self.has_segmentation)
            self._was_available = self.has_segmentation
        if self.is_segmenting and self.has_segmentation:
            self._segment()

    def _segment(self) -> None:
        if self._segments is None:
            self._allocate_segments()
        if self._segments is None:
            return
        view = self.view(inf)
        numbers = np.empty(view.width * view.height, dtype=np.uint32)
        try:
            renderer = self.simulation.renderer
            renderer.follow()
            renderer.draw_numbers(view, numbers)
        except RenderError as problem:
            self.robot.warn(f'camera "{self.name}": no segmentation images: {problem}')
            return
        self._segments.pixels.view("<u4")[:] = renderer.recognition_colors()[numbers]
        if self.robot.pictures.is_in_answers:
            self.send_picture(SEGMENTATION_IMAGE, self._segments.pixels)

    # Changes.

    def connect(self) -> None:
        """Disable recognition and segmentation for a new controller."""
        self.recognition = Sampling()
        self.is_segmenting, self._was_available = False, None
        super().connect()

    def reset(self) -> None:
        """Make samples due at the end of the next step."""
        super().reset()
        self.recognition.last = -inf

    def _release(self) -> None:
        super()._release()
        if self._segments is not None:
            self._segments.close()
        self._segments = None

    def _resize(self) -> None:
        had_segments = self._segments is not None
        super()._resize()
        if had_segments:
            if self._segments is not None:
                self._segments.close()
            self._allocate_segments()

    # The state of a simulation.

    def save_recognition(self) -> RecognitionState:
        """Return the sampling of the recognition."""
        return self.recognition.period, self.recognition.last, self.is_segmenting

    def load_recognition(self, state: RecognitionState) -> None:
        """See `save_recognition`."""
        period, last, is_segmenting = state
        if (period, is_segmenting) != (self.recognition.period, self.is_segmenting):
            self.on_enable_recognition(period)
            self.on_enable_segmentation(is_segmenting)
        self.recognition.last = last
