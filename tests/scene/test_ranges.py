"""Ranges: which values lie in them, how they read in a message, how the specification prints them."""

import math

import pytest

from scripts import schema_ranges
from scripts.generated import specification
from wbridge.wbcore.scene.ranges import Interval, Lengths, Range, UnitAxis, from_data
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.values import VecArray

# What the parser makes of each notation that the specification uses: text, inside, outside.
NOTATIONS = [
    ("(0,inf)", [1e-9, 5], [0, -1]),
    ("[0, inf)", [0, 5], [-1e-9]),
    ("[0, 1]", [0, 1, 0.5], [-0.1, 1.1]),
    ("(-inf,0]", [-7, 0], [0.1]),
    ("[0,pi/2)", [0, 1.5], [1.6]),
    ("-1 or > 0", [-1, 3], [0, -0.5]),
    ("-1 or (0,inf)", [-1, 3], [0, -0.5]),
    ("-1 or [0,2pi]", [-1, 0, 6.28], [7, -2]),
    ("-1 or positive", [-1, 2], [0]),
    ("positive or -1 (infinity)", [-1, 0, 2], [-2]),
    ("{-1, [0, inf)}", [-1, 0], [-0.5]),
    ("{-1 ,[0, 2*pi]}", [-1, 6.28], [6.3]),
    ("8 or more", [8, 9], [7]),
    (">= 0.0", [0], [-1]),
    ("[0,5] or 10", [0, 5, 10], [6, 11]),
    ("{0, 1, 2}", [0, 2], [3]),
    ("(inf, 0[ or ]0, inf)", [-3, 3], [0]),
    ('{"ENU", "NUE", "EUN"}', ["ENU", "EUN"], ["NED", ""]),
    ("any color", [(0.0, 1.0, 0.5)], [(0.0, 1.1, 0.5)]),
    ("unit axis", [(0.0, 0.6, 0.8), (-0.4, 0.4, 0.8)], [(1.0, 1.0, 0.0), (0.0, 0.0, 0.0)]),
    ("unit axis, (-inf, inf) angle", [(0.0, 1.0, 0.0, 77.0)], [(0.0, 2.0, 0.0, 0.0)]),
    ("empty or 2 values", [[], [(0.0,), (1.0,)]], [[(0.0,)]]),
    ("(0,inf), [0, inf), [0, inf)", [(10.0, 0.0, 0.0)], [(0.0, 0.0, 0.0), (1.0, -1.0, 0.0)]),
]


def parsed(text: str) -> Range:
    alternatives = schema_ranges.parse(text)
    assert alternatives is not None
    return from_data(alternatives)


@pytest.mark.parametrize(("text", "inside", "outside"), NOTATIONS, ids=[n[0] for n in NOTATIONS])
def test_each_notation_means_what_it_says(text, inside, outside):
    span = parsed(text)
    assert [value for value in inside if not span.contains(value)] == []
    assert [value for value in outside if span.contains(value)] == []


@pytest.mark.parametrize(
    "text", ["(-inf, inf)", "any string", "any vector", "{TRUE, FALSE}", "{Physics, PROTO}"]
)
def test_notations_that_allow_everything_give_no_range(text):
    assert schema_ranges.parse(text) is None


def test_any_positive_vector_includes_zero_where_the_default_does():
    assert from_data(schema_ranges.parse("any positive vector", [0, 0])).contains((0.0, 1.0))
    assert not from_data(schema_ranges.parse("any positive vector", [2, 2, 2])).contains((0.0, 1.0, 1.0))


def test_an_unknown_notation_is_an_error():
    with pytest.raises(schema_ranges.UnknownRangeError):
        schema_ranges.parse("somewhere between")


def test_every_range_of_the_specification_is_understood_or_listed():
    nodes = specification("nodes")["nodes"]
    texts = {
        version["range"]
        for node in nodes.values()
        for field in node["fields"]
        for version in field["versions"].values()
        if version.get("range")
    }
    silent = {text for text in texts if schema_ranges.parse(text) is None}
    listed = {
        text
        for text in silent
        if text in schema_ranges.SAYS_NOTHING
        or text.startswith(tuple(schema_ranges.SAYS_NOTHING_PREFIXES))
        or schema_ranges.node_names(text)
        or "(-inf, inf)" in text
        or "(-inf,inf)" in text
    }
    assert len(texts) > 100
    assert silent - listed == set()


@pytest.mark.parametrize("word", sorted(schema_ranges.SAYS_NOTHING))
def test_every_listed_notation_has_a_reason(word):
    assert schema_ranges.SAYS_NOTHING[word]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{-1, [0, inf)}", "-1 or [0, inf)"),
        ("[0, 2*pi]", "[0, 2pi]"),
        ("[0,pi/2)", "[0, pi/2)"),
        ("[-pi, pi]", "[-pi, pi]"),
        ('{"a", "b"}', '"a" or "b"'),
        ("unit axis", "an axis of length 1"),
        ("empty or 2 values", "0 or 2 values"),
        ("(0,inf), [0, inf), [0, inf)", "(0, inf), [0, inf), [0, inf) for its components"),
        ("[near, maxRange]", "[near, maxRange]"),
    ],
)
def test_ranges_read_well_in_messages(text, shown):
    assert str(parsed(text)) == shown


def test_ends_may_be_other_fields():
    span = parsed("[near, maxRange]")
    values = {"near": 0.5, "maxRange": 2.0}
    assert span.contains(1.0, values.get)
    assert not span.contains(0.4, values.get)
    assert not span.contains(2.1, values.get)
    assert span.contains(99.0), "without the other fields nothing is known"


@pytest.mark.parametrize("written", [6.2832, 6.28319, 3.14159 * 2])
def test_multiples_of_pi_may_be_rounded(written):
    assert parsed("[0, 2*pi]").contains(written)


def test_other_ends_may_not():
    assert not parsed("[0, 1]").contains(1.00001)


def test_infinity_lies_in_an_unbounded_range():
    assert Interval(0, math.inf, high_open=True).contains(math.inf)
    assert not Interval(0, 5).contains(math.inf)
    assert not Interval(0, math.inf, high_open=True).contains(math.nan)


def test_lists_are_checked_element_by_element():
    color = parsed("any color")
    assert color.contains(VecArray(3, [(0, 0, 0), (1, 1, 1)]))
    assert not color.contains(VecArray(3, [(0, 0, 0), (1, 2, 1)]))
    assert color.contains(VecArray(3)), "an empty list breaks no rule"


def test_a_text_is_never_in_a_range_of_numbers():
    assert not parsed("[0, inf)").contains("much")


def test_values_give_suggestions():
    assert parsed('{"a", "b"}').values == ("a", "b")
    assert parsed("{-1, [0, inf)}").values == (-1,)


def test_whole_value_rules_are_their_own_kinds():
    assert Range((UnitAxis(), Lengths((0,)))).contains((1.0, 0.0, 0.0))


def test_defaults_lie_in_their_ranges():
    newest = schema()
    outside = []
    for name in newest.names():
        fields = newest.node(name).fields
        defaults = {field.name: field.default for field in fields.values()}
        outside += [
            f"{name}.{field.name}: {field.default} not in {field.range}"
            for field in fields.values()
            if field.range and not field.range.contains(field.default, defaults.get)
        ]
    assert outside == []
