"""PROTO instances: their parameters, layers and insides; bodies that are made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.supervisor.bench import FLOOR, Bench
from wbridge.hal.protocol.dialect import R2023B

PLAIN = """#VRML_SIM R2023b utf8
PROTO Plain [ field SFVec3f translation 0 0 0 field SFRotation rotation 0 0 1 0 field SFString name "plain"
  field SFColor color 1 0 0 field MFNode extra [ ] field SFFloat mass 2 ] {
  Solid { translation IS translation rotation IS rotation name IS name
    children [
      DEF INSIDE Pose { translation 0 0 1 children IS extra }
      DEF SHAPE Shape {
        appearance PBRAppearance { baseColor IS color } geometry DEF SIZE Box { size 1 2 3 } } ]
    boundingObject Box { size 1 1 1 } physics Physics { density -1 mass IS mass } } }
"""
DERIVED = """#VRML_SIM R2023b utf8
EXTERNPROTO "Plain.proto"
PROTO Derived [ field SFVec3f translation 0 0 0 field SFColor paint 0 1 0 field SFString name "derived" ] {
  Plain { translation IS translation color IS paint name IS name mass 5 } }
"""
STACK = """#VRML_SIM R2023b utf8
PROTO Stack [ field SFVec3f translation 0 0 0 field SFInt32 count 2 field SFString name "stack" ] {
  %< if (fields.count.value < 0) throw new Error("too few"); >%
  Solid { translation IS translation name IS name children [
    %< for (let i = 0; i < fields.count.value; i++) { >%
    DEF PLATE Pose { translation 0 0 %<= i >% }
    %< } >%
  ] boundingObject Box { size 1 1 %<= fields.count.value >% } physics Physics { } } }
"""
CAR = """#VRML_SIM R2023b utf8
PROTO Car [ field SFString name "car" field SFInt32 eyes 1 field SFString controller "<extern>" ] {
  Robot { name IS name controller IS controller children [
    %< for (let i = 0; i < fields.eyes.value; i++) { >%
    DistanceSensor { name "eye%<= i >%" }
    %< } >%
  ] } }
"""
WRAPPED = """#VRML_SIM R2023b utf8
EXTERNPROTO "Stack.proto"
PROTO Wrapped [ field SFInt32 levels 2 field SFString name "wrapped" ] {
  Solid { name IS name children [ Group { children [ DEF IN Stack { count IS levels } ] } ] } }
"""


LAMP = """#VRML_SIM R2023b utf8
PROTO Lamp [ field SFString name "lamp" field MFNode lights [ ] ] {
  Solid { name IS name children IS lights boundingObject Box {
    size 1 1 %<= 1 + (fields.lights.value.length ? fields.lights.value[0].fields.color.value.r : 0) >% } } }
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "worlds").mkdir()
    folder = tmp_path / "protos"
    folder.mkdir()
    for name, text in (
        ("Plain", PLAIN),
        ("Derived", DERIVED),
        ("Stack", STACK),
        ("Car", CAR),
        ("Wrapped", WRAPPED),
        ("Lamp", LAMP),
    ):
        header, rest = text.split("\n", 1)
        language = "" if "%<" not in text else "# template language: javascript\n"
        (folder / f"{name}.proto").write_text(f"{header}\n{language}{rest}", encoding="utf-8")
    return tmp_path / "worlds" / "test.wbt"


@pytest.fixture
def make(bench, home):
    names = ("Plain", "Derived", "Stack", "Car", "Lamp")
    importable = "".join(f'IMPORTABLE EXTERNPROTO "../protos/{one}.proto"\n' for one in names)
    header = "#VRML_SIM R2023b utf8\n" + importable + 'EXTERNPROTO "../protos/Wrapped.proto"\n'

    def of(around: str, **options) -> Bench:
        return bench(around, header=header, path=home, **options)

    return of


