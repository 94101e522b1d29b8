"""Distances of range finders and lidars against closed forms, to at most 0.1 mm.

Judges: analytic intersections of lines with planes, boxes, spheres, cylinders, capsules, cones and height
fields; the geometry of pictures of the manual (chapters RangeFinder, Lidar, Camera) and of Webots' sources
(merge_spherical.frag, WbLidar.cpp).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.devices.rig import OLD, OLDEST, Rig, robot

EXACT = 1e-4
Rays = NDArray[np.float64]
AXES = {"z": (0, 1, 2), "y": (0, 2, 1), "x": (1, 2, 0)}


# Distances to surfaces from the origin, along unit vectors (..., 3); infinite without a hit.


def first(*candidates: Rays) -> Rays:
    with np.errstate(invalid="ignore"):
        return np.min([np.where(one > 0, one, np.inf) for one in candidates], axis=0)


def to_box(d: Rays, center: Any, size: Any) -> Rays:
    center, half = np.array(center, float), np.array(size, float) / 2
    with np.errstate(divide="ignore"):
        a, b = (center - half) / d, (center + half) / d
    near, far = np.minimum(a, b).max(axis=-1), np.maximum(a, b).min(axis=-1)
    return np.where((near <= far) & (near > 0), near, np.inf)


def to_sphere(d: Rays, center: Any, radius: float) -> Rays:
    center = np.array(center, float)
    along = d @ center
    under = along**2 - center @ center + radius**2
    return np.where(under >= 0, along - np.sqrt(np.maximum(under, 0)), np.inf)


def to_side(d: Rays, center: Any, radius: float, half: float) -> Rays:
    """The side of an upright cylinder."""
    x, y, z = np.array(center, float)
    a, b, c = d[..., 0] ** 2 + d[..., 1] ** 2, d[..., 0] * x + d[..., 1] * y, x * x + y * y - radius**2
    under = b * b - a * c
    t = (b - np.sqrt(np.maximum(under, 0))) / a
    return np.where((under >= 0) & (np.abs(t * d[..., 2] - z) <= half), t, np.inf)


def to_disk(d: Rays, center: Any, radius: float) -> Rays:
    x, y, z = np.array(center, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = z / d[..., 2]
        inside = (t * d[..., 0] - x) ** 2 + (t * d[..., 1] - y) ** 2 <= radius**2
    return np.where(inside, t, np.inf)


def to_cylinder(d: Rays, center: Any, radius: float, height: float) -> Rays:
    x, y, z = center
    ends = [to_disk(d, (x, y, z + s * height / 2), radius) for s in (1, -1)]
    return first(to_side(d, center, radius, height / 2), *ends)


def to_capsule(d: Rays, center: Any, radius: float, height: float) -> Rays:
    x, y, z = center
    ends = [to_sphere(d, (x, y, z + s * height / 2), radius) for s in (1, -1)]
    return first(to_side(d, center, radius, height / 2), *ends)


def to_cone(d: Rays, center: Any, radius: float, height: float) -> Rays:
    """The side: (x, y) at the distance k (tip - z) from the axis."""
    x, y, z = center
    k, tip = radius / height, z + height / 2
    a = d[..., 0] ** 2 + d[..., 1] ** 2 - (k * d[..., 2]) ** 2
    b = d[..., 0] * x + d[..., 1] * y - k * k * tip * d[..., 2]
    under = b * b - a * (x * x + y * y - (k * tip) ** 2)
    with np.errstate(invalid="ignore"):
        t = (b - np.sqrt(under)) / a
        side = np.where(np.abs(t * d[..., 2] - z) <= height / 2, t, np.inf)
    return first(side, to_disk(d, (x, y, z - height / 2), radius))


def to_plane(d: Rays, point: Any, normal: Any, half: float) -> Rays:
    """A square around a point that is seen from one side; for normals along x or z."""
    point, normal = np.array(point, float), np.array(normal, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (point @ normal) / (d @ normal)
        beside = np.abs(t[..., None] * d - point).max(axis=-1) <= half
    return np.where(beside & (t > 0) & (d @ normal < 0), t, np.inf)


SHAPES: dict[str, tuple[str, Callable[[Rays], Rays]]] = {
    "box": ("Box { size 0.4 0.6 0.8 }", lambda d: to_box(d, (2, 0.2, 0.1), (0.4, 0.6, 0.8))),
    "sphere": ("Sphere { radius 0.5 }", lambda d: to_sphere(d, (2, 0.2, 0.1), 0.5)),
    "cylinder": (
        "Cylinder { radius 0.4 height 0.7 }",
        lambda d: to_cylinder(d, (2, 0.2, 0.1), 0.4, 0.7),
    ),
    "cylinder without ends": (
        "Cylinder { radius 0.4 height 0.7 top FALSE bottom FALSE }",
        lambda d: to_side(d, (2, 0.2, 0.1), 0.4, 0.35),
    ),
    "capsule": ("Capsule { radius 0.3 height 0.6 }", lambda d: to_capsule(d, (2, 0.2, 0.1), 0.3, 0.6)),
    "cone": ("Cone { bottomRadius 0.5 height 0.9 }", lambda d: to_cone(d, (2, 0.2, 0.1), 0.5, 0.9)),
    "face set": (
        "IndexedFaceSet { coord Coordinate { point [ 0 -1 -1 0 1 -1 0 1 1 0 -1 1 ] } "
        "coordIndex [ 0 3 2 1 -1 ] }",
        lambda d: to_plane(d, (2, 0.2, 0.1), (-1, 0, 0), 1),
    ),
    "elevation grid": (
        # A slope: its height is 0.5 x, from x = 2 on.
        "ElevationGrid { xDimension 3 yDimension 3 xSpacing 0.5 ySpacing 0.5 "
        "height [ 0 0.25 0.5 0 0.25 0.5 0 0.25 0.5 ] }",
        lambda d: to_slope(d, (2, 0.2, 0.1), 1.0),
    ),
}


def to_slope(d: Rays, start: Any, size: float) -> Rays:
    """z = z0 + (x - x0) / 2 over a square, seen from above."""
    x, y, z = start
    fall = d[..., 2] - 0.5 * d[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (z - 0.5 * x) / fall
        u, v = t * d[..., 0] - x, t * d[..., 1] - y
    return np.where((u >= 0) & (u <= size) & (v >= 0) & (v <= size) & (fall < 0) & (t > 0), t, np.inf)


# Directions of pictures.


def centers(count: int) -> Rays:
    return (np.arange(count) + 0.5) / count


def on_sphere(azimuth: Rays, elevation: Rays) -> Rays:
    azimuth, elevation = np.broadcast_arrays(azimuth, elevation)
    c = np.cos(elevation)
    return np.stack([c * np.cos(azimuth), c * np.sin(azimuth), np.sin(elevation)], axis=-1)


def planar(width: int, height: int, fov: float) -> Rays:
    """Square pixels: vertical view 2 atan(tan(fov / 2) h / w)."""
    left, up = np.meshgrid(1 - 2 * centers(width), (1 - 2 * centers(height)) * height / width)
    d = np.stack([np.ones_like(left), left * math.tan(fov / 2), up * math.tan(fov / 2)], axis=-1)
    return d / np.linalg.norm(d, axis=-1)[..., None]


def cylindrical(width: int, height: int, fov: float) -> Rays:
    azimuth, elevation = fov * (0.5 - centers(width)), fov * height / width * (0.5 - centers(height))
    return on_sphere(azimuth[None], elevation[:, None])


def fisheye(width: int, height: int, fov: float) -> Rays:
    """The angle to the axis is the distance from the center times the view."""
    x, y = np.meshgrid(centers(width) - 0.5, centers(height) - 0.5)
    r = np.hypot(x, y)
    return np.stack([np.cos(r * fov), -x / r * np.sin(r * fov), -y / r * np.sin(r * fov)], axis=-1)


def layers(width: int, count: int, fov: float, vertical: float) -> Rays:
    elevation = vertical * (0.5 - np.arange(count) / (count - 1)) if count > 1 else np.zeros(1)
    return on_sphere((fov * (0.5 - centers(width)))[None], elevation[:, None])


def solid(geometry: str, at: str = "2 0.2 0.1", more: str = "") -> str:
    return f"Solid {{ translation {at} children [ Shape {{ geometry {geometry} {more} }} ] }}"


def compare(rig: Rig, expected: Rays, tolerance: float = EXACT) -> Rays:
    """Compare the picture of device c; edges may belong to either side."""
    rig.enable("c")
    rig.step()
    image = np.array(rig["c"].get_range_image()).reshape(expected.shape)
    hits = np.isfinite(expected) & np.isfinite(image)
    assert hits.sum() > 20
    assert np.abs(image[hits] - expected[hits]).max() <= tolerance
    assert (np.isfinite(expected) != np.isfinite(image)).sum() <= 0.002 * image.size
    return image


FINDER = 'RangeFinder { name "c" width 40 height 30 fieldOfView 1 maxRange 10 %s }'


@pytest.mark.parametrize("shape", SHAPES)
def test_planar_pictures_have_distances_along_the_axis(drive: Callable[..., Rig], shape: str):
    geometry, distance = SHAPES[shape]
    d = planar(40, 30, 1)
    compare(drive(robot(FINDER % "") + solid(geometry)), distance(d) * d[..., 0])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("projection", ["cylindrical", "spherical"])
def test_other_pictures_have_distances_along_the_rays(drive: Callable[..., Rig], shape: str, projection: str):
    geometry, distance = SHAPES[shape]
    d = (cylindrical if projection == "cylindrical" else fisheye)(40, 30, 1)
    rig = drive(robot(FINDER % f'projection "{projection}"') + solid(geometry))
    compare(rig, distance(d))


LIDAR = (
    'DEF C Lidar { name "c" horizontalResolution 60 fieldOfView 1 numberOfLayers 5 '
    "verticalFieldOfView 0.4 maxRange 10 %s }"
)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_lidar_has_layers_at_equal_angles(drive: Callable[..., Rig], shape: str):
    geometry, distance = SHAPES[shape]
    d = layers(60, 5, 1, 0.4)
    compare(drive(robot(LIDAR % "") + solid(geometry)), distance(d))


def test_a_single_layer_is_level(drive: Callable[..., Rig]):
    d = layers(60, 1, 1, 0.4)
    rig = drive(robot(LIDAR.replace("Layers 5", "Layers 1") % "") + solid("Sphere { radius 0.5 }"))
    compare(rig, to_sphere(d, (2, 0.2, 0.1), 0.5))


def test_a_tilted_lidar_looks_up(drive: Callable[..., Rig]):
    """Manual: tiltAngle is a rotation around the y axis."""
    d = layers(60, 5, 1, 0.4)
    c, s = math.cos(0.3), math.sin(0.3)
    x, y, z = np.moveaxis(d, -1, 0)
    d = np.stack([c * x - s * z, y, s * x + c * z], axis=-1)
    rig = drive(robot(LIDAR % "tiltAngle 0.3") + solid("Sphere { radius 0.5 }", at="2 0 0.6"))
    compare(rig, to_sphere(d, (2, 0, 0.6), 0.5))


def test_a_planar_lidar_measures_along_its_axis(drive: Callable[..., Rig]):
    """A wall across is everywhere equally far."""
    rig = drive(robot(LIDAR % 'projection "planar"') + solid("Box { size 1 9 9 }", at="3 0 0"))
    compare(rig, np.full((5, 60), 2.5), 1e-6)


@pytest.mark.parametrize(("header", "axes"), [(OLD, True), (OLDEST, False)])
def test_before_r2022a_devices_look_along_minus_z(drive: Callable[..., Rig], header: str, axes: bool):
    """x to the right, y up. Manual of 8.3.1: the first and last columns are at the edges of the view."""
    finder = FINDER % "spherical TRUE"
    if not axes:
        finder = finder.replace("RangeFinder {", 'Camera { type "range-finder"')
    scene = solid("Sphere { radius 0.5 }", at="-0.2 0.1 -2")
    rig = drive(f"Robot {{ children [ {finder} ] }}" + scene, header=header)
    d = cylindrical(40, 30, 1)
    if not axes:
        d = on_sphere(np.linspace(0.5, -0.5, 40)[None], np.linspace(0.375, -0.375, 30)[:, None])
    compare(rig, to_sphere(d, (2, 0.2, 0.1), 0.5))


def test_planar_pictures_before_r2022a(drive: Callable[..., Rig]):
    scene = solid("Sphere { radius 0.5 }", at="-0.2 0.1 -2")
    rig = drive(f"Robot {{ children [ {FINDER % ''} ] }}" + scene, header=OLD)
    d = planar(40, 30, 1)
    compare(rig, to_sphere(d, (2, 0.2, 0.1), 0.5) * d[..., 0])


def test_the_bits_of_a_large_planar_picture_do_not_depend_on_the_processors(drive: Callable[..., Rig]):
    """With as many rays as several threads measure; on one processor a single one does."""
    device = FINDER.replace("width 40 height 30", "width 256 height 192")
    d, usable, found = planar(256, 192, 1), os.sched_getaffinity(0), []
    for processors in (usable, {min(usable)}):
        os.sched_setaffinity(0, processors)
        try:
            rig = drive(robot(device % "") + solid("Sphere { radius 0.5 }"))
            found.append(compare(rig, to_sphere(d, (2, 0.2, 0.1), 0.5) * d[..., 0]))
        finally:
            os.sched_setaffinity(0, usable)
    assert np.array_equal(*found)


def test_the_picture_moves_with_its_robot(drive: Callable[..., Rig]):
    rig = drive(robot(FINDER % "") + solid("Box { size 1 9 9 }", at="3 0 0"))
    compare(rig, np.full((30, 40), 2.5), 1e-6)
    rig.set("ROBOT", "translation", (1.0, 0.0, 0.0))
    rig.step()
    compare(rig, np.full((30, 40), 1.5), 1e-6)


# Limits.


def wall(x: float, look: str = "") -> str:
    shape = f"Shape {{ {look} geometry Box {{ size 1 99 99 }} }}"
    return f"DEF W Solid {{ translation {x} 0 0 children [ {shape} ] }}"


@pytest.mark.parametrize("device", [FINDER, LIDAR % 'projection "planar" %s'])
@pytest.mark.parametrize(
    ("x", "fields", "expected"),
    [
        (3, "minRange 2.6", math.inf),
        (3, "minRange 2.4", 2.5),
        (10.4, "", 9.9),
        (10.6, "", math.inf),
        (3, "resolution 0.4", 2.4),  # 6.25 units round to 6
        (3, "resolution 2", 2),
    ],
)
def test_limits_and_resolution(
    drive: Callable[..., Rig], device: str, x: float, fields: str, expected: float
):
    rig = drive(robot(device % fields) + wall(x))
    rig.enable("c")
    rig.step()
    assert np.array(rig["c"].get_range_image()) == pytest.approx(expected, abs=1e-6)


def test_nothing_is_seen_before_near_but_what_is_too_near_hides_what_is_behind(drive: Callable[..., Rig]):
    """Manual: objects closer than minRange are not detected but still occlude."""
    near = solid("Box { size 0.1 9 9 }", at="0.3 0 0")
    for fields, expected in (("near 0.5 minRange 0.5", 2.5), ("near 0.1 minRange 0.5", math.inf)):
        rig = drive(robot(FINDER % fields) + wall(3) + near)
        rig.enable("c")
        rig.step()
        assert np.array(rig["c"].get_range_image()) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("device", [FINDER, LIDAR])
def test_noise_is_normally_distributed_and_repeatable(drive: Callable[..., Rig], device: str):
    """Manual: a noise of 1.0 has a standard deviation of maxRange."""

    def flat() -> Rays:
        text = robot(device % 'noise 0.01 projection "planar"') + wall(3)
        rig = drive(text)
        rig.enable("c")
        rig.step()
        return np.array(rig["c"].get_range_image())

    once, again = flat(), flat()
    assert np.array_equal(once, again)
    assert once.mean() == pytest.approx(2.5, abs=0.03)
    assert once.std() == pytest.approx(0.1, rel=0.15)


def test_transparent_surfaces(drive: Callable[..., Rig]):
    """Manual of RangeFinder: detected as if they were not transparent; manual of 8.3.1: cannot be seen."""
    glass = "appearance Appearance { material Material { transparency 0.5 } }"
    rig = drive(robot(FINDER % "") + wall(3, glass))
    rig.enable("c")
    rig.step()
    assert rig["c"].get_range_image()[0] == pytest.approx(2.5)
    camera = 'Camera { name "c" type "range-finder" width 40 height 30 maxRange 10 }'
    text = f"Robot {{ children [ {camera} ] }} Solid {{ translation 0 0 -3 children "
    text += f"[ Shape {{ {glass} geometry Box {{ size 9 9 1 }} }} ] }}"
    for look, expected in ((glass, math.inf), ("", 2.5)):
        rig = drive(text.replace(glass, look), header=OLDEST)
        rig.enable("c")
        rig.step()
        assert rig["c"].get_range_image()[0] == pytest.approx(expected)


def test_backs_are_invisible_and_the_own_robot_is_not(drive: Callable[..., Rig]):
    inside = solid("Box { size 1 1 1 }")
    own = "Pose { translation 1 0 0 children [ Shape { geometry Box { size 0.2 9 9 } } ] } "
    rig = drive(robot(own + FINDER % "") + inside + wall(3))
    compare(rig, np.full((30, 40), 0.9), 1e-6)


def test_what_a_supervisor_hides_is_not_measured(drive: Callable[..., Rig]):
    rig = drive(robot("DEF C " + FINDER % "", "supervisor TRUE") + wall(3) + wall(6).replace("W ", "V ", 1))
    compare(rig, np.full((30, 40), 2.5), 1e-6)
    rig.simulation.hidden.hide(rig.node("C"), rig.node("W"))
    rig.step()
    compare(rig, np.full((30, 40), 5.5), 1e-6)
    rig.simulation.hidden.clear()
    rig.step()
    compare(rig, np.full((30, 40), 2.5), 1e-6)


def test_the_view_changes_during_a_run(drive: Callable[..., Rig]):
    rig = drive(robot("DEF C " + FINDER % 'projection "cylindrical"') + solid("Sphere { radius 0.5 }"))
    compare(rig, to_sphere(cylindrical(40, 30, 1), (2, 0.2, 0.1), 0.5))
    rig.set("C", "fieldOfView", 0.6)
    rig.step()
    compare(rig, to_sphere(cylindrical(40, 30, 0.6), (2, 0.2, 0.1), 0.5))
    rig.set("C", "width", 50)
    rig.step()
    compare(rig, to_sphere(cylindrical(50, 30, 0.6), (2, 0.2, 0.1), 0.5))


def test_a_lens_distorts_the_picture(drive: Callable[..., Rig]):
    """Judge: lens_distortion.frag, here for one radial coefficient."""
    lens = "lens Lens { center 0.5 0.5 radialCoefficients 0.2 0 tangentialCoefficients 0 0 }"
    x, y = np.meshgrid(centers(40) - 0.5, centers(30) - 0.5)
    r = x * x + y * y
    shrink = 1 - 0.2 * r / (4 * 0.2 * r + 1)
    half = math.tan(0.5)
    d = np.stack([np.ones_like(x), -2 * half * x * shrink, -1.5 * half * y * shrink], axis=-1)
    d /= np.linalg.norm(d, axis=-1)[..., None]
    rig = drive(robot(FINDER % lens) + solid("Sphere { radius 0.5 }"))
    compare(rig, to_sphere(d, (2, 0.2, 0.1), 0.5) * d[..., 0])


def test_motion_blur_mixes_pictures(drive: Callable[..., Rig]):
    """Judge: WbAbstractCamera.cpp: the previous picture has a share of 0.005^(period / motionBlur)."""
    rig = drive(robot(FINDER % "motionBlur 32") + wall(3))
    compare(rig, np.full((30, 40), 2.5), 1e-6)
    rig.set("W", "translation", (2.0, 0.0, 0.0))
    rig.step()
    assert rig["c"].get_range_image()[0] == pytest.approx(1.5 + 0.005 ** (rig.period / 32), abs=1e-6)
