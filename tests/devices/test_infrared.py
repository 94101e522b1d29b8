"""Infra-red DistanceSensors: what they see of visual shapes, colors, textures and rough surfaces."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.devices.rig import NEW, OLD, Rig, rig
from wbridge.wbcore.visual.texture import texture

METERS = "lookupTable [ 0 0 0 20 20 0 ]"
SENSOR = f'DEF DS DistanceSensor {{ name "ds" type "infra-red" {METERS} }}'
FRONT = "translation 1.5 0 0"
DOWN = "rotation 0 1 0 1.5707963267948966"


def shape(
    geometry: str = "Box { size 1 1 1 }", appearance: str = "", pose: str = FRONT, name: str = "O"
) -> str:
    look = f"appearance DEF LOOK_{name} {appearance}" if appearance else ""
    return (
        f'DEF {name} Solid {{ {pose} name "{name}" children [ Shape {{ {look} '
        f"geometry DEF GEO_{name} {geometry} }} ] }}"
    )


def look(around: str, **options: object) -> float:
    return rig(SENSOR, around, **options).value("ds")


def factor(red: float, roughness: float = 0, occlusion: float = 0) -> float:
    return 0.2 + 0.8 * red * (1 - 0.5 * roughness) * (1 - 0.5 * occlusion)


@pytest.mark.parametrize(
    ("geometry", "distance"),
    [
        ("Box { size 1 1 1 }", 1),
        ("Sphere { radius 0.5 }", 1),
        ("Cylinder { radius 0.5 height 1 }", 1),
        ("Capsule { radius 0.5 height 1 }", 1),
        ("Cylinder { radius 0.5 height 1 top FALSE }", 1),
        ("Capsule { radius 0.5 height 1 bottom FALSE }", 1),
        ("Cone { bottomRadius 1 height 2 }", 1),
        ("Cylinder { radius 0.5 height 1 side FALSE }", 20),
    ],
)
@pytest.mark.parametrize("header", [NEW, OLD])
def test_distances_to_shapes_that_stand(geometry: str, distance: float, header: str):
    assert look(shape(geometry), header=header) == pytest.approx(distance, rel=1e-3)


FACES = "IndexedFaceSet { coordIndex [ 0 1 2 3 -1 ] coord Coordinate { point [ @ ] } }"
FLAT_NEW = [
    "Plane { size 2 2 }",
    "ElevationGrid { xDimension 3 yDimension 3 height [ 0 0 0 0 0 0 0 0 0 ] }",
    FACES.replace("@", "-1 -1 0 1 -1 0 1 1 0 -1 1 0"),
]
FLAT_OLD = [
    "Plane { size 2 2 }",
    "ElevationGrid { xDimension 3 zDimension 3 height [ 0 0 0 0 0 0 0 0 0 ] }",
    FACES.replace("@", "-1 0 1 1 0 1 1 0 -1 -1 0 -1"),
]


def flat(geometry: str, turn: str, header: str) -> str:
    """A flat shape whose middle is 1.5 m in front of the sensor; the origin of a grid is its corner."""
    kind = "Pose" if header == NEW else "Transform"
    corner = ("-1 -1 0" if header == NEW else "-1 0 -1") if "Grid" in geometry else "0 0 0"
    inner = f"{kind} {{ translation {corner} children [ Shape {{ geometry {geometry} }} ] }}"
    return f"{kind} {{ {FRONT} rotation {turn} children [ {inner} ] }}"


@pytest.mark.parametrize("geometry", FLAT_NEW)
def test_flat_shapes_are_seen_from_their_front_only(geometry: str):
    assert look(flat(geometry, "0 1 0 -1.5707963267948966", NEW)) == pytest.approx(1.5)
    assert look(flat(geometry, "0 1 0 1.5707963267948966", NEW)) == 20


@pytest.mark.parametrize("geometry", FLAT_OLD)
def test_flat_shapes_of_old_worlds_look_along_y(geometry: str):
    assert look(flat(geometry, "0 0 1 1.5707963267948966", OLD), header=OLD) == pytest.approx(1.5)
    assert look(flat(geometry, "0 0 1 -1.5707963267948966", OLD), header=OLD) == 20


def test_bounding_objects_are_not_seen_and_the_own_robot_is():
    invisible = 'Solid { translation 1 0 0 boundingObject Box { size 1 1 1 } name "i" }'
    assert look(invisible) == 20
    own = "Pose { translation 0.5 0 0 children [ Shape { geometry Box { size 0.2 1 1 } } ] }"
    assert rig(SENSOR + own).value("ds") == pytest.approx(0.4)


def test_what_the_sensor_stands_in_is_not_seen():
    around_it = "Shape { geometry Sphere { radius 0.3 } } Shape { geometry Box { size 0.5 0.5 0.5 } }"
    assert rig(SENSOR + around_it, shape()).value("ds") == pytest.approx(1)


@pytest.mark.parametrize("red", [0.0, 0.25, 1.0])
def test_red_surfaces_are_nearer(red: float):
    material = f"Appearance {{ material Material {{ diffuseColor {red} 1 0 }} }}"
    assert look(shape(appearance=material)) == pytest.approx(1 / factor(red))
    physical = f"PBRAppearance {{ baseColor {red} 0 1 }}"
    assert look(shape(appearance=physical)) == pytest.approx(1 / factor(red))


def test_transparency_and_roughness_take_from_the_color():
    clear = "PBRAppearance { baseColor 0.8 0 0 transparency 0.5 }"
    assert look(shape(appearance=clear)) == pytest.approx(1 / factor(0.4))
    clear = "Appearance { material Material { diffuseColor 0.8 0 0 transparency 0.5 } }"
    assert look(shape(appearance=clear)) == pytest.approx(1 / factor(0.4))
    rough = "PBRAppearance { baseColor 0.8 0 0 roughness 0.6 }"
    assert look(shape(appearance=rough)) == pytest.approx(1 / factor(0.8, 0.6))


def test_without_an_appearance_a_shape_is_white():
    assert look(shape()) == pytest.approx(1)
    assert look(shape(appearance="Appearance { }")) == pytest.approx(1)


def test_the_sensitivity_blends_distance_and_color():
    sensor = SENSOR.replace('type "infra-red"', 'type "infra-red" redColorSensitivity 0.25')
    r = rig(sensor, shape(appearance="PBRAppearance { baseColor 0 0 0 }"))
    assert r.value("ds") == pytest.approx(1 + 0.25 * (5 - 1))


def test_a_fan_divides_the_mean_distance_by_the_mean_factor():
    sensor = SENSOR.replace('type "infra-red"', 'type "infra-red" numberOfRays 2 aperture 1.5707963267948966')
    half_red = "PBRAppearance { baseColor 0.5 0 0 }"
    left = shape("Sphere { radius 0.5 }", half_red, "translation 1 1 0")
    distance = (math.sqrt(2) - 0.5 + 20) / 2
    assert rig(sensor, left).value("ds") == pytest.approx(distance / ((factor(0.5) + 1) / 2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A world's folder with a picture of four columns, red 0, 1/3, 2/3 and 1, the lower row white."""
    picture = Image.new("RGB", (4, 2), "white")
    for column in range(4):
        picture.putpixel((column, 0), (85 * column, 0, 0))
    (tmp_path / "textures").mkdir()
    picture.save(tmp_path / "textures" / "stripes.png")
    Image.new("RGB", (2, 2), (51, 0, 0)).save(tmp_path / "textures" / "dark.jpg", quality=100)
    return tmp_path


