"""Table 5.1 of the reference manual: how values of fields arrive in templates, and how results read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wbridge.wbcore.scene.templates import FieldPair, render

Value = Callable[..., str]

SINGLE = [
    (True, "fields.f.value", "true"),
    (False, "fields.f.value", "false"),
    (12, "fields.f.value + 1", "13"),
    (-7, "fields.f.value", "-7"),
    (2147483647, "fields.f.value", "2147483647"),
    (2.5, "fields.f.value * 2", "5"),
    (10.0, "fields.f.value", "10"),
    (0.1, "fields.f.value", "0.1"),
    (-0.0, "fields.f.value", "0"),
    ("Webots", "fields.f.value", "Webots"),
    ("q\"\\n\n'`${x}é\u2028\0|", "fields.f.value", "q\"\\n\n'`${x}é\u2028\0|"),
    ({"x": 1.0, "y": 2.5}, "fields.f.value.x + fields.f.value.y", "3.5"),
    ({"x": 1.0, "y": 2.0, "z": 3.5}, "fields.f.value.z", "3.5"),
    ({"x": 0.0, "y": 1.0, "z": 0.0, "a": 1.5708}, "fields.f.value.a", "1.5708"),
    ({"r": 0.2, "g": 0.4, "b": 1.0}, "fields.f.value.g", "0.4"),
    ({"node_name": "Box", "fields": {}}, "fields.f.value.node_name", "Box"),
    (
        {"node_name": "Physics", "fields": {"mass": FieldPair(3.0, -1.0)}},
        "fields.f.value.fields.mass.value - fields.f.value.fields.mass.defaultValue",
        "4",
    ),
    (
        {"node_name": "A", "fields": {"b": FieldPair({"node_name": "B", "fields": {}}, None)}},
        "fields.f.value.fields.b.value.node_name",
        "B",
    ),
]


@pytest.mark.parametrize(("value", "code", "text"), SINGLE)
def test_single_values_arrive_in_both_languages(
    value: Any, code: str, text: str, lua_value: Value, javascript_value: Value
) -> None:
    assert lua_value(code, {"f": value}) == text
    assert javascript_value(code, {"f": value}) == text


LISTS = [
    ([True, False], "fields.f.value[{0}]", "true"),
    ([4, 5], "fields.f.value[{1}]", "5"),
    ([0.5, 0.25], "fields.f.value[{1}]", "0.25"),
    (["a", "b"], "fields.f.value[{0}]", "a"),
    ([{"x": 1.0, "y": 2.0, "z": 3.0}], "fields.f.value[{0}].y", "2"),
    ([{"r": 1.0, "g": 0.0, "b": 0.0}], "fields.f.value[{0}].r", "1"),
    ([{"node_name": "Cone", "fields": {}}], "fields.f.value[{0}].node_name", "Cone"),
]


@pytest.mark.parametrize(("value", "code", "text"), LISTS)
def test_lists_count_from_1_in_lua_and_from_0_in_javascript(
    value: Any, code: str, text: str, lua_value: Value, javascript_value: Value
) -> None:
    assert lua_value(code.format(1, 2), {"f": value}) == text
    assert javascript_value(code.format(0, 1), {"f": value}) == text


def test_lengths_of_lists(lua_value: Value, javascript_value: Value) -> None:
    assert lua_value("#fields.f.value", {"f": [1, 2, 3]}) == "3"
    assert javascript_value("fields.f.value.length", {"f": [1, 2, 3]}) == "3"
    assert javascript_value("Array.isArray(fields.f.value)", {"f": []}) == "true"


def test_null_node_is_nil_and_undefined(lua_value: Value, javascript_value: Value) -> None:
    assert lua_value("fields.f.value == nil", {"f": None}) == "true"
    assert javascript_value("fields.f.value === undefined", {"f": None}) == "true"


def test_value_and_default_differ() -> None:
    pair = {"f": FieldPair(2, 10)}
    assert render("%{= fields.f.value .. fields.f.defaultValue }%", "lua", pair, {}).text == "210"
    assert render("%<= [fields.f.value, fields.f.defaultValue] >%", "javascript", pair, {}).text == "2,10"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456789, "0.123457"), (123456.789, "123457"), (1 / 3, "0.333333"), (3.14159265, "3.14159")],
)
def test_floats_pass_with_six_digits(
    value: float, text: str, lua_value: Value, javascript_value: Value
) -> None:
    assert lua_value("fields.f.value", {"f": value}) == text
    assert javascript_value("fields.f.value", {"f": value}) == text


def test_infinite_and_undefined_numbers_arrive(lua_value: Value, javascript_value: Value) -> None:
    values = {"f": [float("inf"), float("-inf"), float("nan")]}
    assert javascript_value("fields.f.value", values) == "Infinity,-Infinity,NaN"
    assert lua_value("fields.f.value[1] == math.huge and fields.f.value[2] == -math.huge", values) == "true"
    assert lua_value("fields.f.value[3] ~= fields.f.value[3]", values) == "true"


@pytest.mark.parametrize(
    ("code", "lua_text", "javascript_text"),
    [
        ("1/3", "0.33333333333333", "0.3333333333333333"),
        ("10/2", "5", "5"),
        ("1e15", "1e+15", "1000000000000000"),
        ("0.1+0.2", "0.3", "0.30000000000000004"),
        ("1e100", "1e+100", "1e+100"),
        ("2^53" + " * 1", "9.007199254741e+15", None),
    ],
)
def test_numbers_are_written_as_the_languages_print_them(
    code: str, lua_text: str, javascript_text: str | None, lua_value: Value, javascript_value: Value
) -> None:
    assert lua_value(code) == lua_text
    if javascript_text is not None:
        assert javascript_value(code) == javascript_text


def test_other_results_are_written_as_the_languages_print_them(
    lua_value: Value, javascript_value: Value
) -> None:
    assert lua_value("nil") == "nil"
    assert lua_value("{}") == "table: 1"
    assert javascript_value("undefined") == "undefined"
    assert javascript_value("({})") == "[object Object]"


def test_context_is_plain_data(lua_value: Value, javascript_value: Value) -> None:
    context = {"world": "C:\\w\\a.wbt", "id": "42", "webots_version": {"major": "R2023b", "revision": "0"}}
    for value in (lua_value, javascript_value):
        assert value("context.world", context=context) == "C:\\w\\a.wbt"
        assert value("context.webots_version.major", context=context) == "R2023b"


def test_deep_trees_of_nodes_arrive(lua_value: Value, javascript_value: Value) -> None:
    node: Any = {"node_name": "Leaf", "fields": {}}
    for _ in range(60):
        node = {"node_name": "Joint", "fields": {"endPoint": FieldPair([node], [])}}
    assert lua_value("fields.f.value.node_name", {"f": node}) == "Joint"
    assert javascript_value("fields.f.value.node_name", {"f": node}) == "Joint"


def test_tree_nested_without_end_is_an_error(fails: Callable[..., Any]) -> None:
    node: Any = {"node_name": "Leaf", "fields": {}}
    for _ in range(3000):
        node = {"node_name": "Joint", "fields": {"endPoint": FieldPair([node], [])}}
    assert "nested too deeply" in fails("lua", "%{= 1 }%", {"f": node}).message


def test_names_that_could_touch_prototypes_are_plain_keys(javascript_value: Value) -> None:
    fields = {"__proto__": {"x": 1.0, "y": 2.0}, "a": 1}
    assert javascript_value("Object.getPrototypeOf(fields) === Object.prototype", fields) == "true"
    assert javascript_value("Object.keys(fields)", fields) == "__proto__,a"


def test_value_of_an_unknown_kind_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="bytes"):
        render("%{= 1 }%", "lua", {"f": FieldPair(b"", b"")}, {})
