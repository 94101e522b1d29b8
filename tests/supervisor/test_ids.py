"""Numbers of nodes, and what getters give when there is nothing to get.

Judges: src/controller/c/supervisor.c and gps.c in the public source of Webots (the values behind a failed
check), WbNode::createProtoInstanceFromParameters (the number in templates is that of the node).
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from tests.image_files import read_image_file
from tests.supervisor.bench import ARM, BALL
from wbridge.hal import api
from wbridge.hal.client import native, session
from wbridge.hal.protocol.loopback import Loopback, Peer

MARK = """#VRML_SIM R2023b utf8
# template language: javascript
PROTO Mark [ field SFString name "mark" ] { Solid { name IS name description "%<= context.id >%" } }
"""


def test_nodes_that_nobody_asked_for_are_found_by_number(bench):
    b = bench(BALL + ARM)
    found = {}
    for uid in range(1, 60):
        node = b.api.getFromId(uid)
        if node is not None:
            found[uid] = node.getDef() or node.getTypeName()
    assert {"BALL", "LOOK", "COLOR", "ARM", "HINGE", "LINK", "BOSS", "WorldInfo"} <= set(found.values())
    assert list(found) == list(range(1, len(found) + 1))


def test_numbers_follow_the_file_whatever_is_asked_first(bench):
    first, second = bench(BALL + ARM), None
    link = first.api.getFromDef("LINK").getId()
    second = bench(BALL + ARM)
    second.api.getFromDef("BALL").getId()
    assert second.api.getFromDef("LINK").getId() == link


def test_a_template_is_told_the_number_of_its_node(bench, tmp_path: Path):
    (tmp_path / "Mark.proto").write_text(MARK, encoding="utf-8")
    header = '#VRML_SIM R2023b utf8\nEXTERNPROTO "Mark.proto"\n'
    b = bench('DEF A Mark { } DEF B Mark { name "b" }', header=header, path=tmp_path / "w.wbt")
    for name in "AB":
        node = b.api.getFromDef(name)
        assert node.getBaseNodeField("description").getSFString() == str(node.getId())
        assert b.api.getFromId(node.getId()).getDef() == name


def test_an_imported_template_is_told_the_number_of_its_node(bench, tmp_path: Path):
    (tmp_path / "Mark.proto").write_text(MARK, encoding="utf-8")
    header = '#VRML_SIM R2023b utf8\nIMPORTABLE EXTERNPROTO "Mark.proto"\n'
    b = bench(BALL, header=header, path=tmp_path / "w.wbt")
    b.api.getRoot().getField("children").importMFNodeFromString(-1, "DEF NEW Mark { }")
    node = b.api.getFromDef("NEW")
    assert node.getBaseNodeField("description").getSFString() == str(node.getId())


def test_of_a_removed_node_nothing_is_known(bench, capsys):
    b = bench(BALL)
    node = b.api.getFromDef("BALL")
    field = node.getField("translation")
    node.remove()
    b.tick()
    assert (node.getId(), node.getType(), node.getTypeName(), node.getDef()) == (-1, 0, "", "")
    assert (node.getBaseTypeName(), node.isProto(), node.getParentNode()) == ("", False, None)
    assert (field.getType(), field.getTypeName(), field.getCount()) == (0, "", -1)
    assert "called for a node that was removed" in capsys.readouterr().err


def test_without_rights_nothing_is_known(bench, capsys):
    b = bench(BALL)
    node = b.api.getFromDef("BALL")
    b.get("BOSS", "supervisor").setSFBool(False)
    b.tick(2)
    assert (node.getId(), node.getType(), node.getDef()) == (-1, 0, "")
    assert "is not a supervisor" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("getter", "nothing"),
    [
        ("getSFBool", False),
        ("getSFInt32", 0),
        ("getSFFloat", 0.0),
        ("getSFString", ""),
        ("getSFVec2f", None),
        ("getSFColor", None),
        ("getSFRotation", None),
        ("getSFNode", None),
    ],
)
def test_a_field_of_another_type_gives_nothing(bench, getter: str, nothing: object):
    field = bench(BALL).api.getFromDef("BALL").getField("translation")
    assert getattr(field, getter)() == nothing
    assert field.getMFFloat(0) == 0.0


@pytest.mark.parametrize(
    ("angle", "text"),
    [(46.5125, "46° 30′ 45″"), (-46.5125, "-46° -30′ -45″"), (-0.5, "0° -30′ 0″"), (0.0, "0° 0′ 0″")],
)
def test_degrees_as_text(bench, angle: float, text: str):
    bench()
    assert api.wb_gps_convert_to_degrees_minutes_seconds(angle) == text


@pytest.mark.parametrize("name", ["x.bmpx", "x", "x.123"])
def test_a_format_that_does_not_exist_is_told(bench, tmp_path: Path, capsys, name: str):
    b = bench()
    b["cam"].enable(b.period)
    b.tick()
    assert b["cam"].save_image(str(tmp_path / name), 50) == -1
    assert "only PNG (.png) and JPEG (.jpg) can be written" in capsys.readouterr().err


def test_distances_that_are_none_are_saved(tmp_path: Path):
    near_and_far = struct.pack("<4f", 1.0, math.inf, math.nan, -1.0)
    (tmp_path / "ranges").write_bytes(near_and_far)
    world = Loopback([Peer("RangeFinder", "r", {"width": 2, "height": 2, "max_range": 4.0})])
    native.attach(world)
    api.wb_range_finder_enable(1, 32)
    world["r"].send("image_file", len(near_and_far), str(tmp_path / "ranges"))
    api.wb_robot_step(32)
    assert api.wb_range_finder_save_image(1, str(tmp_path / "x.nothing"), 50) == -1
    assert api.wb_range_finder_save_image(1, str(tmp_path / "x.png"), 50) == 0
    grays = read_image_file(str(tmp_path / "x.png"))[2][::4]
    assert (grays[0], grays[1], grays[3]) == (63, 255, 0)
    session.cleanup()
