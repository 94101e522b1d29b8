"""A little fuzzing: PROTO files and templates. `make fuzz` runs longer."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from fuzz import hostile, projects
from fuzz.case import Case, InvariantError
from fuzz.fuzz_proto import ProtoTarget, check_secret
from fuzz.patterns import HEADER
from fuzz.runner import SECRET, run, run_one
from wbridge.wbcore.scene.load import load_text

WORLD = f'{HEADER}EXTERNPROTO "../protos/T.proto"\nT {{ }}\n'
TEMPLATES = [("%{", "}%", code) for code in hostile.LUA] + [("%<", ">%", code) for code in hostile.JAVASCRIPT]


def case(proto: str) -> Case:
    return Case({"protos/T.proto": (HEADER + proto).encode(), "worlds/main.wbt": WORLD.encode()})


def test_a_little_fuzzing_finds_nothing():
    count, findings = run(ProtoTarget(), math.inf, "tests", cases=50)
    assert [f"{one.kind}: {one.signature} {one.detail}" for one in findings] == []
    assert count == 50


@pytest.mark.parametrize("special", projects.SPECIAL)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_exponential_projects_meet_a_limit(special: Callable[[Random], dict[str, str]], seed: int):
    files = {path: text.encode() for path, text in special(Random(seed)).items()}
    finding = run_one(ProtoTarget(), Case(files))
    assert finding is None, f"{finding.kind}: {finding.signature} {finding.detail}"


@pytest.mark.slow
@pytest.mark.parametrize(("opening", "closing", "code"), TEMPLATES)
def test_hostile_statements_neither_run_nor_block(opening: str, closing: str, code: str):
    body = f"PROTO T [ field SFFloat a 1 ] {{ Group {{ }} {opening} {code} {closing} }}\n"
    finding = run_one(ProtoTarget(), case(body))
    assert finding is None, f"{finding.kind}: {finding.signature} {finding.detail}"


@pytest.mark.parametrize("url", projects.HOSTILE_URLS)
def test_hostile_addresses_are_only_missing_models(url: str):
    text = f'{HEADER}EXTERNPROTO "{url}"\nA {{ }}\n'
    finding = run_one(ProtoTarget(), Case({"worlds/main.wbt": text.encode()}))
    assert finding is None, f"{finding.kind}: {finding.signature} {finding.detail}"


def test_a_secret_that_is_shown_is_seen():
    world = load_text(HEADER + "Group { }")
    with pytest.raises(InvariantError, match="secret"):
        check_secret(world, f"title {SECRET}")
