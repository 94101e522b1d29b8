"""Devices, meshes, names, references, outdated names, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.checks.tables import FRAME, HEADER, OLD, ROBOT, assert_row, bad, checked, good, places
from tests.scene.helpers import project, world
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import load_world

FACES = "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } %s } }"
"""A mesh of three points; what is added begins in column 84."""

DEVICES = [
    bad(
        "table",
        ROBOT % "DistanceSensor { lookupTable [ 0 1 0, 2 2 0, 1 3 0 ] }",
        "warning lookup-table 2:55",
        "row 3 is 1",
        "row 2 2",
        "inputs must rise",
    ),
    bad(
        "negative distance",
        ROBOT % "DistanceSensor { lookupTable [ -1 1 0, 2 2 0 ] }",
        "warning lookup-table 2:55",
    ),
    bad(
        "laser",
        ROBOT % 'DistanceSensor { type "laser" numberOfRays 4 }',
        "warning laser-rays 2:68",
        "1 is used",
    ),
    bad(
        "robot battery",
        'Robot { controller "" battery [ 1 ] }',
        "warning battery 2:23",
        "has 1 value; needed: 3",
    ),
    bad(
        "overfull", 'Robot { controller "" battery [ 9 1 1 ] }', "warning battery 2:23", "9 J of at most 1 J"
    ),
    bad("charger", "Charger {}", "warning battery 2:1", "Charger.battery is empty"),
    bad("lamp", ROBOT % "LED { gradual TRUE color [ 1 0 0 0 1 0 ] }", "warning led-colors 2:57", "2 colors"),
    bad("view", ROBOT % "Camera { fieldOfView 4 }", "warning field-of-view 2:47", "at most pi"),
    bad("plane", ROBOT % 'Lidar { fieldOfView 4 projection "planar" }', "warning field-of-view 2:46"),
    bad("range", ROBOT % "Emitter { range 5 maxRange 3 }", "warning emitter-range 2:48", "3 is used instead"),
    bad(
        "active",
        ROBOT % 'Connector { type "active" unilateralLock FALSE }',
        "warning connector 2:64",
        "must be TRUE",
    ),
    bad("bumper", ROBOT % "TouchSensor {}", "warning no-bounding-object 2:38", "feels nothing"),
    bad("force", ROBOT % 'TouchSensor { type "force" boundingObject Box {} }', "warning no-physics 2:52"),
    bad("track", ROBOT % "Track {}", "warning no-bounding-object 2:38", "it moves nothing"),
    bad("propeller", ROBOT % "Propeller {}", ["warning no-motor 2:38", "warning no-physics 2:38"]),
    bad("fluid", "Fluid {}", "warning no-bounding-object 2:1", "it has no effect"),
    good(
        "tables",
        ROBOT % "DistanceSensor { lookupTable [ 0 1 0, 0 2 0, 1 3 0 ] } Accelerometer { lookupTable "
        "[ -9 -9 0, 9 9 0 ] }",
    ),
    good("views", ROBOT % 'Camera { fieldOfView 4 projection "spherical" } Camera { name "b" }'),
    good("battery", 'Robot { controller "" battery [ 1 2 3 ] }'),
]

MESHES = [
    bad(
        "index",
        FACES % "coordIndex [ 0 1 2 -1 0 1 3 -1 ]",
        "warning index 2:84",
        "value 7 of IndexedFaceSet.coordIndex is 3; coord has 3 points",
        "0 to 2",
    ),
    bad("corners", FACES % "coordIndex [ 0 1 2 -1 0 1 ]", "warning face 2:84", "face 2", "2 corners"),
    bad(
        "texture",
        FACES % "coordIndex [ 0 1 2 ] texCoord TextureCoordinate { point [ 0 0 ] } texCoordIndex [ 0 0 5 ]",
        "warning index 2:150",
        "texCoord has 1 point",
    ),
    bad(
        "texture length",
        FACES % "coordIndex [ 0 1 2 ] texCoord TextureCoordinate { point [ 0 0 ] } texCoordIndex [ 0 ]",
        "warning texture-index 2:150",
        "has 1 values, coordIndex 3",
    ),
    bad(
        "few heights",
        "Shape { geometry ElevationGrid { xDimension 2 yDimension 2 height [ 1 2 3 ] } }",
        "warning heights 2:60",
        "3 values for 2 x 2 points; the others are 0",
    ),
    bad(
        "many heights",
        "Shape { geometry ElevationGrid { xDimension 2 zDimension 1 height [ 1 2 3 ] } }",
        "warning heights 2:60",
        "the last 1 are ignored",
        header=OLD,
    ),
    bad(
        "colors",
        "Shape { geometry ElevationGrid { xDimension 2 zDimension 2 color Color { color [ 1 0 0 ] } } }",
        "warning colors 2:60",
        "has 1 colors; needed: 4",
        header=OLD,
    ),
    good("mesh", FACES % "coordIndex [ 0 1 2 -1 2 1 0 ]"),
    good("flat grid", "Shape { geometry ElevationGrid { xDimension 2 yDimension 2 } }"),
]

NAMES = [
    bad(
        "solids",
        'Solid { name "a" }\nSolid { name "a" }',
        "warning repeated-name 3:9",
        'named "a" (lines 2, 3)',
    ),
    bad(
        "below a joint",
        'Solid { children [ Solid { name "a" }\nHingeJoint { endPoint Solid { name "a" } } ] }',
        "warning repeated-name 3:31",
    ),
    bad(
        "devices",
        ROBOT % '\nCamera { name "a" }\nGPS { name "a" }',
        "warning repeated-name 4:7",
        "Camera, GPS",
        "controllers find the first only",
    ),
    bad("empty", ROBOT % 'Camera { name "" }', "warning empty-name 2:47", "this Camera has an empty name"),
    bad(
        "coupled",
        ROBOT % 'HingeJoint { endPoint Solid {} device RotationalMotor { name "a::b" } }',
        "warning coupled-motor 2:94",
        '"a::..."',
    ),
    good("apart", 'Solid { name "a" children [ Solid { name "a" children [ Solid { name "a" } ] } ] }'),
    good("two robots", ROBOT % "Camera {}" + "\n" + (ROBOT % "Camera {}").replace("{", '{ name "b"', 1)),
]

REFERENCES = [
    bad(
        "solid",
        'Solid { name "top" children [ HingeJoint { endPoint SolidReference { solidName "well" } }'
        ' Solid { name "wall" } ] }',
        "warning unknown-solid 2:70",
        '"top" has no such solid',
        "did you mean 'wall'?",
    ),
    bad(
        "no solid name",
        "Solid { children [ HingeJoint { endPoint SolidReference { } } ] }",
        "warning unknown-solid 2:42",
        "empty",
    ),
    bad(
        "other tree",
        'Solid { children [ HingeJoint { endPoint SolidReference { solidName "b" } } ] }\nSolid { name "b" }',
        "warning unknown-solid 2:59",
    ),
    bad(
        "fluid",
        "Solid { boundingObject Box {} physics Physics {} immersionProperties [ ImmersionProperties {"
        ' fluidName "see" } ] }\nFluid { name "sea" boundingObject Plane {} }',
        "warning unknown-fluid 2:94",
        "did you mean 'sea'?",
    ),
    bad(
        "dry",
        'Solid { immersionProperties [ ImmersionProperties { fluidName "fluid" } ] }\n'
        "Fluid { boundingObject Plane {} }",
        "warning immersion 2:31",
        "no physics and no boundingObject",
    ),
    good(
        "all there",
        'Solid { children [ HingeJoint { endPoint SolidReference { solidName "b" } } Solid { name "b" }'
        ' HingeJoint { endPoint SolidReference { solidName "<static environment>" } } ] }',
    ),
]

VERSIONS = [
    bad(
        "node",
        'Solid { children [ Supervisor { controller "" } ] }',
        "warning outdated-node 2:20",
        "Supervisor is outdated in R2023b; use Robot { supervisor TRUE }",
    ),
    bad(
        "field",
        'Robot { controller "" data "x" }',
        "warning outdated-field 2:23",
        "Robot.data is outdated in R2023b; use customData",
    ),
    bad(
        "removed",
        ROBOT % 'Camera { type "color" }\n'
        + (ROBOT % 'Camera { type "color" }').replace("{", '{ name "b"', 1),
        "warning outdated-field 2:47",
        "Camera.type is no field of R2023b any more",
    ),
    bad(
        "vector",
        "",
        "warning gravity-form 2:13",
        "a vector",
        "R2023b have a number",
        frame="WorldInfo { gravity 0 -9 0 }\nViewpoint {}\n",
    ),
    bad(
        "number",
        "",
        "warning gravity-form 2:13",
        "a number",
        "V8.3.1 have a vector",
        frame="WorldInfo { gravity 9.81 }\nViewpoint {}\n",
        header=OLD,
    ),
    good(
        "of its time", 'Robot { controller "void" data "x" children [ Camera { type "color" } ] }', header=OLD
    ),
    good("newer field", 'Robot { controller "void" customData "x" }', header=OLD),
]


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), DEVICES)
def test_devices(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), MESHES)
def test_meshes(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), NAMES)
def test_names(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), REFERENCES)
def test_references(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), VERSIONS)
def test_versions(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


def test_missing_files_are_one_warning(tmp_path: Path) -> None:
    (tmp_path / "here.png").write_bytes(b"")
    body = (
        'Shape { appearance Appearance { texture ImageTexture { url "here.png" } } }\n'
        'Shape { appearance Appearance { texture ImageTexture { url "a.png" } } }\n'
        'Background { topUrl "https://example.org/dir/top.jpg" }\nShape { geometry Mesh { url "b.obj" } }\n'
    )
    loaded = checked(body, path=str(tmp_path / "test.wbt"))
    assert places(loaded) == ["warning missing-asset 3:41"]
    assert "3 textures or meshes are missing: a.png, b.obj, top.jpg" in loaded.report.warnings[0].message


def test_a_missing_mesh_that_should_collide_is_an_error() -> None:
    body = 'Solid { boundingObject Pose { children [ Shape { geometry Mesh { url "b.obj" } } ] } }'
    loaded = checked(body)
    assert places(loaded) == ["error missing-mesh 2:66"]
    assert "b.obj is missing" in loaded.report.errors[0].message


def test_controllers_are_looked_for_in_the_projects(tmp_path: Path) -> None:
    protos = {"Bot": 'PROTO Bot [ ] { Robot { name "p" controller "mine" } }'}
    body = 'Bot { }\nRobot {\n controller "drvie" }\nRobot { name "b" controller "<extern>" }\n'
    path = project(tmp_path, protos, body + FRAME)
    for name in ("drive", "mine"):
        (tmp_path / "controllers" / name).mkdir(parents=True)
    loaded = load_world(path)
    check_world(loaded)
    assert places(loaded) == ["warning no-controller 5:2"]
    message = loaded.report.warnings[0].message
    assert "'drvie' is not in" in message
    assert str(tmp_path / "controllers") in message
    assert "did you mean 'drive'?" in message


def test_a_missing_window_is_a_warning(tmp_path: Path) -> None:
    """Manual, chapter Robot: `window` names a folder of plugins/robot_windows; "<generic>" names none."""
    names = ("", "generic", "<generic>", "<none>", "mine", "other", "nothere")
    body = "\n".join(f'Robot {{ name "{n}" window "{name}" }}' for n, name in enumerate(names))
    path = project(tmp_path, {}, body + FRAME)
    (tmp_path / "plugins" / "robot_windows" / "mine").mkdir(parents=True)
    (tmp_path / "plugins" / "robot_windows" / "other.py").touch()
    loaded = load_world(path)
    check_world(loaded)
    assert [(one.code, one.message.split("'")[1]) for one in loaded.report] == [("no-window", "nothere")]
    assert "plugins/robot_windows; the generic window is shown" in loaded.report.warnings[0].message


def test_missing_controllers_are_one_warning() -> None:
    loaded = checked('Robot { controller "a" }\nRobot { name "b" controller "b" }')
    assert places(loaded) == ["warning no-controller 2:9"]
    assert "2 controllers are not in" in loaded.report.warnings[0].message


def test_equal_places_are_told_once(tmp_path: Path) -> None:
    protos = {
        "Ball": 'PROTO Ball [ field SFString name "b" ] { Solid { name IS name children [ Shape { geometry '
        "Sphere { radius 0 } } ] } }"
    }
    body = "\n".join(f'Ball {{ name "b{n}" }}' for n in range(50))
    loaded = load_world(project(tmp_path, protos, body + FRAME))
    check_world(loaded)
    assert [one.code for one in loaded.report] == ["out-of-range"]
    assert loaded.report.warnings[0].path.endswith("Ball.proto")


def test_checking_changes_nothing() -> None:
    loaded = world("Shape { geometry Box { size 0 0 0 } }" + FRAME, HEADER)
    check_world(loaded)
    assert loaded.nodes[0].get("geometry").get("size") == (0.0, 0.0, 0.0)


def test_of_models_that_come_with_the_program_nothing_is_said(tmp_path: Path) -> None:
    protos = {"Ball": "PROTO Ball [ ] { Shape { geometry Sphere { radius 0 } } }"}
    path = project(tmp_path, protos, "Ball { }\nShape { geometry Box { size 0 0 0 } }" + FRAME)
    loaded = load_world(path)
    loaded.builtin = tmp_path
    check_world(loaded)
    assert places(loaded) == ["warning out-of-range 4:24"]