def test_an_instance_shows_its_parameters(make):
    b = make("DEF P Plain { translation 1 0 0 mass 3 }")
    node = b.api.getFromDef("P")
    assert (node.getTypeName(), node.getBaseTypeName(), node.isProto()) == ("Plain", "Solid", True)
    assert node.getNumberOfFields() == 6
    assert [node.getFieldByIndex(i).getName() for i in range(6)] == [
        *("translation", "rotation", "name", "color", "extra", "mass")
    ]
    assert node.getField("mass").getSFFloat() == 3
    assert node.getField("children") is None


def test_a_parameter_that_is_set_changes_the_inside(make):
    b = make("DEF P Plain { }", info="gravity 0")
    node = b.api.getFromDef("P")
    node.getField("color").setSFColor([0, 0, 1])
    node.getField("mass").setSFFloat(8)
    node.getField("translation").setSFVec3f([4, 5, 6])
    b.tick()
    assert node.getPosition() == pytest.approx([4, 5, 6])
    node.addForce([8, 0, 0], False)
    b.tick()
    assert node.getVelocity()[0] == pytest.approx(0.016)
    assert node.getBaseNodeField("physics").getSFNode().getField("mass").getSFFloat() == 8


def test_fields_inside_are_read_only(make):
    b = make("DEF P Plain { }")
    node = b.api.getFromDef("P")
    field = node.getBaseNodeField("translation")
    assert field.getSFVec3f() == [0, 0, 0]
    assert field.getActualField().getName() == "translation"
    assert node.getBaseNodeField("boundingObject").getActualField() is None
    inside = node.getBaseNodeField("boundingObject").getSFNode()
    b.queue(62, inside.getId(), 0, 5, -1, (9.0, 9.0, 9.0))
    b.tick()
    assert inside.getField("size").getSFVec3f() == [1, 1, 1]
    assert any("inside a PROTO" in one for one in b.warnings)


def test_the_inside_is_found_by_its_def(make):
    b = make("DEF P Plain { translation 1 0 0 }", info="gravity 0")
    node = b.api.getFromDef("P")
    inside = node.getFromProtoDef("INSIDE")
    assert inside.getPosition() == pytest.approx([1, 0, 1])
    assert node.getFromProtoDef("SHAPE.SIZE").getTypeName() == "Box"
    assert node.getFromProtoDef("NOTHING") is None
    assert b.api.getFromDef("INSIDE") is None
    assert inside.getParentNode().getId() == node.getId()


def test_the_layers_of_a_derived_proto(make):
    b = make("DEF D Derived { }")
    node = b.api.getFromDef("D")
    outer = node.getProto()
    assert (outer.getTypeName(), outer.isDerived(), outer.getNumberOfFields()) == ("Derived", True, 3)
    inner = outer.getParent()
    assert (inner.getTypeName(), inner.isDerived(), inner.getNumberOfFields()) == ("Plain", False, 6)
    assert inner.getParent() is None
    assert inner.getField("mass").getSFFloat() == 5
    assert inner.getField("mass").getActualField() is None
    actual = inner.getField("color").getActualField()
    assert actual.getName() == "paint"
    actual.setSFColor([0, 0, 1])
    b.tick()
    assert inner.getField("color").getSFColor() == [0, 0, 1]
    assert b.api.getFromDef("BOSS").getProto() is None


def test_nodes_in_parameters_belong_to_the_instance(make):
    b = make("DEF P Plain { extra [ DEF MINE Pose { translation 1 0 0 } ] }", info="gravity 0")
    mine = b.api.getFromDef("MINE")
    assert mine.getPosition() == pytest.approx([1, 0, 1])
    assert mine.getParentNode().getDef() == "P"
    extra = b.api.getFromDef("P").getField("extra")
    extra.importMFNodeFromString(-1, "DEF MORE Pose { translation 2 0 0 }")
    assert extra.getCount() == 2
    assert b.api.getFromDef("MORE").getPosition() == pytest.approx([2, 0, 1])
    extra.removeMF(0)
    assert b.api.getFromDef("MINE") is None
    assert extra.getMFNode(0).getDef() == "MORE"


