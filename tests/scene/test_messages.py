"""What the parser says about broken files: one finding for one mistake, at its place.

Judge: a reader. A world with one mistake must have one error, whose line is that of the mistake or of the
bracket that shows it.
"""

from __future__ import annotations

import pytest

from tests.scene.helpers import messages, world

UNCLOSED = """Robot {
  children [
    Solid {
      children [
        Shape {
          geometry Box { }
      ]
      name "inner"
    }
  ]
  name "outer"
}
Solid { name "after" }
"""


def test_a_missing_brace_in_a_list_is_one_error_and_the_rest_is_read() -> None:
    loaded = world(UNCLOSED)
    assert messages(loaded) == [
        "8:7 error unclosed-node: found ']' inside Shape (opened in line 6); '}' is missing"
    ]
    robot, after = loaded.nodes
    assert (robot.get("name"), after.get("name")) == ("outer", "after")
    assert robot.get("children")[0].get("name") == "inner"


def test_a_missing_brace_before_the_next_node_is_one_error() -> None:
    loaded = world('Solid {\n  name "a"\nSolid {\n  name "b"\n}\n')
    assert messages(loaded) == [
        "4:1 error unclosed-node: found the node Solid inside Solid (opened in line 2); '}' is missing"
    ]
    assert [one.get("name") for one in loaded.nodes] == ["a", "b"]


def test_a_missing_brace_between_siblings_is_one_error() -> None:
    loaded = world('Group {\n  children [\n    Solid { name "a"\n    Solid { name "b" }\n  ]\n}\n')
    assert [one.code for one in loaded.report] == ["unclosed-node"]
    assert [one.get("name") for one in loaded.nodes[0].get("children")] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Robot { battery [ 1 "q" 3 ] }',
            "2:21 error bad-value: field 'battery' (MFFloat) needs a list [ ] of finite numbers, "
            "found '\"q\"' in the list",
        ),
        (
            'Solid { name [ "r" ] }',
            "2:14 error bad-value: field 'name' (SFString) needs a string in double quotes (\"...\"), "
            "found a list; remove the '[ ]'",
        ),
        (
            "Solid { physics [ Physics { } ] }",
            "2:17 error bad-value: field 'physics' (SFNode) needs a node, USE or NULL, "
            "found a list; remove the '[ ]'",
        ),
        (
            "Solid { boundingObject DEF B rotation 0 1 0 0 }",
            "2:24 error bad-reference: DEF 'B' needs a node after it, such as 'Solid {'; found 'rotation'",
        ),
        (
            "DEF Solid { }",
            "2:1 error bad-reference: DEF 'Solid' needs a node after it, such as 'Solid {'; found '{'",
        ),
        (
            "Solid { children [ DEF Y ] }",
            "2:20 error bad-reference: DEF 'Y' needs a node after it, such as 'Solid {'; found ']'",
        ),
        ("Solid { physics USE }", "2:17 error bad-reference: USE must be followed by a name"),
        (
            "Solid { children { Shape { } } }",
            "2:18 error bad-value: field 'children' (MFNode) needs a list [ ] of nodes, USE or NULL, "
            "found '{'",
        ),
        (
            "Robot { battery [ 1 2",
            "2:17 error bad-value: field 'battery' (MFFloat) needs a list [ ] of finite numbers, "
            "but this list is not closed by ']'",
        ),
    ],
)
def test_the_message_names_what_is_wrong(text: str, expected: str) -> None:
    assert messages(world(text + "\n"))[0] == expected


@pytest.mark.parametrize(
    "text",
    ["Solid { children { Shape { } } }", "DEF Solid { }", "Solid { children DEF X [ Solid { } ] }"],
)
def test_one_mistake_is_one_error(text: str) -> None:
    assert [one.severity for one in world(text + "\n").report] == ["error"]
