"""One row of a table of worlds and what the checks find in them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scene.helpers import HEADER, world
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import World

NEW = HEADER
OLD = "#VRML_SIM V8.3.1 utf8\n"
FRAME = "\nWorldInfo {}\nViewpoint {}\n"
ROBOT = 'Robot { controller "void" children [ %s ] }'
"""A robot with the given children; they begin in column 38 of their line."""


def checked(body: str, header: str = NEW, frame: str = FRAME, path: str = "test.wbt") -> World:
    """Load and check a world; `body` begins in line 2."""
    loaded = world(body + frame, header, path)
    assert [str(one) for one in loaded.report] == []
    check_world(loaded)
    return loaded


def places(loaded: World) -> list[str]:
    """All findings as "severity code line:column"."""
    return [f"{one.severity} {one.code} {one.line}:{one.column}" for one in loaded.report]


def bad(
    name: str, body: str, found: str | list[str], *words: str, header: str = NEW, frame: str = FRAME
) -> Any:
    """A world in which exactly this is found; the messages together hold all the words."""
    return pytest.param(body, [found] if isinstance(found, str) else found, words, header, frame, id=name)


def good(name: str, body: str, header: str = NEW, frame: str = FRAME) -> Any:
    """A world in which nothing is found."""
    return pytest.param(body, [], (), header, frame, id=name)


def assert_row(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    """What each table test asserts."""
    loaded = checked(body, header, frame)
    text = "\n".join(str(one) for one in loaded.report)
    assert sorted(places(loaded)) == sorted(found), text
    for word in words:
        assert word in text
