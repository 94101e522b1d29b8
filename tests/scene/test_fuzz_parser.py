"""A little fuzzing: reading and saving worlds. `make fuzz` runs longer."""

from __future__ import annotations

import math
from random import Random

import pytest

from fuzz import grammar
from fuzz.case import Case, InvariantError
from fuzz.fuzz_parser import ParserTarget, check_report, check_same
from fuzz.patterns import HEADER, PATTERNS, Pattern
from fuzz.runner import run, run_one
from wbridge.wbcore.scene.diagnostics import Diagnostic
from wbridge.wbcore.scene.load import load_text


def test_a_little_fuzzing_finds_nothing():
    count, findings = run(ParserTarget(), math.inf, "tests", cases=25)
    assert [f"{one.kind}: {one.signature} {one.detail}" for one in findings] == []
    assert count == 25


@pytest.mark.parametrize("size", [30_000, pytest.param(200_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.__name__)
def test_hostile_texts_are_read_in_bounded_time(pattern: Pattern, size: int):
    finding = run_one(ParserTarget(), Case({"worlds/main.wbt": pattern(size).encode()}))
    assert finding is None, f"{finding.kind}: {finding.signature} {finding.detail}"


@pytest.mark.parametrize(
    ("message", "finding"), [("x" * 5001, "too long"), ("a\x1b[2J", "control"), ("a\nb", "control")]
)
def test_an_unfit_message_is_seen(message: str, finding: str):
    with pytest.raises(InvariantError, match=finding):
        check_report([Diagnostic("error", "code", "world.wbt", 1, 1, message)])


def test_a_tree_that_saving_changed_is_seen():
    one, other = load_text(HEADER + "Group { }"), load_text(HEADER + "Pose { }")
    with pytest.raises(InvariantError, match="changed the tree"):
        check_same(one, other)


def test_generated_worlds_have_no_errors():
    worlds = [load_text(grammar.world(Random(number))) for number in range(100)]
    assert [str(one) for world in worlds for one in world.report.errors] == []