TEXTURE = 'ImageTexture { url [ "textures/stripes.png" ] }'


def transformed(texture: str, transform: str) -> str:
    return f"PBRAppearance {{ baseColorMap {texture} textureTransform TextureTransform {{ {transform} }} }}"


def column_under(x: float, y: float, folder: Path, appearance: str, **options: object) -> float:
    """The factor that a sensor reads which looks down on a plane of 4 by 2 m from (x, y)."""
    sensor = SENSOR.replace('name "ds"', f'name "ds" {DOWN}')
    plane = shape("Plane { size 4 2 }", appearance, "")
    r = rig(sensor, plane, f"translation {x} {y} 1", path=folder / "test.wbt", **options)
    return 1 / r.value("ds")


@pytest.mark.parametrize("column", range(4))
def test_a_line_on_the_floor_is_read_from_its_texture(folder: Path, column: int):
    appearance = f"PBRAppearance {{ baseColorMap {TEXTURE} }}"
    x = -1.5 + column
    assert column_under(x, 0.5, folder, appearance) == pytest.approx(factor(column / 3))
    assert column_under(x, -0.5, folder, appearance) == pytest.approx(1)


def test_the_texture_multiplies_the_base_color_but_hides_the_diffuse_color(folder: Path):
    physical = f"PBRAppearance {{ baseColor 0.5 0 0 baseColorMap {TEXTURE} }}"
    assert column_under(0.5, 0.5, folder, physical) == pytest.approx(factor(1 / 3))
    simple = f"Appearance {{ material Material {{ diffuseColor 0.5 0 0 }} texture {TEXTURE} }}"
    assert column_under(0.5, 0.5, folder, simple) == pytest.approx(factor(2 / 3))


