"""Animations that Webots has written and others have published. Judge: the numbers in their files."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from scripts.corpus import corpus_folder, read_list
from wbridge.main import main
from wbridge.running.webots_animation import Animation, files_of

PROJECTS = read_list(Path(__file__).with_name("animations.toml")).projects


@pytest.fixture(params=PROJECTS, ids=lambda one: one.repository)
def scene(request: pytest.FixtureRequest) -> Path:
    found = corpus_folder() / request.param.folder / request.param.worlds[0].path
    if not found.is_file():
        pytest.skip("the published animations are absent; fetch them with: make corpus")
    return found


def outermost(scene: Path) -> list[str]:
    """The numbers of nodes that are in no other one."""
    (top,) = ElementTree.parse(scene).iter("Scene")
    return [one.attrib["id"][1:] for one in top if one.tag == "Transform"]


def test_things_are_where_the_file_says_in_each_frame(scene: Path):
    animation = Animation(*files_of(scene))
    frames = json.loads(scene.with_name("animation.json").read_text())["frames"]
    assert len(animation) == len(frames) > 100
    solids, at, compared = set(outermost(scene)), {}, 0
    for frame in frames:
        animation.advance()
        for update in frame.get("updates", frame.get("poses", [])):
            if str(update["id"]) in solids and "translation" in update:
                at[update["id"]] = [float(one) for one in update["translation"].split()]
        positions, turns = animation.poses()
        assert np.linalg.norm(turns, axis=1) == pytest.approx(1, abs=1e-6)
        for place in at.values():
            assert np.abs(positions - place).max(axis=1).min() < 1e-5
            compared += 1
    assert compared > 100


def test_a_page_shows_it(scene: Path, tmp_path: Path):
    page = tmp_path / "page.html"
    assert main(["view", str(scene), "--output", str(page), "--no-open", "--quiet"]) == 0
    assert page.stat().st_size < 3_000_000
