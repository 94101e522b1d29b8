"""Whatever tree there is: written and read back it is the same tree, to the last bit of each number."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import grammar
from tests.scene.trees import files, floats, strings
from wbridge.wbcore.scene.load import LoadOptions, World, load_text
from wbridge.wbcore.scene.node import Node, first_difference
from wbridge.wbcore.scene.readers import read_float, read_string
from wbridge.wbcore.scene.values import number_text, string_text
from wbridge.wbcore.scene.writer import nodes_text, world_text

PARSE_ONLY = LoadOptions(expand=False)


def read(release: str, text: str) -> World:
    return load_text(f"#VRML_SIM {release} utf8\n{text}", "test.wbt", PARSE_ONLY)


@given(files())
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_a_generated_tree_reads_back_equal(file: tuple[str, list[Node]]):
    release, nodes = file
    text = nodes_text(nodes)
    again = read(release, text)
    assert again.report.errors == []
    assert first_difference(nodes, again.nodes) is None
    assert nodes_text(again.nodes) == text


@pytest.mark.parametrize("seed", range(100))
def test_a_generated_text_in_any_style_reads_back_equal(seed: int):
    world = load_text(grammar.world(random.Random(seed)), "test.wbt", PARSE_ONLY)
    text = world_text(world)
    again = load_text(text, "test.wbt", PARSE_ONLY)
    assert first_difference(world.nodes, again.nodes) is None
    assert world_text(again) == text
    assert [one.code for one in again.report] == [one.code for one in world.report]


@given(floats)
def test_a_number_reads_back_to_the_last_bit(number: float):
    read_back = read_float(number_text(number) + "\n", 0)
    assert read_back is not None
    assert read_back[0].hex() == number.hex()


@given(strings)
def test_a_string_reads_back_with_every_character(string: str):
    text = string_text(string)
    assert read_string(text + "\n", 0) == (string, len(text))


@given(st.text(st.sampled_from('{}[]"\\#,.-+e1 \nDEFUSNL'), max_size=60))
def test_any_text_is_read_without_an_exception_and_what_is_kept_can_be_saved(text: str):
    world = read("R2025a", text)
    again = load_text(world_text(world), "test.wbt", PARSE_ONLY)
    if not world.report.errors:
        assert first_difference(world.nodes, again.nodes) is None
