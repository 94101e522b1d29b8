"""Textures, transforms of texture coordinates, sky boxes, and changes of looks during a run."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from PIL import Image

from tests.render.formulas import around, linear, shown

QUARTERS = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]], dtype=np.uint8)
"""Upper left red, upper right green, lower left blue, lower right white."""
RED, GREEN, BLUE, WHITE = ("red", "green", "blue", "white")


def save(folder, name: str, pixels: np.ndarray) -> None:
    Image.fromarray(pixels).save(folder / name)


def named(color: np.ndarray) -> str:
    high = tuple(bool(c > 60) for c in color)
    return {(1, 0, 0): RED, (0, 1, 0): GREEN, (0, 0, 1): BLUE, (1, 1, 1): WHITE}.get(
        high, str(color.tolist())
    )


def quarters(picture: np.ndarray) -> list[str]:
    """Colors at upper left, upper right, lower left, lower right of the middle."""
    return [named(picture[row, column]) for row in (12, 20) for column in (12, 20)]


TEXTURED = (
    "appearance Appearance {{ material Material {{ diffuseColor 1 1 1 emissiveColor "
    "1 1 1 }} texture ImageTexture "
    '{{ url [ "a.png" ] filtering 0 {texture} }} {more} }}'
)


def wall(geometry: str, texture: str = "", more: str = "", turn: str = "0 0 1 0") -> str:
    look = TEXTURED.format(texture=texture, more=more)
    return (
        f"Solid {{ translation 4 0 0 rotation {turn} children [ Shape {{ {look} geometry {geometry} }} ] }}"
    )


@pytest.fixture
def image(studio):
    save(studio.folder, "a.png", QUARTERS)
    return studio


def test_a_box_shows_the_picture_upright(image):
    assert quarters(image.picture(wall("Box { size 2 2 2 }"))) == [RED, GREEN, BLUE, WHITE]


def test_a_box_before_r2022a_shows_the_picture_upright(image):
    shape = f"Shape {{ {TEXTURED.format(texture='', more='')} geometry Box {{ size 2 2 2 }} }}".replace(
        "filtering 0", "filtering FALSE"
    )
    picture = image.picture(f"Transform {{ translation 0 0 -4 children [ {shape} ] }}", release="V8.3.1")
    assert quarters(picture) == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize("turn", [1.5708, -1.5708])
def test_top_and_bottom_of_a_box_before_r2022a(image, turn):
    """Judge: manual of 8.3.1, Box: the top is upright seen from above with -z upward, the bottom seen from
    below with +z upward. Rays see the same."""
    shape = f"Shape {{ {TEXTURED.format(texture='', more='')} geometry Box {{ size 2 2 2 }} }}".replace(
        "filtering 0", "filtering FALSE"
    )
    turned = f"Transform {{ translation 0 0 -4 rotation 1 0 0 {turn} children [ {shape} ] }}"
    assert quarters(image.picture(turned, release="V8.3.1")) == [RED, GREEN, BLUE, WHITE]
    scene = image.simulation.visual
    scene.refresh()
    ways = [(x, y, -6.0) for y in (0.5, -0.5) for x in (-0.5, 0.5)]
    found = []
    for way in ways:
        ray = scene.rays(None, _origin(), [tuple(np.array(way) / np.linalg.norm(way))], 10.0)
        ray.cast()
        found.append(named(np.array(ray.look(0)[0]) * 255))
    assert found == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(
    ("geometry", "turn"),
    [
        # The plane's upper edge is toward its y axis.
        ("Plane { size 2 2 }", "-0.57735 0.57735 0.57735 -2.0944"),
        ("Sphere { radius 1 }", "0 0 1 1.5708"),
        ("Cylinder { radius 1 height 2 }", "0 0 1 1.5708"),
    ],
)
def test_other_shapes_show_the_picture_as_rays_see_it(image, geometry, turn):
    """Rays and pictures agree on the color at 25 places (the mapping of rays is tested on its own)."""
    image.load(wall(geometry, turn=turn), "fieldOfView 0.8")
    picture = image.take()
    scene = image.simulation.visual
    scene.refresh()
    checked = 0
    for row in range(4, 30, 5):
        for column in range(4, 30, 5):
            way = np.array([1.0, (16 - column) / 16.5 * np.tan(0.4), (16 - row) / 16.5 * np.tan(0.4)])
            ray = scene.rays(None, _origin(), [tuple(way / np.linalg.norm(way))], 10.0)
            ray.cast()
            found = ray.look(0)
            if found is not None and named(np.array(found[0]) * 255) == named(picture[row, column]):
                checked += 1
            else:
                assert found is None and not picture[row, column].any()
    assert checked >= 9


def _origin():
    from wbridge.wbcore.physics.pose import Pose

    return Pose((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def test_texture_transforms_move_and_turn_the_picture(image):
    turned = "textureTransform TextureTransform { rotation 3.14159265 center -0.5 -0.5 }"
    assert quarters(image.picture(wall("Box { size 2 2 2 }", more=turned))) == [WHITE, BLUE, GREEN, RED]
    moved = "textureTransform TextureTransform { translation 0.5 0 }"
    assert quarters(image.picture(wall("Box { size 2 2 2 }", more=moved))) == [GREEN, RED, WHITE, BLUE]


def test_textures_that_do_not_repeat_continue_with_their_edge(image):
    scaled = "textureTransform TextureTransform { scale 4 4 center 0 0 }"
    repeated = image.picture(wall("Box { size 2 2 2 }", more=scaled))
    assert len({named(one) for one in repeated[16, 9:24]}) >= 2
    clamped = image.picture(wall("Box { size 2 2 2 }", "repeatS FALSE repeatT FALSE", scaled))
    assert len({named(one) for one in clamped[10, 12:24]}) == 1


@pytest.mark.parametrize("value", [60, 128, 200])
def test_colors_of_textures_are_srgb(studio, value):
    save(studio.folder, "a.png", np.full((4, 4, 3), value, dtype=np.uint8))
    picture = studio.picture(wall("Box { size 2 2 2 }"))
    assert picture[16, 16, 0] == pytest.approx(shown(linear(value / 255)), abs=1)


def test_the_alpha_of_a_texture_is_transparent(studio):
    save(studio.folder, "a.png", np.array([[(255, 255, 255, 0), (255, 255, 255, 255)]], dtype=np.uint8))
    picture = studio.picture(wall("Box { size 2 2 0.01 }") + "Background { skyColor [ 1 0 0 ] }")
    assert picture[16, 12].tolist() == [255, 0, 0]
    assert picture[16, 20].tolist() == pytest.approx([207, 207, 207], abs=1)


def test_maps_replace_the_values_of_physically_based_surfaces(studio):
    """The red channel of a metalness map: metal without light from around is black."""
    save(studio.folder, "m.png", np.array([[(255, 0, 0), (0, 0, 0)]], dtype=np.uint8))
    look = (
        'appearance PBRAppearance { baseColor 1 1 1 roughness 1 metalnessMap ImageTexture { url [ "m.png" ] '
        "filtering 0 } IBLStrength 0 }"
    )
    shape = f"Solid {{ translation 4 0 0 children [ Shape {{ {look} geometry Box {{ size 2 2 2 }} }} ] }}"
    picture = studio.picture(shape + "DirectionalLight { direction 0.7 0.7 0 intensity 2 }")
    assert picture[16, 12, 0] < 0.6 * picture[16, 20, 0]


def test_normal_maps_turn_normals(studio):
    """A normal that leans half a right angle to the right gets light from the right only."""
    lean = np.full((2, 2, 3), (128 + 90, 128, 128 + 90), dtype=np.uint8)
    save(studio.folder, "n.png", lean)
    look = (
        "appearance PBRAppearance { roughness 1 metalness 0 IBLStrength 0 normalMap "
        'ImageTexture { url [ "n.png" ] } }'
    )
    shape = f"Solid {{ translation 4 0 0 children [ Shape {{ {look} geometry Box {{ size 2 2 2 }} }} ] }}"
    right, left = (
        studio.picture(f"{shape} DirectionalLight {{ direction 0.5 {y} 0 }}")[16, 16, 0] for y in (1, -1)
    )
    assert right > 3 * max(left, 1)


def test_a_missing_texture_is_said_once_and_the_surface_is_white(studio, caplog):
    studio.load(wall("Box { size 2 2 2 }"))
    for _ in range(3):
        assert studio.take()[16, 16].tolist() == pytest.approx([207, 207, 207], abs=1)
    said = [one.getMessage() for one in caplog.records if "a.png" in one.getMessage()]
    assert len(said) == 1
    assert "not found" in said[0]


@pytest.mark.parametrize(
    ("turn", "face"),
    [
        ((0.0, 0.0, 1.0, 0.0), "back"),
        ((0.0, 0.0, 1.0, np.pi), "front"),
        ((0.0, 0.0, 1.0, np.pi / 2), "right"),
        ((0.0, 0.0, 1.0, -np.pi / 2), "left"),
        ((0.0, 1.0, 0.0, -np.pi / 2), "top"),
        ((0.0, 1.0, 0.0, np.pi / 2), "bottom"),
    ],
)
def test_sky_boxes_surround_the_world(studio, turn, face):
    """Manual, chapter Background: the front is in the direction of -z in worlds before R2022a, which is west;
    in newer worlds west is -x. Squared pixels are light."""
    faces = ("right", "left", "top", "bottom", "front", "back")
    for i, name in enumerate(faces):
        save(studio.folder, f"sky_{name}.png", np.full((8, 8, 3), 40 * (i + 1), dtype=np.uint8))
    urls = " ".join(f'{name}Url [ "sky_{name}.png" ]' for name in faces)
    studio.load(f"Background {{ {urls} }}")
    studio.simulation.set_field(studio.robot.node, "rotation", turn)
    wanted = shown((40 * (faces.index(face) + 1) / 255) ** 2)
    assert studio.take()[16, 16, 0] == pytest.approx(wanted, abs=1)


def test_an_incomplete_sky_box_is_said_and_left_out(studio, caplog):
    studio.picture('Background { skyColor [ 1 1 1 ] rightUrl [ "a.png" ] }')
    assert "rightUrl" in caplog.text or "leftUrl" in caplog.text


def irradiance(folder, light: float, count: int = 6) -> str:
    """Fields with Radiance files of one light, which must be a power of two."""
    exponent = bytes((128, 128, 128, 129 + round(log2(light))))
    (folder / "sky.hdr").write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n" + 4 * exponent)
    faces = ("right", "left", "top", "bottom", "front", "back")
    return " ".join(f'{name}IrradianceUrl [ "sky.hdr" ]' for name in faces[:count])


@pytest.mark.parametrize(("roughness", "metalness", "light"), [(1, 0, 0.5), (0.5, 1, 0.25), (0.3, 0.5, 2)])
def test_radiance_files_light_surfaces_and_are_not_seen(studio, roughness, metalness, light):
    """Light of 1 from all sides is reflected as by the split-sum integral; the sky keeps its color."""
    look = f"PBRAppearance {{ baseColor 1 1 1 roughness {roughness} metalness {metalness} }}"
    wall = f"Shape {{ appearance {look} geometry Box {{ size 0.002 1 1 }} }}"
    fields = irradiance(studio.folder, light)
    picture = studio.picture(
        f"Background {{ skyColor [ 0 0.4 0 ] {fields} }} Pose {{ translation 2 0 0 children [ {wall} ] }}"
    )
    wanted = shown(around(1, roughness, metalness, 0.999, light))
    assert picture[16, 16].tolist() == pytest.approx([wanted] * 3, abs=2)
    assert picture[0, 0].tolist() == pytest.approx([0, 102, 0], abs=1)


def test_incomplete_radiance_files_are_said_and_the_sky_lights(studio, caplog):
    look = "PBRAppearance { baseColor 1 1 1 roughness 1 metalness 0 }"
    wall = f"Shape {{ appearance {look} geometry Box {{ size 0.002 1 1 }} }}"
    world = "Background { skyColor [ 0.5 0.5 0.5 ] %s } Pose { translation 2 0 0 children [ " + wall + " ] }"
    broken = studio.picture(world % irradiance(studio.folder, 1.0, 5))
    assert "backIrradianceUrl is empty" in caplog.text
    assert (broken == studio.picture(world % "")).all()


def test_looks_follow_the_tree(studio):
    studio.load(
        "Solid { translation 4 0 0 children [ Shape { appearance Appearance { material DEF M Material { "
        "diffuseColor 0 0 0 emissiveColor 1 0 0 } } geometry Box { size 2 2 2 } } ] }"
    )
    assert studio.take()[16, 16].tolist() == pytest.approx([207, 0, 0], abs=1)
    studio.set("M", "emissiveColor", (0.0, 1.0, 0.0))
    assert studio.take()[16, 16].tolist() == pytest.approx([0, 207, 0], abs=1)
    studio.set("M", "transparency", 1.0)
    assert not studio.take().any()
    studio.set("M", "transparency", 0.0)
    assert studio.take()[16, 16, 1] == pytest.approx(207, abs=1)


def test_textures_of_tracks_move_with_the_belt(image):
    """Judge: WbTrack.cpp: the translation of the TextureTransform grows by the travel times
    textureAnimation."""
    look = TEXTURED.format(texture="", more="textureTransform TextureTransform { translation 0 0 }")
    track = (
        'DEF TRACK Track { name "belt" translation 4 0 0 textureAnimation 2 0 '
        'device LinearMotor { name "m" } '
        f"children [ Group {{ children [ Shape {{ {look} geometry Box {{ size 2 2 2 }} }} ] }} ] "
        "boundingObject Box { size 2 2 2 } physics Physics { } }"
    )
    image.load(f'Solid {{ name "carrier" children [ {track} ] }}')
    assert quarters(image.take()) == [RED, GREEN, BLUE, WHITE]
    track_node = image.simulation.world.find("TRACK")
    image.simulation.physics.handles.tracks[track_node].position = 0.25
    assert quarters(image.take()) == [GREEN, RED, WHITE, BLUE]


def test_pieces_on_a_track_move_with_the_belt(studio):
    """Judge: manual, chapter Track. A belt around one wheel faces the camera's side; a quarter turn carries
    the piece from the top to the front."""
    studio.load(
        'Robot { name "carrier" children [ DEF TRACK Track { name "belt" '
        "translation 4 0 0 rotation 0 0 1 1.5708 "
        'device LinearMotor { name "m" } boundingObject Box { size 1 1 1 } physics Physics { } '
        "children [ TrackWheel { radius 1 } ] geometriesCount 1 animatedGeometry Shape { appearance "
        "Appearance { material Material { emissiveColor 1 1 1 } } geometry Box { size 0.4 0.4 0.4 } } } ] }"
    )
    track = studio.simulation.physics.handles.tracks[studio.simulation.world.find("TRACK")]

    def bright() -> tuple[float, float]:
        rows, columns = np.nonzero(studio.take()[:, :, 0] > 60)
        return float(rows.mean()) - 16, float(columns.mean()) - 16

    row, column = bright()
    assert row < -3
    assert column == pytest.approx(0, abs=1)
    track.position = np.pi / 2
    row, column = bright()
    assert row == pytest.approx(0, abs=1)
    assert column < -3, "the belt's x axis points to the left, along the world's y axis"
