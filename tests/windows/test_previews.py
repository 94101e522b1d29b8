"""Files from which pages draw what the shelf offers."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.windows.test_building import ask, pause, saved
from tests.windows.test_scene_handler import Page, show
from wbridge.wbcore.windows.previews import MOST_FILES, preview
from wbridge.wbcore.windows.shelf import entries, entry, groups

__all__ = ["show"]

NUMBERS = {item.name: number for number, item in enumerate(entries())}


def test_numbers_are_places_in_the_list_of_the_page() -> None:
    assert [name for group in groups() for name in group.names] == list(NUMBERS)


@pytest.mark.parametrize(
    ("name", "shapes"), [("Box", 1), ("Robot", 2), ("Wheel with motor", 1), ("E-puck", None), ("GPS", 0)]
)
def test_a_file_has_all_that_its_picture_needs(name: str, shapes: int | None) -> None:
    """Judge: the shapes written in the entry; each mesh and texture that is named is in the file."""
    made = json.loads(preview(entry(name)))
    scene, files = made["scene"], made["files"]
    assert shapes is None or len(scene["shapes"]) == shapes
    named = {shape["mesh"] for shape in scene["shapes"]}
    named |= {texture["file"] for surface in scene["surfaces"] for texture in surface["textures"] if texture}
    assert named <= set(files)
    assert all(b64decode(content) for content in files.values())


def test_a_page_asks_for_files_and_the_run_stays_as_it_is(show: Callable[..., Page], tmp_path: Path) -> None:
    page = show()
    pause(page)
    page.ask("shelf")
    stem, before = page.message("shelf")["stem"], (saved(page), page.runner.simulation.hash())
    for name in ("Sphere", "E-puck"):
        assert ask(page, "preview", number=NUMBERS[name]) == ""
        path = tmp_path / "scene" / f"preview-{NUMBERS[name]}-{stem}.json"
        assert json.loads(path.read_text())["scene"]["shapes"]
    assert (saved(page), page.runner.simulation.hash()) == before


def test_the_oldest_files_are_removed(show: Callable[..., Page], tmp_path: Path) -> None:
    page = show()
    pause(page)
    for number in [*range(MOST_FILES + 3), 3]:
        assert ask(page, "preview", number=number) == ""
    kept = {int(path.name.split("-")[1]) for path in (tmp_path / "scene").glob("preview-*")}
    assert kept == set(range(3, MOST_FILES + 3))


def test_an_unknown_number_is_refused(show: Callable[..., Page]) -> None:
    page = show()
    pause(page)
    assert ask(page, "preview", number=len(NUMBERS)) == f"the shelf has {len(NUMBERS)} entries"


@pytest.mark.slow
def test_every_entry_has_a_file() -> None:
    for item in entries():
        assert json.loads(preview(item))["scene"]["viewpoint"]
