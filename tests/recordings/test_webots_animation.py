"""Animations in Webots' format as recordings.

The samples have the elements and attributes of preview/scene.x3d and preview/animation.json of the public
repository cyberbotics/maze-runner-competition, which Webots has written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.view.test_scene_view import BALL, simulation
from wbridge.main import main
from wbridge.running.webots_animation import Animation, SceneError, files_of
from wbridge.wbcore.recordings.webots_scene import world_text

SCENE = """<?xml version="1.0" encoding="UTF-8"?>
<X3D version="3.0"><head><meta name="version" content="R2023b" /></head>
<Scene>
<WorldInfo id='n4' title="Maze" info='"a" "b"' basicTimeStep='16' coordinateSystem='ENU'></WorldInfo>
<Viewpoint id='n7' orientation='0 0 1 0' position='-3 0 0' exposure='1' zNear='0.05' zFar='0'></Viewpoint>
<Transform id='n9' translation='1 0 0' name='table' type='solid'>
<Shape id='n11' castShadows='true'><PBRAppearance id='n12' baseColor='1 0 0' metalness='0'>
<ImageTexture id='n13' url='"../secret.png"' role='baseColorMap'></ImageTexture></PBRAppearance>
<Sphere id='n20' radius='0.1' subdivision='4,4' ico='true'></Sphere></Shape>
<Transform id='n30' translation='0 0 1'><Shape id='n31'><PBRAppearance id='n32' USE='12'></PBRAppearance>
<IndexedFaceSet id='n33' coordIndex='0 1 2 -1'><Coordinate id='n34' point='0 0 0 1 0 0 0 1 0'></Coordinate>
</IndexedFaceSet></Shape></Transform>
<Group role='boundingObject' id='n40'><Box id='n41' size='1 1 1'></Box></Group>
</Transform></Scene></X3D>
"""
FRAMES = [
    {"time": 0, "updates": [{"id": 9, "translation": "1 0 0", "rotation": "0 0 1 0", "scale": "1 1 1"}]},
    {"time": 0},
    {"time": 32, "updates": [{"id": 9, "translation": "2 0 0", "rotation": "0 0 1 1.5708"}]},
    {"time": 64, "updates": [{"id": 12, "baseColor": "0 1 0"}, {"id": 999, "translation": "1 1 1"}]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.x3d").write_text(SCENE)
    (tmp_path / "animation.json").write_text(
        json.dumps({"basicTimeStep": 32, "labelsIds": "", "frames": FRAMES})
    )
    return tmp_path


def played(folder: Path) -> Animation:
    return Animation(*files_of(folder / "animation.json"))


def test_what_is_inside_moves_along(folder: Path):
    animation = played(folder)
    sphere, face = animation.describe()["shapes"]
    assert (sphere["body"], face["body"]) == (0, 0)
    assert face["place"][:3] == [0, 0, 1]
    for place in ([1, 0, 0], [1, 0, 0], [2, 0, 0]):
        animation.advance()
        positions, turns = animation.poses()
        assert positions.tolist() == [place]
    assert turns[0].tolist() == pytest.approx([0.7071, 0, 0, 0.7071], abs=1e-4)


def test_colors_change_of_all_uses(folder: Path):
    animation = played(folder)
    for _ in range(4):
        animation.advance()
    changed = animation.changes()
    assert set(changed) == {"surface 0", "surface 1"}
    assert all(one["record"][:3] == [0, 1, 0] for one in changed.values())


def test_files_outside_of_the_folder_are_not_read():
    assert "secret" not in world_text(SCENE.encode())


@pytest.mark.parametrize(
    "scene",
    [
        "",
        "<a/>",
        "<X3D><Scene><Transform translation='a b c'/></Scene></X3D>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><X3D><Scene/></X3D>",
        "<X3D><Scene><Transform id='n1 Robot { }'/></Scene></X3D>",
        "<X3D><Scene>" + 300 * "<Group>" + 300 * "</Group>" + "</Scene></X3D>",
    ],
)
def test_damaged_scenes_are_told(scene: str):
    with pytest.raises(SceneError):
        world_text(scene.encode())


@pytest.mark.parametrize(
    "changes",
    [
        "",
        "[]",
        "{}",
        '{"basicTimeStep": 0, "frames": []}',
        '{"basicTimeStep": 32, "frames": [1]}',
        9999 * "[",
    ],
)
def test_damaged_changes_are_told(folder: Path, changes: str, capsys: pytest.CaptureFixture[str]):
    (folder / "animation.json").write_text(changes)
    assert main(["view", str(folder / "scene.x3d"), "--no-open", "--output", str(folder / "a.html")]) == 2
    assert "animation.json" in capsys.readouterr().err


def test_ours_comes_back(tmp_path: Path):
    """What `animationStartRecording` writes is read again."""
    of = simulation(BALL)
    made = of.main_view.animate(tmp_path / "a.html")
    heights = []
    for _ in range(10):
        heights.append(of.node("BALL").translation[2])
        of.step()
        made.take()
    made.close()
    animation = Animation(*files_of(tmp_path / "a.html"))
    for height in heights[::2]:
        animation.advance()
        assert animation.poses()[0][0, 2] == pytest.approx(height, abs=1.1e-3)


def test_a_page_is_made_of_an_animation(folder: Path):
    assert (
        main(["view", str(folder / "animation.json"), "--no-open", "--output", str(folder / "a.html")]) == 0
    )
    text = (folder / "a.html").read_text("utf-8")
    assert text.count('data-part="frames"') == 1
    assert text.count('data-part="end"') == 1


def test_what_is_no_recording_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["view", str(tmp_path / "absent.html"), "--no-open"]) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "a.html").write_text("<p>Hello")
    assert main(["view", str(tmp_path / "a.html"), "--no-open"]) == 2
    assert "neither a recording nor a page of Webots" in capsys.readouterr().err
