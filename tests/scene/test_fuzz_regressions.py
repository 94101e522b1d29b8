"""What fuzzing found once, as the smallest input that shows it. Each must stay harmless."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from tests.scene.helpers import HEADER, project
from tests.work import calls_of
from wbridge.wbcore.scene import procedural, templates
from wbridge.wbcore.scene.load import LoadOptions, World, load_text, load_world

STAND_INS = LoadOptions(allow_missing=True)


def read(text: str) -> World:
    return load_text(text, "test.wbt", STAND_INS)


def codes(world: World) -> list[str]:
    return [one.code for one in world.report]


def seconds(work: Callable[[], object]) -> float:
    """Processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as many calls twice the work makes: 2 when it is linear, 4 when quadratic."""
    half, whole = work(size // 2), work(size)
    whole()  # what is loaded at the first time
    return calls_of(whole) / calls_of(half)


def stretch(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as long work takes that is eight times as much: 8 when linear, 64 when quadratic.

    For work inside of single calls. The shortest time of several is that of the work itself; other programs
    only ever add to it.
    """
    works = work(size // 8), work(size)
    works[1]()  # what is loaded at the first time
    rounds = [(seconds(works[0]), seconds(works[1])) for _ in range(3)]
    part, whole = (min(times) for times in zip(*rounds, strict=True))
    return whole / part


LINEAR = 3.0
"""Between the growth of linear and that of quadratic work."""
LINEAR_TIME = 32.0
"""Between the stretch of linear and that of quadratic time."""


@pytest.mark.parametrize("inner", ["a" * 100, 'a\\"' * 30_000, "\\" * 1001])
def test_a_string_that_never_ends_is_one_error_at_its_beginning(inner: str):
    world = read(f'{HEADER}WorldInfo {{ title "{inner}')
    assert [(one.line, one.column) for one in world.report.errors][:1] == [(2, 19)]
    assert len(world.report.errors) <= 2


@pytest.mark.parametrize("inner", ["a", 'a\\"', "\\", "a\n"])
def test_a_string_that_never_ends_is_read_in_linear_time(inner: str):
    def work(size: int) -> Callable[[], World]:
        return partial(read, f'{HEADER}WorldInfo {{ title "{inner * size}')

    assert stretch(work, 400_000 // len(inner)) < LINEAR_TIME


MISTAKES: dict[str, tuple[int, Callable[[int], str]]] = {
    "stray brackets": (50_000, lambda count: "} ] " * count),
    "repeated fields": (8_000, lambda count: "Solid {\n" + "mass 1\n" * count + "}\n"),
    "unknown uses": (
        5_000,
        lambda count: "".join(f"DEF BOX_{i} Group {{ }} USE BOX{i}_\n" for i in range(count)),
    ),
    "unknown nodes": (6_000, lambda count: "".join(f"Grpup{i} {{ }}\n" for i in range(count))),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_very_many_mistakes_take_no_more_time_than_reading(kind: str):
    size, text = MISTAKES[kind]
    assert growth(lambda count: partial(read, HEADER + text(count)), size) < LINEAR


def test_nested_definitions_that_are_all_used_are_weighed_once():
    def tower(count: int) -> Callable[[], World]:
        nested = "".join(f"DEF N{i} Group {{ children [ " for i in range(count)) + "] } " * count
        return partial(read, HEADER + nested + "".join(f"USE N{i}\n" for i in range(count)))

    assert growth(tower, 8_000) < LINEAR


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "Solid { translation" + "n" * 100_000 + " 0 0 0 }",
        HEADER + "Group" + "p" * 100_000 + " { }",
        HEADER + "Group { children [ USE " + "u" * 100_000 + " ] }",
        "#VRML_SIM " + "R" * 100_000,
        "#VRML_SIM V" + "9" * 100_000 + " utf8\nGroup { }\n",
        f'{HEADER}EXTERNPROTO "{"e" * 100_000}"\n',
    ],
    ids=["field", "node", "USE", "header", "version", "EXTERNPROTO"],
)
def test_messages_stay_short_however_long_the_words_are(text: str):
    world = read(text)
    assert len(world.report) >= 1
    assert max(len(one.message) for one in world.report) < 1000


@pytest.mark.parametrize("word", ["\x1b[2J", "a\0b", "Gr\x1b]0;x\x07oup"])
@pytest.mark.parametrize(
    "form", ["{word} {{ }}", "Solid {{ {word} 1 }}", "Group {{ children [ USE {word} ] }}"]
)
def test_messages_have_no_control_characters(form: str, word: str):
    world = read(HEADER + form.format(word=word))
    assert len(world.report) >= 1
    assert all(one.message.isprintable() for one in world.report)


def test_a_long_word_among_allowed_values_is_read_in_linear_time(tmp_path: Path):
    def work(size: int) -> Callable[[], World]:
        interface = f"PROTO R [ field SFNode{{{'a' * size}}} x NULL ] {{ Group {{ }} }}"
        folder = tmp_path / str(size)
        folder.mkdir()
        return partial(load_world, project(folder, {"R": interface}, "R { }"))

    assert stretch(work, 800_000) < LINEAR_TIME


@pytest.mark.parametrize(
    "url", ["https://[x/A.proto", "x" * 300 + ".proto", "a\0b/A.proto", "http://[::1/A.proto"]
)
def test_an_impossible_address_is_a_missing_model(url: str):
    name = url.rsplit("/", 1)[-1].removesuffix(".proto")
    world = read(f'{HEADER}EXTERNPROTO "{url}"\n{name} {{ }}\n')
    assert codes(world) == ["missing-model"]


def test_a_default_value_that_can_not_be_read_counts_as_the_zero_of_its_type(tmp_path: Path):
    body = "PROTO A [ field SFVec2f a x ] { Group { children [ %<= fields.a.value.x >% ] } }"
    world = load_world(project(tmp_path, {"A": body}, "A { }"))
    assert "bad-value" in codes(world)


def test_nodes_nested_too_deeply_for_a_template_are_an_error(tmp_path: Path):
    value = "Group { children [ " * 300 + "] } " * 300
    body = "PROTO T [ field SFNode a NULL ] { Group { children [ %{= fields.a.value.node_name }% { } ] } }"
    world = load_world(project(tmp_path, {"T": body}, f"T {{ a {value} }}"))
    assert codes(world) == ["template"]


def test_a_model_in_its_own_default_values_is_refused_by_whatever_path(tmp_path: Path):
    text = (
        f'{HEADER}EXTERNPROTO "../protos/A.proto"\nPROTO A [ field MFNode c [ A {{ }} ] ] {{ Group {{ }} }}\n'
    )
    path = project(tmp_path, {"A": ""}, "A { }")
    (tmp_path / "protos/A.proto").write_text(text)
    assert codes(load_world(path)) == ["recursive-proto"]


@pytest.mark.parametrize(("length", "expected"), [(30, []), (90, ["too-deep"]), (1000, ["too-deep"])])
def test_a_long_chain_of_default_values_meets_a_limit(tmp_path: Path, length: int, expected: list[str]):
    form = 'EXTERNPROTO "P{1}.proto"\nPROTO P{0} [ field MFNode c [ P{1} {{ }} ] ] {{ Group {{ }} }}\n'
    protos = {f"P{i}": form.format(i, i + 1) for i in range(length)}
    protos[f"P{length}"] = f"PROTO P{length} [ ] {{ Group {{ }} }}\n"
    assert codes(load_world(project(tmp_path, protos, "P0 { }"))) == expected


def test_a_template_that_was_stopped_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    runs = []

    def stopped(*arguments: object, **options: object) -> NoReturn:
        runs.append(arguments)
        raise templates.TemplateError("it ran too long")

    monkeypatch.setattr(procedural.templates, "render", stopped)
    monkeypatch.setattr(procedural, "_SLOW_FAILURE_S", -1.0)
    path = project(tmp_path, {"T": "PROTO T [ ] { Group { } %< while (true) { } >% }"}, "T { } " * 6)
    assert codes(load_world(path)) == ["template"]
    assert len(runs) == 1


@pytest.mark.parametrize("version", ["V9999", "R20231a", "R2018ſ", "V٣"])
def test_a_version_with_too_many_or_foreign_digits_is_none(version: str):
    assert [one.code for one in read(f"#VRML_SIM {version} utf8\nGroup {{ }}\n").report.errors] == [
        "bad-version"
    ]


def test_digits_of_other_scripts_are_no_numbers():
    assert [one.code for one in read(HEADER + "Solid { translation ٣ ३ ٤ }").report.errors] == ["bad-value"]
