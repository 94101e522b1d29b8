"""Physics, bounding objects, joints, contacts: what moves and collides."""

from __future__ import annotations

import pytest

from tests.scene.checks.tables import OLD, ROBOT, assert_row, bad, good

HINGE = "Solid { children [ HingeJoint { jointParameters HingeJointParameters { %s } endPoint Solid {} } ] }"
"""A hinge with parameters, which begin in column 72."""
MOTOR = ROBOT % (
    "HingeJoint { jointParameters HingeJointParameters { %s } "
    "device RotationalMotor { %s } endPoint Solid {} }"
)
BODY = "Solid { boundingObject %s physics Physics {} }"
"""A solid with a bounding object, which begins in column 24."""
FACE = "IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 1 1 0 ] } coordIndex [ %s ] }"

PHYSICS = [
    bad(
        "no mass",
        "Solid { boundingObject Box {} physics Physics { density -1 } }",
        "warning no-mass 2:49",
        "Physics.mass is -1",
        "density 1000 is used",
    ),
    bad(
        "two centers",
        "Solid { boundingObject Box {} physics Physics { centerOfMass [ 0 0 0 1 1 1 ] } }",
        "warning center-of-mass 2:49",
        "2 vectors",
        "the first is used",
    ),
    bad(
        "one vector",
        "Solid { boundingObject Box {} physics Physics { inertiaMatrix [ 1 1 1 ] } }",
        "warning out-of-range 2:49",
        "0 or 2 values",
        "ignored",
    ),
    bad(
        "inertia alone",
        "Solid { boundingObject Box {} physics Physics { inertiaMatrix [ 1 1 1 0 0 0 ] } }",
        "warning inertia 2:49",
        "a positive mass and one centerOfMass",
    ),
    bad(
        "moments",
        "Solid { physics Physics { mass 1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 0 1 0 0 0 ] } }",
        "warning inertia 2:57",
        "1 0 1",
        "must be positive",
    ),
    bad(
        "products",
        "Solid { physics Physics { mass 1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 1 1 2 0 0 ] } }",
        "warning inertia 2:57",
        "not positive definite",
    ),
    bad(
        "triangle",
        "Solid { physics Physics { mass 1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 1 3 0 0 0 ] } }",
        "warning inertia 2:57",
        "more than the sum of the others",
    ),
    bad(
        "gap",
        "Solid { boundingObject Box {} physics Physics {} children [ Solid { children [\n"
        ' Solid { name "low" boundingObject Box {} physics Physics {} } ] } ] }',
        "warning physics-gap 2:61",
        'below it ("low")',
        "needs Physics",
    ),
    bad(
        "gap under a joint",
        "Solid { boundingObject Box {} physics Physics {} children [ HingeJoint { endPoint Solid {"
        " children [\n Solid { boundingObject Box {} physics Physics {} } ] } } ] }",
        "warning physics-gap 2:83",
    ),
    bad("no shape", "Solid { physics Physics {} }", "warning no-bounding-object 2:9", "no boundingObject"),
    bad(
        "static hinge2",
        "Solid { children [ Hinge2Joint { endPoint Solid { boundingObject Box {} physics Physics {} } } ] }",
        "warning static-hinge2 2:20",
        "both of its solids need Physics",
    ),
    good(
        "full inertia",
        "Solid { physics Physics { mass 1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 1 2 0 0 0 ] } }",
    ),
    good(
        "leaves without physics", "Solid { boundingObject Box {} physics Physics {} children [ Solid {} ] }"
    ),
    good(
        "static base",
        "Solid { children [ Solid { children [ Solid { boundingObject Box {} physics Physics {} } ] } ] }",
    ),
]