def test_maps_of_roughness_and_occlusion_count_beside_a_texture(folder: Path):
    maps = (
        'roughnessMap ImageTexture { url "textures/dark.jpg" } '
        'occlusionMap ImageTexture { url "textures/dark.jpg" }'
    )
    appearance = f"PBRAppearance {{ baseColorMap {TEXTURE} {maps} }}"
    assert column_under(1.5, 0.5, folder, appearance) == pytest.approx(factor(1, 0.2, 0.2), rel=0.01)
    assert column_under(1.5, 0.5, folder, f"PBRAppearance {{ {maps} }}") == pytest.approx(1)


def test_a_texture_may_be_moved_and_scaled(folder: Path):
    moved = transformed(TEXTURE, "translation 0.25 0")
    assert column_under(-0.5, 0.5, folder, moved) == pytest.approx(factor(2 / 3))
    scaled = transformed(TEXTURE, "scale 2 1")
    assert column_under(0.25, 0.5, folder, scaled) == pytest.approx(factor(0))


class Fields(dict[str, object]):
    """A TextureTransform as far as its values go."""


@pytest.mark.parametrize(
    ("fields", "at", "expected"),
    [
        ({"translation": (0.25, 0.5)}, (0.1, 0.2), (0.35, 0.7)),
        ({"scale": (2.0, 3.0)}, (0.1, 0.2), (0.2, 0.6)),
        ({"scale": (2.0, 3.0), "center": (0.5, 0.5)}, (0.1, 0.2), (0.7, 1.6)),
        ({"rotation": math.pi / 2}, (0.1, 0.2), (-0.2, 0.1)),
        ({"rotation": math.pi / 2, "center": (0.5, 0.5)}, (0.1, 0.2), (-1.2, 0.1)),
        ({"rotation": math.pi / 2, "scale": (2.0, 1.0), "translation": (0.5, 0.0)}, (0.1, 0.2), (-0.4, 0.6)),
    ],
)
def test_coordinates_are_transformed_as_vrml_says(
    fields: dict[str, object], at: tuple[float, float], expected: tuple[float, float]
):
    """Tc' = -C S R C T Tc (ISO/IEC 14772-1, 6.49), with t from the bottom; pictures count v from the top."""
    defaults = {"translation": (0.0, 0.0), "scale": (1.0, 1.0), "center": (0.0, 0.0), "rotation": 0.0}
    repeats = Fields({"repeatS": True, "repeatT": True})
    made = texture(np.zeros((1, 1, 4), np.uint8), repeats, Fields({**defaults, **fields}))  # type: ignore[arg-type]
    u, v = made.transformed((at[0], 1 - at[1]))
    assert (u, 1 - v) == pytest.approx(expected)


@pytest.mark.parametrize(("repeat", "expected"), [("TRUE", 0), ("FALSE", 1)])
def test_a_texture_repeats_unless_it_must_not(folder: Path, repeat: str, expected: float):
    texture = TEXTURE.replace("url", f"repeatS {repeat} url")
    appearance = transformed(texture, "scale 2 1")

    assert column_under(0.25, 0.5, folder, appearance) == pytest.approx(factor(expected))