def test_a_declared_proto_is_imported(make):
    b = make("")
    children = b.api.getRoot().getField("children")
    children.importMFNodeFromString(-1, "DEF NEW Plain { translation 0 0 9 mass 3 }")
    new = b.api.getFromDef("NEW")
    b.tick(10)
    assert new.isProto()
    assert 8 < new.getPosition()[2] < 9
    assert b.warnings == []


def test_a_proto_that_nobody_declared_is_told(make):
    b = make("")
    b.api.getRoot().getField("children").importMFNodeFromString(-1, "Plainn { }")
    assert any("Plainn" in one and "did you mean 'Plain'" in one for one in b.warnings), b.warnings


def test_a_template_makes_its_body_anew(make):
    b = make("DEF S Stack { translation 0 0 7 }", info="gravity 0")
    stack = b.api.getFromDef("S")
    plate = stack.getFromProtoDef("PLATE")
    uid = stack.getId()
    stack.getField("count").setSFInt32(4)
    b.tick()
    assert stack.getBaseNodeField("children").getCount() == 4
    assert plate.getId() == -1
    assert (stack.getId(), stack.getPosition()) == (uid, pytest.approx([0, 0, 7]))
    assert stack.getFromProtoDef("PLATE") is not None
    assert b.simulation.physics.plan.solid(b.node("S")).geometries[0].size == (1, 1, 4)


def test_each_color_that_a_template_reads_makes_the_body_anew(make):
    b = make("DEF P Lamp { lights [ DEF L PointLight { color 0 0 0 } ] } DEF F PointLight { }")
    b.simulation.set_field(b.node("F"), "color", (1.0, 0.0, 0.0))  # no template reads this one
    for red in (0.5, 0.25, 1.0):
        b.simulation.set_field(b.node("L"), "color", (red, 0.0, 0.0))
        assert b.node("P").root.get("boundingObject").get("size") == (1, 1, 1 + red)


def test_a_body_is_made_anew_once_for_all_sets_of_a_robot(make):
    b = make("DEF S Stack { translation 0 0 7 }", info="gravity 0")
    stack = b.api.getFromDef("S")
    made = []
    expander = b.simulation.world.expander
    regenerate = expander.regenerate
    expander.regenerate = lambda instance: (made.append(instance), regenerate(instance))[1]
    stack.getField("count").setSFInt32(4)
    stack.getField("translation").setSFVec3f([0, 0, 8])
    stack.getField("name").setSFString("other")
    b.tick()
    assert len(made) == 1
    assert stack.getPosition() == pytest.approx([0, 0, 8])


def test_a_template_that_fails_leaves_the_body_as_it_was(make, caplog):
    b = make("DEF S Stack { }" + FLOOR, info="gravity 0")
    stack = b.api.getFromDef("S")
    stack.getField("count").setSFInt32(-5)
    b.tick(2)
    assert stack.getBaseNodeField("children").getCount() == 2
    assert any("too few" in one for one in caplog.messages)
    assert len(b.simulation.physics.plan.parts) == 3


def test_a_robot_made_anew_keeps_its_devices(make):
    b = make("DEF C Car { }")
    car = b.connect("car")
    eye = b.of(car, "eye0")
    eye.enable(b.period)
    b.step(2)
    b.api.getFromDef("C").getField("eyes").setSFInt32(2)
    b.step(2)
    robot = b.simulation.robots.find("car")
    assert [one.name for one in robot.devices] == ["eye0", "eye1"]
    assert b.of(car, "eye1").tag == 2
    assert eye.get_value() == eye.get_value()
    b.api.getFromDef("C").getField("eyes").setSFInt32(0)
    assert b.step(2) == 0


def test_the_dialect_without_layers(make):
    b = make("DEF D Derived { }", dialect=R2023B)
    node = b.api.getFromDef("D")
    assert node.getField("paint").getSFColor() == [0, 1, 0]
    assert node.getBaseNodeField("name").getSFString() == "derived"
    assert node.getProto() is None
    node.getField("paint").setSFColor([0, 0, 1])
    b.tick()
    assert node.getField("paint").getSFColor() == [0, 0, 1]


