"""Findings of one kind take one line, with a count."""

from __future__ import annotations

from wbridge.running.result import one_per_kind


def undeclared(line: int, name: str) -> str:
    return (
        f"/p/a.wbt:{line}:1: warning: no EXTERNPROTO declares {name}; taken from /w/protos/{name}.proto "
        f'(declare it: EXTERNPROTO "{name}.proto")'
    )


def test_undeclared_models_are_one_kind():
    lines = one_per_kind([undeclared(k, name) for k, name in enumerate(("Ned", "Wall", "E-puck"), 4)])
    assert lines == [f"{undeclared(4, 'Ned')} (and 2 more of this kind)"]


def test_the_same_of_many_nodes_is_one_kind_whatever_the_numbers():
    texts = [f"/p/a.wbt:{k}:3: warning: Solid box({k}): mass 0.{k} is below 1e-{k}" for k in range(1, 8)]
    assert one_per_kind(texts) == [f"{texts[0]} (and 6 more of this kind)"]


def test_other_fields_and_other_texts_are_other_kinds():
    texts = [
        "/p/a.wbt:9:3: warning: LJoint has no field 'scale'; ignored",
        "/p/a.wbt:9:3: warning: LJoint has no field 'size'; ignored",
        "warning: the floor is missing",
    ]
    assert one_per_kind(texts) == texts