BOUNDING = [
    bad(
        "cone",
        BODY % "Cone {}",
        [
            "error wrong-node-type 2:24",
            "warning not-a-bounding-object 2:24",
            "warning empty-bounding-object 2:9",
        ],
        "Cone is not a collision shape",
    ),
    bad(
        "lines",
        BODY % "Group { children [ Box {} Shape { geometry IndexedLineSet {} } ] }",
        "warning not-a-bounding-object 2:67",
        "IndexedLineSet",
    ),
    bad(
        "solid inside", BODY % "Group { children [ Box {} Solid {} ] }", "warning not-a-bounding-object 2:50"
    ),
    bad("empty", BODY % "Group {}", "warning empty-bounding-object 2:9", "nothing collides with it"),
    bad("plane", BODY % "Plane {}", "warning moving-plane 2:24", "planes are for solids that never move"),
    bad(
        "two levels",
        BODY % "Transform { children [ Transform { children [ Box {} ] } ] }",
        "warning nested-transform 2:47",
        "Transform inside a Transform",
    ),
    bad(
        "two children",
        BODY % "Pose { children [ Box {} Box {} ] }",
        "warning many-children 2:31",
        "2 children",
        "in a Group",
    ),
    bad(
        "sphere scaled",
        BODY % "Transform { scale 1 2 3 children [ Sphere {} ] }",
        "warning bounding-scale 2:36",
        "Sphere in a boundingObject can't be scaled by 1 2 3",
        "1 1 1 is used instead",
    ),
    bad(
        "cylinder scaled",
        BODY % "Transform { scale 1 2 3 children [ Shape { geometry Cylinder {} } ] }",
        "warning bounding-scale 2:36",
        "1 1 3 is used instead",
    ),
    bad(
        "old cylinder scaled",
        BODY % "Transform { scale 1 2 3 children [ Cylinder {} ] }",
        "warning bounding-scale 2:36",
        "1 2 1 is used instead",
        header=OLD,
    ),
    bad(
        "quadrangle",
        "Solid { boundingObject " + FACE % "0 1 2 -1 0 1 3 2 -1" + " }",
        "warning no-triangle 2:96",
        "face 2",
        "4 corners",
        "V8.3",
        header=OLD,
    ),
    bad(
        "grid",
        "Solid { boundingObject ElevationGrid { xDimension 1 yDimension 3 } }",
        "warning small-grid 2:24",
        "1 x 3 points",
    ),
    bad(
        "shape seen twice",
        "DEF S Shape { geometry Cone {} }\nSolid { boundingObject USE S }",
        ["warning not-a-bounding-object 2:24", "warning empty-bounding-object 3:9"],
    ),
    good("box scaled", BODY % "Transform { scale 1 2 3 children [ Box {} ] }"),
    good("cylinder scaled alike", BODY % "Transform { scale 2 2 3 children [ Cylinder {} ] }"),
    good("quadrangle today", "Solid { boundingObject " + FACE % "0 1 3 2" + " }"),
    good("static plane", "Solid { boundingObject Plane {} }"),
    good("none", "Solid {}"),
]

JOINTS = [
    bad("no end", "Solid { children [ BallJoint {} ] }", "warning no-end-point 2:20", "it moves nothing"),
    bad(
        "two motors",
        ROBOT % 'HingeJoint { device [ RotationalMotor {} RotationalMotor { name "b" } ] endPoint Solid {} }',
        "warning repeated-device 2:79",
        "a second Motor",
    ),
    bad("stops", HINGE % "minStop 1 maxStop 0.5", "warning stops 2:72", "minStop is 1, maxStop 0.5"),
    bad(
        "position",
        HINGE % "position -2 minStop -1 maxStop 1",
        "warning stops 2:72",
        "the stops allow -1 to 1",
    ),
    bad(
        "beyond pi", HINGE % "minStop -4 maxStop 4", ["warning stops 2:72", "warning stops 2:83"], "beyond pi"
    ),
    bad(
        "limits", MOTOR % ("", "minPosition 2 maxPosition 1"), "warning motor-limits 2:118", "must be smaller"
    ),
    bad(
        "limits and stops",
        MOTOR % ("minStop -1 maxStop 1", "minPosition -2 maxPosition 1"),
        "warning motor-limits 2:138",
        "minPosition is -2",
        "minStop -1",
    ),
    bad(
        "parallel",
        "Solid { boundingObject Box {} physics Physics {} children [ Hinge2Joint { jointParameters2 "
        "JointParameters { axis 2 0 0 } endPoint Solid {} } ] }",
        "warning parallel-axes 2:61",
    ),
    good("hinge", MOTOR % ("position 0.5 minStop -1 maxStop 1", "minPosition -1 maxPosition 1")),
    good(
        "slider beyond pi",
        "Solid { children [ SliderJoint { jointParameters JointParameters { minStop -9 maxStop 9"
        " } endPoint Solid {} } ] }",
    ),
    good(
        "all devices",
        ROBOT % "HingeJoint { device [ RotationalMotor {} PositionSensor {} Brake {} ] endPoint Solid {} }",
    ),
]

CONTACTS = [
    bad(
        "coefficients",
        "",
        "warning friction-values 2:53",
        "has 5 values; allowed: 1 to 4",
        frame=(
            "WorldInfo { contactProperties [ ContactProperties { coulombFriction [ 1 2 3 4 5 ] } ] }\n"
            "Viewpoint {}\n"
        ),
    ),
    bad(
        "no slip",
        "",
        "warning friction-values 2:53",
        "has 0 values",
        frame=(
            "WorldInfo { contactProperties [ ContactProperties { forceDependentSlip [ ] } ] }\nViewpoint {}\n"
        ),
    ),
    bad(
        "pair",
        "",
        "warning repeated-pair 3:1",
        'for "b" and "a"',
        frame=(
            'WorldInfo { contactProperties [ ContactProperties { material1 "a" material2 "b" }\n'
            'ContactProperties { material1 "b" material2 "a" } ] }\nViewpoint {}\n'
        ),
    ),
    good(
        "pairs",
        "",
        frame=(
            "WorldInfo { contactProperties [ "
            'ContactProperties { material1 "a" coulombFriction [ 1 2 3 4 ] }\n'
            'ContactProperties { material1 "a" material2 "a" } ] }\nViewpoint {}\n'
        ),
    ),
]


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), PHYSICS)
def test_physics(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), BOUNDING)
def test_bounding(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), JOINTS)
def test_joints(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), CONTACTS)
def test_contacts(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)
