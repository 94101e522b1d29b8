"""The Camera: pictures of the visible world, its optics, and recognition."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf, isfinite, pi
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from wbridge.wbcore.devices.camera_noise import Picture, noise_mask, white_noise
from wbridge.wbcore.devices.recognizing import BLACK, RecognitionState, RecognizingDevice
from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.physics.pose import ZERO, cross
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.ranges import snapped
from wbridge.wbcore.scene.tables.rules import Place, projection
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.errors import RenderError
from wbridge.wbcore.visual.images import ImageError, read_image
from wbridge.wbcore.visual.lens_flares import lens_flare_of
from wbridge.wbcore.visual.views import Effects, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

BYTES = 4
"""Bytes per pixel: blue, green, red, alpha."""
LEFT_OVER = 0.005
FAR = 1e4
"""The end of a view without the field far, or with 0 in it (m); as in Webots."""


class _Settings(NamedTuple):
    """What the fields of a node say."""

    holds_for: tuple[int, Node]
    """The number of changes of the tree, and the node."""
    view: View
    """Without a pose."""
    blur: float
    """Motion blur (s)."""
    noise: float
    mask: NDArray[np.uint8] | None
    """The noise mask."""


class Camera(RecognizingDevice):
    """Captures images of width x height pixels."""

    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("fieldOfView", "exposure")
    SIZES: ClassVar[frozenset[str]] = frozenset({"width", "height"})

    _settings: _Settings | None = None

    def constants(self) -> dict[str, object]:
        """Current size and optics."""
        return {"id": self.simulation.nodes.number(self.node)} | dict(zip(_OPTICS, self.optics, strict=True))

    @property
    def optics(self) -> tuple[Any, ...]:
        """In the protocol's order: view, zoom, recognition, exposure, focus."""
        node = self.node
        fov = float(node.get("fieldOfView"))
        zoom, focus, recognition = (self._part(name) for name in ("zoom", "focus", "recognition"))
        return (
            fov,
            float(node.get("near")),
            int(projection(Place(node)) == "planar"),
            *(
                self._in_view(zoom.get(name)) if zoom else fov
                for name in ("minFieldOfView", "maxFieldOfView")
            ),
            recognition is not None,
            self.has_segmentation,
            float(self._field("exposure", 1.0)),
            *(float(focus.get(name)) if focus else 0.0 for name in _FOCUS),
        )

    @property
    def _widest(self) -> float:
        return pi if projection(Place(self.node)) == "planar" else 2 * pi

    def _in_view(self, fov: float) -> float:
        """Return a limit of the zoom (rad), where a rounded half turn of a planar camera is that half."""
        return snapped(float(fov), 0.0, self._widest)

    def _part(self, name: str) -> Node | None:
        value = self._field(name, None)
        return value.root if isinstance(value, Node) else None

    def _field(self, name: str, default: object) -> Any:
        """Return a field, or a default in releases without it."""
        return self.node.get(name) if name in self.node.spec.fields else default

    @property
    def file_size(self) -> int:
        """The size of an image in bytes."""
        return int(self.node.get("width")) * int(self.node.get("height")) * BYTES

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write black, opaque pixels."""
        pixels.view("<u4")[:] = BLACK

    @property
    def picture(self) -> NDArray[np.uint8] | None:
        """The latest picture: (height, width, 4) blue, green, red, alpha; None while there is no memory."""
        if self.pixels is None:
            return None
        return self.pixels.reshape(int(self.node.get("height")), int(self.node.get("width")), BYTES)

    def begin(self, pixels: NDArray[np.uint8], elapsed: float) -> Callable[[], None] | None:
        """Begin to draw the current view."""
        try:
            renderer = self.simulation.renderer
            renderer.follow(only_steps=True)
            drawings = self.simulation.drawings(self.robot.name)
            read = renderer.begin(replace(self.view(elapsed), drawings=drawings), pixels, self)
        except RenderError as problem:
            self._warn(problem)
            return None
        return partial(self._end, pixels, read, self._disturbance())

    def prepare(self) -> None:
        """Draw a picture for nobody, so that the first one is not late. Problems are told with that one."""
        with suppress(RenderError):
            renderer = self.simulation.renderer
            renderer.follow()
            renderer.begin(self.view(inf), np.zeros(self.file_size, dtype=np.uint8))()

    def _end(
        self, pixels: NDArray[np.uint8], read: Callable[[], None], disturb: Callable[[Picture], None] | None
    ) -> None:
        try:
            read()
        except RenderError as problem:
            self._warn(problem)
            return
        if disturb is not None:
            view = self._current_settings().view
            disturb(pixels.reshape(view.height, view.width, BYTES))

    def _warn(self, problem: RenderError) -> None:
        self.robot.warn(f'camera "{self.name}": no images: {problem}')

    def _disturbance(self) -> Callable[[Picture], None] | None:
        """Draw random numbers for the noise of a picture; return what adds the noise."""
        settings, random = self._current_settings(), self.simulation.random
        if not settings.noise > 0 and settings.mask is None:
            return None
        noise = white_noise(settings.noise, random) if settings.noise > 0 else None
        mask = None if settings.mask is None else noise_mask(settings.mask, random)

        def disturb(picture: Picture) -> None:
            for image in (noise, mask):
                if image is not None:
                    image(picture)

        return disturb

    def _noise_mask(self) -> NDArray[np.uint8] | None:
        """Return the noise mask; None without one or, with a warning, if it cannot be used."""
        address = self._field("noiseMaskUrl", "")
        url = address if isinstance(address, str) else str(next(iter(address), ""))
        if not url or projection(Place(self.node)) != "planar":
            return None
        path = find_asset(self.simulation.world, self.node, url.replace("\\", "/"))
        try:
            if path is None:
                raise ImageError(f"'{url}' not found")
            return read_image(path)
        except ImageError as problem:
            self.robot.warn(f'camera "{self.name}": no noise mask: {problem}')
            return None

    def view(self, elapsed: float) -> View:
        """Return the view from the current pose, `elapsed` seconds after the last picture."""
        mount, conventions = self.mount, self.conventions
        mount.follow()
        forward, up = mount.to_world(conventions.view_axis), mount.to_world(conventions.view_up)
        settings = self._current_settings()
        effects = settings.view.effects
        if settings.blur > 0:
            # After this time, half a percent of a picture is left.
            effects = replace(effects, motion_share=power(LEFT_OVER, elapsed / settings.blur))
        return replace(
            settings.view,
            eye=mount.position(),
            forward=forward,
            up=up,
            right=cross(forward, up),
            hidden_from=self.simulation.hidden.bit(self.node),
            effects=effects,
        )

    def _current_settings(self) -> _Settings:
        """Return what the fields say now."""
        now = (self.simulation.edits.looks, self.node)
        if self._settings is None or self._settings.holds_for != now:
            self._settings = _Settings(
                now,
                view=self._unplaced_view(),
                blur=float(self._field("motionBlur", 0.0)) / 1000,
                noise=max(float(self._field(name, 0.0)) for name in ("noise", "colorNoise", "gaussianNoise")),
                mask=self._noise_mask(),
            )
        return self._settings

    def _unplaced_view(self) -> View:
        """Return the view of the node's fields, without a pose."""
        node = self.node
        return View(
            eye=ZERO,
            forward=ZERO,
            up=ZERO,
            right=ZERO,
            width=int(node.get("width")),
            height=int(node.get("height")),
            field_of_view=float(node.get("fieldOfView")),
            near=float(node.get("near")),
            far=float(self._field("far", 0.0)) or FAR,
            exposure=float(self._field("exposure", 1.0)),
            projection=str(projection(Place(node))),
            is_smooth=bool(self._field("antiAliasing", False)),
            is_fine=self.simulation.has_fine_cameras,
            effects=self._effects(),
        )

    def _effects(self) -> Effects:
        """Return the effects, without motion blur."""
        lens, focus = self._part("lens"), self._part("focus")
        effects = Effects(
            occlusion_radius=max(float(self._field("ambientOcclusionRadius", 0.0)), 0.0),
            bloom_threshold=float(self._field("bloomThreshold", -1.0)),
            flare=lens_flare_of(self.node),
        )
        if lens is not None:
            radial, tangential = lens.get("radialCoefficients"), lens.get("tangentialCoefficients")
            effects = replace(effects, lens=(*radial, *tangential), lens_center=lens.get("center"))
        if focus is not None and self.distance_in_focus() > 0:
            effects = replace(
                effects, focus_length=float(focus.get("focalLength")), focus_distance=self.distance_in_focus()
            )
        return effects

    def distance_in_focus(self) -> float:
        """Return the distance in focus (m); 0 without a Focus node."""
        focus = self._part("focus")
        return float(focus.get("focalDistance")) if focus else 0.0

    def on_set_fov(self, fov: float) -> None:
        """Set the field of view in rad."""
        zoom = self._part("zoom")
        low, high = (zoom.get("minFieldOfView"), zoom.get("maxFieldOfView")) if zoom else (0.0, 2 * pi)
        high = min(high, self._widest)
        fov = snapped(fov, low, high)
        if not low <= fov <= high:
            raise ValueError(f"a field of view of {fov} rad; allowed: {low} to {high}")
        self.set_own_field("fieldOfView", fov)
        self._settings = None

    def on_set_focal_distance(self, distance: float) -> None:
        """Set the focal distance in m."""
        focus = self._part("focus")
        if focus is None:
            raise ValueError("the camera has no Focus node")
        low, high = focus.get("minFocalDistance"), focus.get("maxFocalDistance")
        if not low <= distance <= high:
            raise ValueError(f"a focal distance of {distance} m; allowed: {low} to {high}")
        self.simulation.world.set(focus, "focalDistance", distance)
        self._settings = None

    def on_set_exposure(self, exposure: float) -> None:
        """Set the exposure in J/m^2."""
        if not (exposure >= 0 and isfinite(exposure)):
            raise ValueError(f"an exposure of {exposure}; allowed: 0 or more")
        if "exposure" in self.node.spec.fields:
            self.set_own_field("exposure", exposure)
            self._settings = None

    def save_more(self) -> tuple[float | None, RecognitionState]:
        """Return the focal distance and the sampling of the recognition."""
        focus = self._part("focus")
        return focus.get("focalDistance") if focus else None, self.save_recognition()

    def load_more(self, state: tuple[float | None, RecognitionState]) -> None:
        """See `save_more`."""
        distance, recognition = state
        focus = self._part("focus")
        if focus is not None:
            self.simulation.world.set(focus, "focalDistance", distance)
        self._settings = None
        self.load_recognition(recognition)


_FOCUS = ("focalLength", "focalDistance", "minFocalDistance", "maxFocalDistance")
_OPTICS = (
    *("fov", "near", "planar", "min_fov", "max_fov", "recognition", "segmentation", "exposure"),
    *("focal_length", "focal_distance", "min_focal_distance", "max_focal_distance"),
)
