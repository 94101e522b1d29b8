"""Ranges of values, whole numbers, axes."""

from __future__ import annotations

import pytest

from tests.scene.checks.tables import NEW, OLD, assert_row, bad, good

ROWS = [
    bad(
        "box",
        "Shape { geometry Box { size 1 0 1 } }",
        "warning out-of-range 2:24",
        "Box.size is 1 0 1",
        "allowed: (0, inf)",
        "1 1 1 is used instead",
    ),
    bad(
        "radius",
        "Shape { geometry Sphere {\n radius -0.5 } }",
        "warning out-of-range 3:2",
        "Sphere.radius is -0.5",
        "1 is used instead",
    ),
    bad(
        "choice",
        'Fog { fogType "LINAER" }',
        "warning out-of-range 2:7",
        'Fog.fogType is "LINAER"',
        '"EXPONENTIAL2"',
        '"LINEAR" is used instead',
        "did you mean 'LINEAR'?",
    ),
    bad("sign", "Background { luminosity -1 }", "warning out-of-range 2:14", "[0, inf)", "1 is used instead"),
    bad(
        "many",
        "Shape { geometry Sphere { radius 0 subdivision 99 } }",
        ["warning out-of-range 2:27", "warning out-of-range 2:36"],
    ),
    bad(
        "list",
        "Charger { battery [ 1 2 -3 ] }",
        "warning out-of-range 2:11",
        "value 3 of Charger.battery is -3",
    ),
    bad(
        "index",
        "Shape { geometry IndexedLineSet { coordIndex [ -5 ] } }",
        "warning out-of-range 2:35",
        "value 1 of IndexedLineSet.coordIndex is -5",
        "allowed: [-1, inf)",
    ),
    bad(
        "other field",
        "Robot { children [ Radar { minRange 60 } ] }",
        "warning out-of-range 2:28",
        "Radar.minRange is 60",
        "maxRange",
        "1 is used instead",
    ),
    bad(
        "axis",
        "Transform { rotation 0 0 0 1 }",
        "warning no-direction 2:13",
        "0 0 0 1",
        "must have a length",
        "0 0 1 1 is used instead",
    ),
    bad(
        "joint axis",
        "Solid { children [ HingeJoint { endPoint Solid {} jointParameters HingeJointParameters "
        "{ axis 0 0 0 } } ] }",
        "warning no-direction 2:90",
        "1 0 0 is used instead",
    ),
    bad(
        "absolute",
        "Solid { children [ SliderJoint { endPoint Solid {} jointParameters JointParameters "
        "{ springConstant -7 } } ] }",
        "warning out-of-range 2:86",
        "7 is used instead",
    ),
    bad(
        "nearest",
        "",
        "warning out-of-range 3:38",
        "1 is used instead",
        frame="\nWorldInfo { defaultDamping Damping { linear 4 } }\nViewpoint {}\n",
    ),
    bad(
        "kept",
        "",
        "warning out-of-range 3:13",
        "WorldInfo.gravity is -9.81",
        "used all the same",
        frame="\nWorldInfo { gravity -9.81 }\nViewpoint {}\n",
    ),
    bad(
        "solver",
        "",
        ["warning out-of-range 3:13", "warning out-of-range 3:19", "warning out-of-range 3:25"],
        "1e-05 is used instead",
        "0.2 is used instead",
        "32 is used instead",
        frame="\nWorldInfo { CFM 0 ERP 2 basicTimeStep 0 }\nViewpoint {}\n",
    ),
    bad(
        "large",
        "Shape { geometry IndexedLineSet { coordIndex [ 5000000000 ] } }",
        ["warning too-large 2:35", "warning index 2:35"],
        "2147483647",
    ),
    bad("scale now", "Transform { scale 2 0 -1 }", "warning out-of-range 2:13", "2 1 -1 is used instead"),
    bad(
        "scale then",
        "Transform { scale 2 0 -1 }",
        "warning out-of-range 2:13",
        "2 1 1 is used instead",
        header=OLD,
    ),
    bad(
        "scale of solid",
        "Solid { scale 2 0 3 }",
        "warning out-of-range 2:9",
        "2 2 2 is used instead",
        header=OLD,
    ),
    bad(
        "mass",
        "Solid { boundingObject Box {} physics Physics { density -2 mass 3 } }",
        "warning out-of-range 2:49",
        "-1 is used instead",
    ),
    good(
        "pi with few digits",
        "Solid { children [ HingeJoint { endPoint Solid {} jointParameters "
        "HingeJointParameters { minStop -3.1416 maxStop 3.1416 } } ] }",
    ),
    good("axis not of length 1", "Transform { rotation 0 3 0 1 }"),
    good("no turn", "Transform { rotation 0 0 0 0 }"),
    good("off by -1", "Solid { boundingObject Box {} physics Physics { density -1 mass 2 } }"),
    good("mirror", "Transform { scale -1 1 1 }"),
    good("gravity as a vector", "", header=OLD, frame="\nWorldInfo { gravity 0 -9.81 0 }\nViewpoint {}\n"),
    good(
        "infinite friction",
        "",
        header=NEW,
        frame="\nWorldInfo { contactProperties [ ContactProperties { "
        "coulombFriction [ -1 ] } ] }\nViewpoint {}\n",
    ),
]


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), ROWS)
def test_values(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)
