"""A supervisor that tries what the object API offers, and prints what it reads as lines of JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress

from controller import Field, Node, Supervisor

STEP = 16
NEW = (
    'DEF NEW Solid { translation 0 3 2 name "ball" children [ '
    "DEF SMALL Shape { geometry Sphere { radius 0.1 } } ] "
    "boundingObject Sphere { radius 0.1 } physics Physics { } }"
)
boss = Supervisor()


def tell(topic, *values):
    print(json.dumps({"topic": topic, "values": values}), flush=True)


def node(name):
    return boss.getFromDef(name)


def field(name, key):
    return node(name).getField(key)


def named(number):
    """The name of a node type: libraries number them in their own ways."""
    names = {value: name for name, value in vars(Node).items() if isinstance(value, int) and name.isupper()}
    return names[number]


def nodes():
    root, ball = boss.getRoot(), node("BALL")
    tell("root", root.getId(), named(root.getType()), root.getField("children").getCount())
    tell(
        "ball",
        named(ball.getType()),
        ball.getTypeName(),
        ball.getBaseTypeName(),
        ball.getDef(),
        ball.isProto(),
    )
    tell("same", boss.getFromId(ball.getId()).getDef(), ball.getParentNode().getId())
    tell("self", boss.getSelf().getDef(), boss.getSelf().getTypeName())
    tell("path", node("ARM.HINGE.LINK").getDef(), node("NOBODY") is None, boss.getSelected() is None)
    tell("types", ball.getType() == Node.SOLID, node("HINGE").getType() == Node.HINGE_JOINT)
    tell("layers", ball.getProto() is None if hasattr(ball, "getProto") else True)


def fields():
    ball = node("BALL")
    tell("translation", ball.getField("translation").getSFVec3f(), ball.getField("translation").getTypeName())
    tell("rotation", ball.getField("rotation").getSFRotation())
    tell("name", ball.getField("name").getSFString(), bool(ball.getField("locked").getSFBool()))
    tell("color", field("COLOR", "baseColor").getSFColor(), field("ROUND", "radius").getSFFloat())
    tell("number", field("ROUND", "subdivision").getSFInt32(), ball.getField("physics").getSFNode().getDef())
    tell("children", ball.getField("children").getCount(), ball.getField("children").getMFNode(1).getDef())
    info = boss.getRoot().getField("children").getMFNode(0).getField("info")
    tell(
        "info", info.getCount(), info.getMFString(0), info.getMFString(-1), info.getType() == Field.MF_STRING
    )
    tell("first", ball.getFieldByIndex(0).getName() if hasattr(ball, "getFieldByIndex") else "translation")
    tell("none", ball.getField("nothing") is None)


def sets():
    ball = node("BALL")
    ball.getField("translation").setSFVec3f([0.0, 2.0, 1.0])
    tell("queued", ball.getField("translation").getSFVec3f(), ball.getPosition())
    field("COLOR", "baseColor").setSFColor([0.0, 0.5, 1.0])
    field("ROUND", "radius").setSFFloat(0.2)
    field("ROUND", "subdivision").setSFInt32(2)
    field("MASS", "mass").setSFFloat(4.0)
    ball.getField("name").setSFString("stone")
    ball.getField("locked").setSFBool(True)
    boss.step(STEP)
    tell(
        "set",
        ball.getPosition(),
        field("COLOR", "baseColor").getSFColor(),
        field("ROUND", "radius").getSFFloat(),
    )
    tell("set", ball.getField("name").getSFString(), field("MASS", "mass").getSFFloat())
    info = boss.getRoot().getField("children").getMFNode(0).getField("info")
    info.setMFString(0, "zero")
    info.insertMFString(-1, "last")
    info.insertMFString(0, "first")
    info.removeMF(2)
    tell("list", info.getCount(), [info.getMFString(i) for i in range(info.getCount())])


def lists():
    children = boss.getRoot().getField("children")
    children.importMFNodeFromString(-1, NEW)
    new = node("NEW")
    tell("new", children.getCount(), new.getPosition(), new.getField("name").getSFString())
    boss.step(STEP)
    tell("falls", new.getVelocity())
    text = new.exportString()
    tell("text", text.split("{")[0].strip(), "translation" in text)
    new.remove()
    tell("gone", node("NEW") is None, children.getCount())
    physics = field("BALL", "physics")
    physics.removeSF()
    tell("empty", physics.getSFNode() is None, node("MASS") is None)
    physics.importSFNodeFromString("DEF MASS Physics { density -1 mass 3 }")
    tell("full", physics.getSFNode().getDef(), field("MASS", "mass").getSFFloat())
    children.importMFNodeFromString(-1, "Sollid {")
    tell("error", children.getCount())


def motion():
    ball, link = node("BALL"), node("LINK")
    ball.resetPhysics()
    tell("still", ball.getVelocity())
    boss.step(STEP)
    ball.setVelocity([0.1, 0.0, 0.2, 0.0, 0.0, 0.3])
    tell("velocity", ball.getVelocity())
    ball.addForce([1.0, 0.0, 0.0], False)
    boss.step(STEP)
    tell("pushed", ball.getVelocity(), ball.getOrientation())
    tell("pose", ball.getPose(), node("INNER").getPose(ball), node("INNER").getPosition())
    tell("center", ball.getCenterOfMass())
    node("HINGE").setJointPosition(0.5)
    tell("joint", link.getPosition(), field("TURN", "position").getSFFloat())
    ball.enablePoseTracking(STEP)
    field("BALL", "translation").enableSFTracking(STEP)
    for _ in range(60):
        boss.step(STEP)
        tell("tracked", ball.getPose(), field("BALL", "translation").getSFVec3f())
    ball.disablePoseTracking()
    field("BALL", "translation").disableSFTracking()
    points = ball.getContactPoints()
    tell("contacts", len(points), list(points[0].point))
    tell("contacts behind the first", [list(one.point) for one in points[1:]])
    tell("contacts of", [one.node_id == ball.getId() for one in points])
    tell("balance", ball.getStaticBalance())


def states():
    ball = node("BALL")
    ball.saveState("here")
    place = ball.getPosition()
    ball.setVelocity([0.0, 0.0, 3.0, 0.0, 0.0, 0.0])
    for _ in range(20):
        boss.step(STEP)
    ball.loadState("here")
    tell("loaded", place, ball.getPosition(), ball.getVelocity())
    boss.simulationResetPhysics()
    boss.step(STEP)


def run():
    boss.setLabel(0, "text", 0.1, 0.1, 0.1, 0xFF0000, 0.0, "Arial")
    node("BALL").setVisibility(node("VIEW"), False)
    node("BALL").moveViewpoint()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saved.wbt")
        tell("saved", bool(boss.worldSave(path)), os.path.isfile(path))
    boss.movieStartRecording(os.path.join(os.getcwd(), "absent", "a.mp4"), 100, 100, 0, 90, 1, False)
    tell("movie", bool(boss.movieFailed()), bool(boss.movieIsReady()))
    tell("animation", bool(boss.animationStartRecording(os.path.join(os.getcwd(), "absent", "a.html"))))
    # The package of R2023a has this method in a wrong class.
    tell("headset", bool(getattr(boss, "virtualRealityHeadsetIsUsed", lambda: False)()))
    with suppress(AttributeError):  # a setter that the package of R2023a lacks
        boss.simulationSetMode(boss.SIMULATION_MODE_FAST)
    tell("mode", boss.simulationGetMode())


for topic in (nodes, fields, sets, lists, motion, states, run):
    topic()
    boss.step(STEP)
    tell("time", topic.__name__, boss.getTime())
sys.stdout.flush()
