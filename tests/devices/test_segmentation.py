"""Segmentation images and hidden nodes, against closed forms.

Judges: manual, chapters Camera and Recognition (colors of objects, black elsewhere); WbSolid
(updateSegmentationColor) for solids within others; manual, wb_supervisor_node_set_visibility.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, tan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.devices.rig import Rig, robot, world
from wbridge.hal import api as wb
from wbridge.hal.controller.camera import Camera
from wbridge.wbcore.visual.hidden import MOST_VIEWERS, HiddenNodes

W, H, FOV = 80, 40, 1.0
REACH = 2 * tan(FOV / 2)
PAINT = "appearance PBRAppearance { baseColor 1 0 0 roughness 1 metalness 0 }"


def camera(fields: str = "", segmentation: str = "TRUE") -> str:
    return (
        f'DEF C Camera {{ name "c" width {W} height {H} fieldOfView {FOV} {fields} '
        f"recognition Recognition {{ segmentation {segmentation} }} }}"
    )


def box(
    place: str, size: str = "0.5 0.5 0.5", color: str = "1 0 0.5", name: str = "a", more: str = ""
) -> str:
    return (
        f'DEF {name.upper()} Solid {{ name "{name}" translation {place} recognitionColors [ {color} ] '
        f"children [ Shape {{ {PAINT} geometry Box {{ size {size} }} }} {more} ] }}\n"
    )


def make(drive: Callable[..., Rig], around: str, device: str = "", **options: Any) -> Rig:
    lights = "Background { skyColor [ 0 0 1 ] } DirectionalLight { direction 1 0 0 }\n"
    rig = drive(world(robot(device or camera(), "supervisor TRUE"), lights + around), **options)
    rig["c"].recognition_enable(rig.period)
    rig["c"].recognition_enable_segmentation()
    rig.step()
    return rig


def picture(rig: Rig) -> NDArray[np.uint8]:
    data = rig["c"].recognition_get_segmentation_image()
    return np.frombuffer(data, dtype=np.uint8).reshape(H, W, 4)


def inside(ahead: float, half: float, center: float = 0.0) -> NDArray[np.bool_]:
    """Columns whose centers look at a face."""
    left = (0.5 - (np.arange(W) + 0.5) / W) * REACH * ahead
    return np.abs(left - center) < half


@pytest.mark.parametrize("tcp", [False, True])
def test_each_object_has_its_color(drive: Callable[..., Rig], tcp: bool):
    image = picture(make(drive, box("2 0 0") + box("2 0.7 0", "0.5 0.2 0.5", "0 1 0", "b"), tcp=tcp))
    middle = image[H // 2]
    assert (middle[inside(1.75, 0.25)] == (128, 0, 255, 255)).all()
    greens = (middle == (0, 255, 0, 255)).all(axis=1)
    assert greens[inside(1.75, 0.09, 0.7)].all()
    assert (image[0] == (0, 0, 0, 255)).all()


def test_other_solids_are_black(drive: Callable[..., Rig]):
    """They hide objects, too."""
    image = picture(make(drive, box("2 0 0") + box("1 0 0", "0.1 0.05 2", "", "post")))
    post = inside(0.95, 0.025)
    assert (image[H // 2][post] == (0, 0, 0, 255)).all()
    assert (image[H // 2][inside(1.75, 0.25) & ~inside(0.95, 0.03)] == (128, 0, 255, 255)).all()


@pytest.mark.parametrize(("own", "expected"), [("", (128, 0, 255)), ("0 1 0", (0, 255, 0))])
def test_solids_within_others_take_their_color(
    drive: Callable[..., Rig], own: str, expected: tuple[int, int, int]
):
    child = box("-0.5 0 0", "0.2 0.2 0.2", own, "child")
    image = picture(make(drive, box("2 0 0", more=child)))
    assert tuple(image[H // 2, W // 2][:3]) == expected


def test_light_and_transparency_do_not_matter(drive: Callable[..., Rig]):
    """Numbers of shapes have neither shades nor edges."""
    rig = make(drive, box("2 0 0"), camera("antiAliasing TRUE noise 0.2 exposure 0.1"))
    colors = {tuple(one) for one in picture(rig).reshape(-1, 4).tolist()}
    assert colors == {(128, 0, 255, 255), (0, 0, 0, 255)}


@pytest.mark.parametrize("kind", ["cylindrical", "spherical"])
def test_other_projections(drive: Callable[..., Rig], kind: str):
    """Along the middle row, angles grow evenly; the box stands at the left, a quarter turn away."""
    device = camera(f'projection "{kind}"').replace(f"fieldOfView {FOV}", "fieldOfView 4")
    image = picture(make(drive, box("0 2 0", "1 1 1"), device))
    angles = (0.5 - (np.arange(W) + 0.5) / W) * 4
    seen = (image[H // 2] == (128, 0, 255, 255)).all(axis=1)
    half = atan2(0.5, 1.5)
    assert seen[np.abs(angles - np.pi / 2) < half - 0.05].all()
    assert not seen[np.abs(angles - np.pi / 2) > half + 0.05].any()


def test_a_lens_distorts_as_in_the_picture(drive: Callable[..., Rig]):
    """The same pixels show the object in both images."""
    coefficients = "center 0.4 0.4 radialCoefficients 0.3 0.1 tangentialCoefficients -0.02 0.01"
    rig = make(drive, box("2 0.5 0.2"), camera(f"lens Lens {{ {coefficients} }}"))
    rig.enable("c")
    rig.step()
    colors = np.frombuffer(rig["c"].get_image(), dtype=np.uint8).reshape(H, W, 4)
    is_object = (picture(rig) == (128, 0, 255, 255)).all(axis=2)
    is_sky = (colors == (255, 0, 0, 255)).all(axis=2)
    assert is_object.sum() > 100
    assert not (is_object & is_sky).any()
    assert (~is_object & ~is_sky).sum() < 50, "colors are interpolated at edges"


def test_no_images_without_the_field(drive: Callable[..., Rig], capfd: pytest.CaptureFixture[str]):
    rig = make(drive, box("2 0 0"), camera(segmentation="FALSE"))
    assert not rig["c"].recognition_has_segmentation()
    assert rig["c"].recognition_get_segmentation_image() is None
    assert "set the field segmentation of its Recognition node to TRUE first." in capfd.readouterr().err


def test_disabling_keeps_the_last_image(drive: Callable[..., Rig]):
    rig = make(drive, box("2 0 0"))
    device = rig["c"]
    assert device.recognition_is_segmentation_enabled()
    device.recognition_disable_segmentation()
    rig.step()
    assert device.recognition_get_segmentation_image() is None
    rig.set("A", "recognitionColors", [(0.0, 1.0, 0.0)])
    device.recognition_enable_segmentation()
    rig.step()
    assert tuple(picture(rig)[H // 2, W // 2]) == (0, 255, 0, 255)


def test_files_and_lists(drive: Callable[..., Rig], api: Callable[[Rig], None], tmp_path: Path):
    rig = make(drive, box("2 0 0"))
    api(rig)
    device = Camera("c")
    assert device.getRecognitionSegmentationImageArray()[W // 2][H // 2] == [255, 0, 128]
    path = tmp_path / "segments.png"
    assert device.saveRecognitionSegmentationImage(str(path), 100) == 0
    with Image.open(path) as image:
        assert image.size == (W, H)
        assert image.convert("RGB").getpixel((W // 2, H // 2)) == (255, 0, 128)


# Hidden nodes.


def center(rig: Rig) -> tuple[int, ...]:
    return tuple(
        np.frombuffer(rig["c"].get_image(), dtype=np.uint8).reshape(H, W, 4)[H // 2, W // 2].tolist()
    )


def hide(rig: Rig, name: str, viewer: str, visible: bool) -> None:
    hidden = rig.simulation.hidden
    (hidden.show if visible else hidden.hide)(rig.node(viewer), rig.node(name))


def test_hidden_nodes_are_not_drawn(drive: Callable[..., Rig]):
    other = 'DEF D Camera { name "d" width 80 height 40 fieldOfView 1 }'
    rig = make(drive, box("2 0 0"), camera() + other)
    rig.enable("c", "d")
    rig.step()
    before = center(rig)
    assert before[2] > before[0]
    hide(rig, "A", "C", False)
    rig.step()
    assert center(rig)[2] < center(rig)[0]
    assert tuple(picture(rig)[H // 2, W // 2]) == (0, 0, 0, 255)
    assert rig["d"].get_image()[4 * (W * (H // 2) + W // 2) + 2] == before[2]
    hide(rig, "A", "C", True)
    rig.step()
    assert center(rig) == before


def test_hidden_nodes_stay_hidden_after_changes(drive: Callable[..., Rig]):
    rig = make(drive, box("2 0 0", more=box("-0.3 0 0", "0.1 0.1 0.1", "", "child")))
    rig.enable("c")
    hide(rig, "A", "C", False)
    rig.set("A", "translation", (3.0, 0.0, 0.0))
    rig.step()
    assert center(rig)[2] < center(rig)[0]
    rig.set("CHILD", "translation", (-0.4, 0.0, 0.0))
    rig.step()
    assert center(rig)[2] < center(rig)[0]
    rig.simulation.reset()
    rig.step()
    assert center(rig)[2] > center(rig)[0]


def test_too_many_viewers_are_refused(drive: Callable[..., Rig]):
    cameras = "".join(f'DEF C{i} Camera {{ name "c{i}" }}' for i in range(MOST_VIEWERS + 1))
    rig = make(drive, box("2 0 0"), cameras + camera())
    hidden = HiddenNodes()
    for i in range(MOST_VIEWERS):
        hidden.hide(rig.node(f"C{i}"), rig.node("A"))
    with pytest.raises(ValueError, match="at most 62 viewers"):
        hidden.hide(rig.node(f"C{MOST_VIEWERS}"), rig.node("A"))


def test_the_functions_of_the_interface(drive: Callable[..., Rig], api: Callable[[Rig], None]):
    rig = make(drive, box("2 0 0"))
    api(rig)
    rig.enable("c")
    object_, viewer = (wb.wb_supervisor_node_get_from_def(name) for name in ("A", "C"))
    wb.wb_supervisor_node_set_visibility(object_, viewer, False)
    rig.step(2)
    assert center(rig)[2] < center(rig)[0]
