"""The skies of TexturedBackground: what people see of them, and what cameras of robots see."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.render.atmosphere import atmosphere_of
from wbridge.wbcore.render.renderer import Renderer
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.skies import GAIN, SKIES, sky_faces
from wbridge.wbcore.visual.viewpoint import ViewpointCamera

PROTO = Path(__file__).parents[2] / "protos" / "backgrounds" / "TexturedBackground.proto"
WORLD = f"""#VRML_SIM R2025a utf8
EXTERNPROTO "{PROTO}"
WorldInfo {{ }}
Viewpoint {{ }}
TexturedBackground {{ texture "noon_sunny_empty" }}
"""
EDGES = {
    # Neighbors in OpenGL's table of faces: the last columns of one are beside the first columns of the other.
    "+z and +x": (4, 0),
    "+x and -z": (0, 5),
    "-z and -x": (5, 1),
    "-x and +z": (1, 4),
}


def displayed(face: np.ndarray) -> np.ndarray:
    """What the tone map shows of pixels, see `displayed` in finish.glsl."""
    return (1 - np.exp(-GAIN * (face / 255.0) ** 2)) ** (1 / 2.2)


def test_each_texture_of_the_model_has_a_sky() -> None:
    declared = re.search(r"field SFString\{(.*?)\}", PROTO.read_text(), re.DOTALL)
    assert declared is not None
    assert set(re.findall(r'"(\w+)"', declared[1])) == set(SKIES)


@pytest.mark.parametrize("name", ["mountains", "empty_office"])
def test_faces_join_at_their_edges(name: str) -> None:
    faces = [displayed(face) for face in sky_faces(name)]
    for left, right in EDGES.values():
        assert np.abs(faces[left][:, -1] - faces[right][:, 0]).mean() < 0.02
    assert np.abs(faces[2][-1] - faces[4][0]).mean() < 0.02, "the upper face above +z"
    assert np.abs(faces[3][0] - faces[4][-1]).mean() < 0.02, "the lower face below it"


def test_colors_are_shown_as_they_are_declared() -> None:
    """Overhead, and far below the horizon, nothing covers them."""
    sky, faces = SKIES["noon_stormy_empty"], [displayed(face) for face in sky_faces("mars")]
    mars = SKIES["mars"]
    middle = faces[0].shape[0] // 2
    assert np.allclose(faces[2][middle, middle], mars.zenith, atol=0.02)
    assert np.allclose(faces[3][middle, middle], mars.ground, atol=0.02)
    assert sky.sun is None, "no sun shines in a storm"


def test_people_see_a_sky_and_cameras_its_one_color() -> None:
    simulation = Simulation(load_text(WORLD))
    seen = simulation.main_view.picture((64, 48))[..., :3]
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20
    plain = np.zeros((48, 64, 4), np.uint8)
    renderer = Renderer(simulation)
    renderer.follow()
    view = ViewpointCamera(simulation.physics, simulation.hidden).view(64, 48)
    renderer.draw(replace(view, has_backdrop=False), plain)
    assert len(np.unique(plain.reshape(-1, 4), axis=0)) == 1
    assert np.allclose(plain[0, 0, 2::-1] / 255, (0.52, 0.72, 0.94), atol=0.01), "as the model says"


@pytest.mark.parametrize(("release", "is_z_up"), [("V8.3", False), ("R2020a", False), ("R2022b", True)])
def test_without_a_world_info_the_release_says_which_way_is_up(release: str, is_z_up: bool) -> None:
    """Webots adds the WorldInfo that is missing, with the defaults of its release."""
    world = load_text(f"#VRML_SIM {release} utf8\nBackground {{ }}\n")
    assert atmosphere_of(world).is_z_up == is_z_up
