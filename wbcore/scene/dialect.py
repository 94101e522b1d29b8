"""What a file means by its version: axes, the up direction, renamed nodes and fields.

Everything that changed its meaning between releases without changing its spelling is decided
here; types and defaults of single fields per release are data (`nodes.json`, read by `schema`).
Sources: the change of R2022a (z up, x forward) as noted in the specification's README, and the
manual of 8.3.1 for everything before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .version import Version

Axis = tuple[float, float, float]

FIRST_ENU = Version.parse("R2020b")
"""From it on WorldInfo has a coordinateSystem, "ENU" unless it says otherwise."""
FIRST_Z_UP = Version.parse("R2022a")
FIRST_EXTERNPROTO = Version.parse("R2022b")

X: Axis = (1.0, 0.0, 0.0)
Y: Axis = (0.0, 1.0, 0.0)
Z: Axis = (0.0, 0.0, 1.0)
MINUS_Z: Axis = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The conventions of one file version. Axes are unit vectors in the node's own frame."""

    version: Version
    coordinate_system: str
    """Default of WorldInfo.coordinateSystem: "NUE" (y up) or "ENU" (z up)."""
    solid_axis: Axis
    """Axis of Cylinder, Capsule and Cone; normal of Plane; height direction of ElevationGrid."""
    grid_axes: tuple[Axis, Axis]
    """Directions of an ElevationGrid's x and second dimension and of a Plane's size."""
    view_axis: Axis
    """Direction in which Camera, RangeFinder, Lidar, Radar and Viewpoint look."""
    view_up: Axis
    ray_axis: Axis
    """Direction of a DistanceSensor's and LightSensor's ray (the same in all releases)."""
    link_axis: Axis
    """Main direction of Emitter, Receiver, Connector and force TouchSensor."""
    pen_axis: Axis
    """Direction in which a Pen writes."""
    has_externproto: bool
    """True when models outside the project must be declared by EXTERNPROTO."""

    @property
    def z_up(self) -> bool:
        """True for files of R2022a and later."""
        return self.version >= FIRST_Z_UP


@cache
def dialect(version: Version) -> Dialect:
    """The conventions of files with this version in their header."""
    new = version >= FIRST_Z_UP
    return Dialect(
        version=version,
        coordinate_system="ENU" if version >= FIRST_ENU else "NUE",
        solid_axis=Z if new else Y,
        grid_axes=(X, Y) if new else (X, Z),
        view_axis=X if new else MINUS_Z,
        view_up=Z if new else Y,
        ray_axis=X,
        link_axis=X if new else Z,
        pen_axis=MINUS_Z if new else (0.0, -1.0, 0.0),
        has_externproto=version >= FIRST_EXTERNPROTO,
    )


FORMER_NAMES: dict[str, tuple[str, ...]] = {
    # present name of a field: the names it had in former releases, with the same meaning
    "customData": ("data",),
    "window": ("robotWindow",),
    "lens": ("lensDistortion",),
}