def test_a_reset_brings_back_bodies_and_devices(make):
    b = make("DEF S Stack { translation 0 0 7 } DEF C Car { } DEF P Plain { translation 5 0 3 }" + FLOOR)
    b.simulation.robots.find("car").node.field("controller").value = "<none>"
    b.tick()
    b.tick(30)
    first = b.simulation.hash()
    for _ in range(2):
        b.api.simulationReset()
        b.tick()
        b.api.getFromDef("S").getField("count").setSFInt32(3)
        b.api.getFromDef("S").getField("name").setSFString("other")
        b.api.getFromDef("C").getField("eyes").setSFInt32(3)
        b.api.getFromDef("P").getField("mass").setSFFloat(9)
        b.tick(10)
        b.api.simulationReset()
        b.tick(31)
        assert b.api.getFromDef("S").getBaseNodeField("children").getCount() == 2
        assert b.api.getFromDef("P").getField("mass").getSFFloat() == 2
        assert b.simulation.hash() == first
    car = b.simulation.robots.find("car")
    assert [one.name for one in car.devices if one.tag not in car.removed_tags] == ["eye0"]


def test_a_parameter_that_reaches_a_template_inside_makes_its_body_anew(make):
    """WbField::redirectTo in the public source of Webots: such a parameter regenerates, too."""
    b = make("DEF W Wrapped { }", info="gravity 0")
    for levels in (5, 1):
        b.api.getFromDef("W").getField("levels").setSFInt32(levels)
        b.tick()
        inside = b.api.getFromDef("W").getFromProtoDef("IN")
        assert inside.getBaseNodeField("children").getCount() == levels


@pytest.mark.parametrize("text", ["Wrapped { }", "Group { children [ DEF W Wrapped { } ] }"])
def test_only_importable_protos_are_imported(make, text: str):
    """WbNodeOperations::importNode and the manual of the supervisor (3.9.3) for R2022b and newer."""
    b = make("")
    children = b.api.getRoot().getField("children")
    count = children.getCount()
    children.importMFNodeFromString(-1, text)
    assert children.getCount() == count
    assert any('IMPORTABLE EXTERNPROTO "../protos/Wrapped.proto"' in one for one in b.warnings), b.warnings


def test_older_worlds_import_any_proto(bench, home):
    b = bench("", header="#VRML_SIM R2021b utf8\n", path=home)
    b.api.getRoot().getField("children").importMFNodeFromString(-1, "DEF NEW Plain { }")
    assert b.api.getFromDef("NEW").getTypeName() == "Plain"


KIND = """#VRML_SIM R2023b utf8
PROTO Kind [ field SFString{"a", "b"} name "a" ] { Solid { name IS name } }
"""


def test_a_value_outside_of_a_restriction_becomes_the_default(bench, home):
    """WbField::checkValueIsAccepted in the public source of Webots."""
    (home.parent.parent / "protos" / "Kind.proto").write_text(KIND, encoding="utf-8")
    header = '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Kind.proto"\n'
    b = bench('DEF K Kind { name "b" }', header=header, path=home)
    name = b.api.getFromDef("K").getField("name")
    name.setSFString("z")
    b.tick()
    assert name.getSFString() == "a"
    assert any("cannot be z; a is used instead" in one for one in b.warnings), b.warnings


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('Slot { type "hand-" endPoint Solid { name "h" } }', True),
        ("Slot { }", True),
        ('Slot { type "hand+" }', False),
        ('Slot { type "foot-" }', False),
        ("Solid { }", False),
    ],
)
def test_only_a_matching_slot_is_put_into_a_slot(bench, text: str, fits: bool):
    """Manual, 3.62; isAllowedToInsert of WbNodeUtilities.cpp in the public source of Webots."""
    b = bench('Solid { name "arm" children [ DEF S Slot { type "hand+" } ] }')
    b.api.getFromDef("S").getField("endPoint").importSFNodeFromString(text)
    assert (b.node("S").get("endPoint") is not None) == fits
    assert bool(b.warnings) != fits, b.warnings
