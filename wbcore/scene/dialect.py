"""Conventions that depend on a file's version: axes, the up direction, renamed nodes and fields.

This module decides everything whose meaning changed between releases while its spelling did not. Types and
defaults of fields per release are data (`nodes.json`, read by `schema`). Sources: the change of R2022a (z up,
x forward), described in the specification's README, and the manual of 8.3.1 for all earlier versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from wbridge.wbcore.scene.version import Version

Axis = tuple[float, float, float]

FIRST_ENU = Version.parse("R2020b")
"""The first release with WorldInfo.coordinateSystem, whose default is "ENU"."""
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
    """The default of WorldInfo.coordinateSystem: "NUE" (y up) or "ENU" (z up)."""
    solid_axis: Axis
    """Axis of Cylinder, Capsule and Cone; normal of Plane; height axis of ElevationGrid."""
    grid_axes: tuple[Axis, Axis]
    """The two horizontal axes of an ElevationGrid and of a Plane's size."""
    view_axis: Axis
    """Viewing direction of Camera, RangeFinder, Lidar, Radar and Viewpoint."""
    view_up: Axis
    ray_axis: Axis
    """Ray direction of DistanceSensor and LightSensor (the same in all releases)."""
    link_axis: Axis
    """Main direction of Emitter, Receiver, Connector and force TouchSensor."""
    pen_axis: Axis
    """Writing direction of a Pen."""
    has_externproto: bool
    """True if models outside the project must be declared with EXTERNPROTO."""

    @property
    def z_up(self) -> bool:
        """True for files of R2022a and later."""
        return self.version >= FIRST_Z_UP


@cache
def dialect(version: Version) -> Dialect:
    """Return the conventions of files with this version in the header."""
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
    # Current name of a field: its names in earlier releases, with the same meaning.
    "customData": ("data",),
    "window": ("robotWindow",),
    "lens": ("lensDistortion",),
}
