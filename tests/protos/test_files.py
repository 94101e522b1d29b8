"""Every bundled model and sample world is free of findings, and its pictures are there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import FILES, PROTOS, findings, load, parts, texture_files
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import World, load_proto, load_text, load_world

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))


def in_its_place(name: str) -> World:
    """A model by itself; half a pair of slots inside of the other half, a joint with an end point."""
    world = load_proto(FILES[name])
    root = world.nodes[0].root
    if root.type == "HingeJoint" and "endPoint" in world.nodes[0].spec.fields:
        robot = f"Robot {{\n  children [\n    {name} {{\n      endPoint Solid {{\n      }}\n    }}\n  ]\n}}\n"
        return load(f"WorldInfo {{\n}}\nViewpoint {{\n}}\n{robot}")
    if root.type != "Slot":
        return world
    kind = root.get("type").translate(str.maketrans("+-", "-+"))
    slot = f'Slot {{\n  type "{kind}"\n  endPoint {name} {{\n  }}\n}}\n'
    return load(f"WorldInfo {{\n}}\nViewpoint {{\n}}\nSolid {{\n  children [\n{slot}  ]\n}}\n")


@pytest.mark.parametrize("name", sorted(FILES))
def test_model_passes_all_checks_and_has_its_pictures(name: str):
    world = in_its_place(name)
    check_world(world)
    assert findings(world) == []
    for texture in (one for node in world.nodes for one in parts(node.root, "ImageTexture")):
        for url in texture.get("url"):
            assert texture.source is not None
            assert (Path(texture.source.path).parent / url).is_file(), url


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_sample_world_passes_all_checks(path: Path):
    world = load_world(path)
    check_world(world)
    assert findings(world) == []


def test_pictures_are_small_and_all_of_them_are_drawn_by_the_script():
    assert sum(path.stat().st_size for path in texture_files()) < 300_000
    script = (CHECKOUT / "scripts" / "generate_textures.py").read_text(encoding="utf-8")
    unknown = [path.name for path in texture_files() if path.relative_to(PROTOS).as_posix() not in script]
    assert unknown == []


@pytest.mark.slow
def test_the_texture_script_notices_a_changed_picture(tmp_path: Path):
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "generate_textures.py"
    script.write_bytes((CHECKOUT / "scripts" / "generate_textures.py").read_bytes())
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "appearances/textures/asphalt.png" in done.stdout


def test_many_equal_boxes_share_one_generated_body():
    world = load("".join(f'WoodenBox {{\n  translation {n} 0 0\n  name "box {n}"\n}}\n' for n in range(300)))
    assert findings(world) == []
    places = [node.root.get("translation")[0] for node in world.nodes]
    assert places == list(range(300))


# Per model a use of the fields that users' worlds set, with values like theirs.
USES = [
    "Wall {\n  size 0.3 4.3 2.4\n  appearance Roughcast {\n    colorOverride 0.5 0.5 0.5\n  }\n}",
    "Window {\n  size 0.3 1 2.4\n  frameAppearance PaintedWood {\n  }\n  castShadows FALSE\n}",
    "Door {\n  size 0.3 1 2.4\n  canBeOpen FALSE\n  doorHandle DoorLever {\n    hasStaticParent TRUE\n  }\n}",
    "Door {\n  selfClosing TRUE\n  position 0.4\n  doorHandle DoorLever {\n    canTurn TRUE\n  }\n}",
    "Door {\n  jointAtLeft FALSE\n  doorHandle DoorKnob {\n  }\n}",
    "SolidPipe {\n  radius 0.5\n  subdivision 8\n  enableBoundingObject FALSE\n}",
    "SolidPipe {\n  height 0.5\n  thickness 0.2\n  physics Physics {\n    density 200\n  }\n}",
    "WoodenBox {\n  mass 3\n  locked TRUE\n  immersionProperties [\n    ImmersionProperties {\n    }\n  ]\n}",
    'OilBarrel {\n  height 1\n  radius 0.4\n  name "barrel"\n  physics Physics {\n    density 300\n  }\n}',
    "PlasticCrate {\n  size 0.4 0.3 0.2\n  color 0 0 1\n  mass 1\n}",
    "WoodenPallet {\n  lathNumber 4\n  lathWidth 0.1\n  mass 12\n  boundingObject TRUE\n}",
    "TrafficCone {\n  scale 0.5\n  physics Physics {\n    density 500\n  }\n}",
    "RubberDuck {\n  scale 3\n  bodyColor 1 0 0\n  density 300\n}",
    "Table {\n  size 0.8 1.2 0.53\n  feetSize 0.05 0.05\n  trayAppearance PaintedWood {\n  }\n}",
    "WoodenChair {\n  physics Physics {\n    centerOfMass [ 0 0 0.45 ]\n  }\n}",
    'Cabinet {\n  rowsHeights [ 0.2 0.2 ]\n  columnsWidths [ 0.4 ]\n  layout [ "Shelf  (1, 2, 1, 0)" ]\n}',
    "CeilingLight {\n  pointLightIntensity 5\n  pointLightRadius 10\n  pointLightCastShadows TRUE\n}",
    "Tree {\n  scale 0.1 0.1 0.5\n  isPickable FALSE\n}",
    "UnevenTerrain {\n  size 20 20 3\n  flatCenter TRUE\n  flatBounds TRUE\n}",
    'Oven {\n  type "microwave"\n  mainColor 0.64 0 0\n}',
    "Worktop {\n  size 0.237 0.44 0.06\n  tileSize 0.5 0.5\n}",
    "Monitor {\n  scale 1.4\n  mass 3\n}",
    'Book {\n  color 0.6 0.1 0.1\n  mass 0\n  name "book(1)"\n}',
    "OfficeChair {\n  hidden position_0_0 0.7\n  hidden rotation_1 0 0 1 0.7\n}",
    "Laptop {\n  hidden position_0_0 0\n  hidden translation_1 -0.1 -0.014 0.13\n}",
    "Cypress {\n  scale 0.6\n  enableBoundingObject FALSE\n}",
    "StraightStairs {\n  stepSize 0.25 1.27 0.19\n  stepRise 0.18\n  nSteps 12\n  rightRail []\n}",
    "StraightStairs {\n  leftRail [\n    StraightStairsRail {\n      run 4.2\n    }\n  ]\n}",
    "CeilingSpotLight {\n  spotLightIntensity 5\n  spotLightRadius 3\n  spotLightCastShadows TRUE\n}",
    "Radiator {\n  numberOfFins 20\n  enableBoundingObject FALSE\n}",
    "PipeSection {\n  height 2.4\n  radius 0.04\n  appearance Roughcast {\n  }\n}",
    "SquareManhole {\n  size 1 1 0.05\n}",
    "Bed {\n  blanketAppearance BlanketFabric {\n  }\n}",
    "PaperBoat {\n  scale 2\n  mass 1.2\n}",
    "FloorLight {\n  scale 0.4\n  pointLightIntensity 0.7\n}",
    'Floor {\n  appearance Pavement {\n    type "slate"\n  }\n}',
    'Floor {\n  appearance Grass {\n    type "artificial_white"\n  }\n}',
    'Floor {\n  appearance CarpetFibers {\n    type "synthetic"\n  }\n}',
    "StraightRoadSegment {\n  width 21.5\n  numberOfLanes 4\n  rightBorder FALSE\n  rightBarrier TRUE\n}",
    'Road {\n  wayPoints [ 0 0 0, 9 3 1 ]\n  lines [\n    RoadLine {\n      type "double"\n    }\n  ]\n}',
    "Road {\n  roadBoundingObject TRUE\n  leftBorderBoundingObject TRUE\n  bottom TRUE\n  endLine [ ]\n}",
    "RoadIntersection {\n  roadsWidth 21.5\n  startRoadsLength [ 8.75 ]\n  boundingObject TRUE\n}",
    'Crossroad {\n  id "18"\n  shape []\n  connectedRoadIDs [ "1", "2" ]\n}',
    "RobotstadiumSoccerField {\n  frame1Color 0.9 0.8 0.2\n  postRadius 0.04\n}",
    "EPuck {\n  camera_pixelSize 4\n  camera_width 40\n  turretSlot [\n    GPS {\n    }\n  ]\n}",
    'E-puck {\n  version "2"\n  camera_rotation 0 1 0 0.2\n  controllerArgs [ "a" ]\n  window "<none>"\n}',
    "E-puck {\n  kinematic TRUE\n  battery [ 10 20 5 ]\n}",
    "Pioneer3dx {\n  extensionSlot [\n    Camera {\n    }\n  ]\n}",
    'FourWheelRobot {\n  motors "2"\n  wheelMaterial "rubber"\n  remoteControl "serial"\n}',
    "TurtleBot3Burger {\n  extensionSlot [\n    Lidar {\n    }\n  ]\n}",
    "CircleArena {\n  radius 0.4\n  wallHeight 0.2\n  floorAppearance SandyGround {\n  }\n}",
    "RectangleArena {\n  rotation 0 0 1 -1.57\n  floorSize 1.2 1.8\n  floorTextureUrl [ ]\n}",
]


@pytest.mark.parametrize("use", USES, ids=lambda text: " ".join(text.split())[:60])
def test_fields_that_users_set_pass_all_checks(use: str):
    world = load(f"WorldInfo {{\n}}\nViewpoint {{\n}}\n{use}\n")
    check_world(world)
    # the small worlds lack the users' controllers and their fluids; some fields are only accepted
    elsewhere = ("no-controller", "unknown-fluid", "field-without-effect")
    assert [str(one) for one in world.report if one.code not in elsewhere] == []


@pytest.mark.slow
@pytest.mark.parametrize("release", ["V8.6", "R2021b", "R2022a"])
def test_solids_and_robots_load_in_worlds_of_older_releases(release: str):
    found: dict[str, list[str]] = {}
    for name, path in FILES.items():
        if load_proto(path).nodes[0].root.type not in ("Solid", "Robot", "Lidar", "Camera", "Radar", "Pose"):
            continue
        text = f"#VRML_SIM {release} utf8\nWorldInfo {{\n}}\nViewpoint {{\n}}\n{name} {{\n}}\n"
        told = findings(load_text(text, str(CHECKOUT / "worlds" / "none.wbt")))
        if told:
            found[name] = told
    assert found == {}