def test_places_of_corners_lead_to_the_texture(folder: Path):
    points = "-2 -1 0 2 -1 0 2 1 0 -2 1 0"
    faces = (
        f"IndexedFaceSet {{ coord Coordinate {{ point [ {points} ] }} coordIndex [ 0 1 2 3 -1 ] "
        "texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1, 0 1 ] } texCoordIndex [ 1 2 3 0 -1 ] }"
    )
    sensor = SENSOR.replace('name "ds"', f'name "ds" {DOWN}')
    around = shape(faces, f"PBRAppearance {{ baseColorMap {TEXTURE} }}", "")
    # The picture is turned by a quarter: its columns run along y.
    for x, y, red in ((1.5, 0.3, 1 / 3), (1.5, 0.9, 0), (-1.5, 0.3, 1)):
        r = rig(sensor, around, f"translation {x} {y} 1", path=folder / "test.wbt")
        assert 1 / r.value("ds") == pytest.approx(factor(red))


def test_a_texture_that_is_not_there_counts_as_none(folder: Path, caplog: pytest.LogCaptureFixture):
    appearance = 'PBRAppearance { baseColor 0.5 0 0 baseColorMap ImageTexture { url "textures/no.png" } }'
    assert column_under(0, 0, folder, appearance) == pytest.approx(factor(0.5))
    assert "'textures/no.png' not found" in caplog.text


def test_a_damaged_picture_is_told_and_left_out(folder: Path, caplog: pytest.LogCaptureFixture):
    (folder / "textures" / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    appearance = 'PBRAppearance { baseColor 0.5 0 0 baseColorMap ImageTexture { url "textures/bad.png" } }'
    assert column_under(0, 0, folder, appearance) == pytest.approx(factor(0.5))
    assert "bad.png" in caplog.text


def test_the_visible_world_follows_what_moves_and_what_is_changed():
    moving = "boundingObject Box { size 1 1 1 } physics Physics { } linearVelocity 1 0 0"
    r = rig(SENSOR, shape(appearance="PBRAppearance { }", pose=f"{FRONT} {moving}"), info="gravity 0")
    r.enable("ds")
    r.step(5)
    far = 1 + 5 * r.simulation.step_s
    assert r["ds"].get_value() == pytest.approx(far)
    r.set("LOOK_O", "baseColor", (0.0, 1.0, 1.0))
    r.step()
    far += r.simulation.step_s
    assert r["ds"].get_value() == pytest.approx(far * 5)
    r.set("GEO_O", "size", (0.5, 1.0, 1.0))
    r.step()
    far += r.simulation.step_s + 0.25
    assert r["ds"].get_value() == pytest.approx(far * 5)
    r.set("ROBOT", "translation", (0.5, 0.0, 0.0))
    r.step()
    far += r.simulation.step_s - 0.5
    assert r["ds"].get_value() == pytest.approx(far * 5)


def test_a_reset_brings_the_values_back():
    moving = "boundingObject Box { size 1 1 1 } physics Physics { } linearVelocity 1 0 0"
    r = rig(SENSOR, shape(pose=f"{FRONT} {moving}"), info="gravity 0")
    r.enable("ds")
    r.step(5)
    r.simulation.reset()
    r.lockstep.session(r.robot).exchange.restart_time()
    r.step()
    assert r["ds"].get_value() == pytest.approx(1 + r.simulation.step_s)


def test_looking_does_not_change_the_physics():
    moving = "boundingObject Box { size 1 1 1 } physics Physics { }"
    hashes = []
    for use in (False, True):
        r = rig(SENSOR, shape(pose=f"{FRONT} {moving}"))
        if use:
            r.enable("ds")
        r.step(10)
        hashes.append(r.simulation.hash())
    assert hashes[0] == hashes[1]


def test_worlds_are_set_free() -> None:
    import gc
    import weakref

    r: Rig | None = rig(SENSOR, shape())
    assert r is not None
    r.value("ds")
    simulation = weakref.ref(r.simulation)
    r = None
    gc.collect()
    assert simulation() is None
