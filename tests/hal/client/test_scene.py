"""The scene in a supervisor's hands, against the simulator inside the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.hal import api
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.dialect import DIALECTS, R2025A, Dialect
from wbridge.hal.protocol.loopback import Loopback

Attach = Callable[[Loopback], NativeRobot]
BALL, TRANSLATION, CHILDREN = 4, 1, 2


def scene(dialect: Dialect = R2025A) -> Loopback:
    """A world with the node BALL, whose translation can be read, set and tracked."""
    world = Loopback(supervisor=True, dialect=dialect)
    extra = (-1, -1) if dialect.proto_index else ()
    layer = 1 if dialect.proto_index else 0

    def field(*values: object) -> list:
        name = values[1 + layer]
        known = {"translation": (TRANSLATION, 5, False, -1), "children": (CHILDREN, 25, False, 2)}
        return [("field", (*known.get(str(name), (-1, 0, False, 0)), *extra, name))]

    world.on["node_by_def"] = lambda name, _: [
        ("node_by_def", (BALL, 80, -1, 0, False, "Solid") if name == "BALL" else (0, 0, -1, -1, False, ""))
    ]
    world.on["get_field"] = field
    world.on["get_value"] = lambda *_: [("value", (5, BALL, -1, TRANSLATION, (1.0, 2.0, 3.0)))]
    world.on["get_position"] = lambda _: [("position", ((1.0, 2.0, 3.0),))]
    world.on["remove_value"] = lambda *_: [("field_count", (BALL, "children", 1)), ("node_removed", (9,))]
    return world


def names(world: Loopback, start: int = 0) -> list[str]:
    return [one.name for one in world.commands[start:] if one.name != "enable_joystick"]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=str)
def test_a_field_is_found_once_and_read_once_in_a_step(attach: Attach, dialect: Dialect):
    world = scene(dialect)
    attach(world)
    ball = api.wb_supervisor_node_get_from_def("BALL")
    field = api.wb_supervisor_node_get_field(ball, "translation")
    assert api.wb_supervisor_node_get_field(ball, "translation") is field
    for _ in range(2):
        assert api.wb_supervisor_field_get_sf_vec3f(field) == [1.0, 2.0, 3.0]
    assert names(world) == ["node_by_def", "get_field", "get_value"]
    api.wb_robot_step(32)
    api.wb_supervisor_field_get_sf_vec3f(field)
    assert names(world)[-1] == "get_value"


def test_sets_wait_for_the_step_and_the_newest_wins(attach: Attach):
    world = scene()
    attach(world)
    field = api.wb_supervisor_node_get_field(api.wb_supervisor_node_get_from_def("BALL"), "translation")
    api.wb_supervisor_field_set_sf_vec3f(field, [0, 0, 1])
    api.wb_supervisor_field_set_sf_vec3f(field, [0, 0, 2])
    assert api.wb_supervisor_field_get_sf_vec3f(field) == [0.0, 0.0, 2.0]
    assert world.last("set_field") is None
    api.wb_robot_step(32)
    assert [one.values for one in world.commands if one.name == "set_field"] == [
        (BALL, TRANSLATION, 5, -1, (0.0, 0.0, 2.0))
    ]


def test_an_insertion_takes_the_queued_sets_along_in_front_of_it(attach: Attach):
    world = scene()
    attach(world)
    ball = api.wb_supervisor_node_get_from_def("BALL")
    api.wb_supervisor_field_set_sf_vec3f(api.wb_supervisor_node_get_field(ball, "translation"), [0, 0, 1])
    children = api.wb_supervisor_node_get_field(ball, "children")
    start = len(world.commands)
    api.wb_supervisor_field_import_mf_node_from_string(children, -1, "Solid { }")
    assert names(world, start) == ["set_field", "insert_value"]
    assert world.last("insert_value") == (BALL, CHILDREN, 2, b"Solid { }\0")


def test_a_removal_updates_the_count_and_forgets_the_node(attach: Attach):
    attach(scene())
    children = api.wb_supervisor_node_get_field(api.wb_supervisor_node_get_from_def("BALL"), "children")
    assert api.wb_supervisor_field_get_count(children) == 2
    api.wb_supervisor_field_remove_mf(children, -1)
    assert api.wb_supervisor_field_get_count(children) == 1


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda f: api.wb_supervisor_field_get_sf_float(f), "is of type SFVec3f"),
        (lambda f: api.wb_supervisor_field_set_sf_vec3f(f, [1, 2, float("nan")]), "expected 3 numbers"),
        (lambda f: api.wb_supervisor_field_remove_mf(f, 0), "is not a list"),
        (lambda f: api.wb_supervisor_field_enable_sf_tracking(f, 0), "invalid sampling period"),
    ],
)
def test_wrong_calls_are_told_and_not_sent(
    attach: Attach, call: Callable, text: str, capsys: pytest.CaptureFixture[str]
):
    world = scene()
    attach(world)
    field = api.wb_supervisor_node_get_field(api.wb_supervisor_node_get_from_def("BALL"), "translation")
    start = len(world.commands)
    call(field)
    api.wb_robot_step(32)
    assert text in capsys.readouterr().err
    assert names(world, start) == []


def test_a_vector_of_another_length_is_refused(attach: Attach):
    world = scene()
    attach(world)
    field = api.wb_supervisor_node_get_field(api.wb_supervisor_node_get_from_def("BALL"), "translation")
    start = len(world.commands)
    with pytest.raises(ValueError, match="'values' has 2 numbers; expected 3"):
        api.wb_supervisor_field_set_sf_vec3f(field, [1, 2])
    api.wb_robot_step(32)
    assert names(world, start) == []


def test_what_is_not_there_is_none(attach: Attach):
    attach(scene())
    assert api.wb_supervisor_node_get_from_def("CUBE") is None
    ball = api.wb_supervisor_node_get_from_def("BALL")
    assert api.wb_supervisor_node_get_field(ball, "size") is None
    assert api.wb_supervisor_node_get_selected() is None


def test_a_robot_that_is_no_supervisor_is_told(attach: Attach, capsys: pytest.CaptureFixture[str]):
    attach(Loopback())
    assert api.wb_supervisor_node_get_self() is None
    api.wb_supervisor_simulation_reset()
    assert capsys.readouterr().err.count("is not a supervisor") == 2


def test_the_own_node_and_the_root(attach: Attach):
    attach(scene())
    own = api.wb_supervisor_node_get_self()
    assert (own.id, own.get_def(), own.get_base_type_name()) == (1, "ROBOT", "Robot")
    assert own.get_parent_node() is api.wb_supervisor_node_get_root()


def test_a_tracked_pose_is_not_asked_for(attach: Attach):
    world = scene()
    attach(world)
    ball = api.wb_supervisor_node_get_from_def("BALL")
    api.wb_supervisor_node_enable_pose_tracking(ball, 32, None)
    matrix = tuple(map(float, range(16)))
    world.tell("pose", 0, BALL, matrix)
    api.wb_robot_step(32)
    start = len(world.commands)
    assert api.wb_supervisor_node_get_pose(ball, None) == list(matrix)
    assert api.wb_supervisor_node_get_position(ball) == [3.0, 7.0, 11.0]
    assert names(world, start) == []


def test_a_removed_node_is_not_used_any_more(attach: Attach, capsys: pytest.CaptureFixture[str]):
    world = scene()
    attach(world)
    ball = api.wb_supervisor_node_get_from_def("BALL")
    world.tell("node_removed", BALL)
    api.wb_robot_step(32)
    start = len(world.commands)
    api.wb_supervisor_node_reset_physics(ball)
    assert "was removed" in capsys.readouterr().err
    assert names(world, start) == []


def test_a_label(attach: Attach):
    world = scene()
    attach(world)
    api.wb_supervisor_set_label(3, "hi", 0.1, 0.2, 0.05, 0x00FF00, 0.5, "Arial")
    assert world.last("set_label") == (3, 0.1, 0.2, 0.05, 0x7F00FF00, "hi", "Arial")
