"""Worlds that many people made over many releases load here, and saving keeps them.

A model that is not here is named; any other error must be a mistake of the file itself, known by place.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.corpus import Project, corpus_folder
from tests.corpus.worlds import CORPUS, is_known, projects, worlds
from wbridge.wbcore.scene.load import LoadOptions, World, load_proto, load_text, load_world
from wbridge.wbcore.scene.node import first_difference
from wbridge.wbcore.scene.writer import world_text

PROTO = re.compile(r"^\s*PROTO\s", re.MULTILINE)


@pytest.fixture
def options(tmp_path: Path) -> LoadOptions:
    """Load with placeholders, and with nothing that this machine happens to have fetched."""
    return LoadOptions(allow_missing=True, cache=tmp_path)


def unexplained(loaded: World, project: Project | None) -> list[str]:
    """Errors about neither missing models nor physics plugins (these are not fetched), nor known faults
    of the project's files."""
    return [
        str(one)
        for one in loaded.report.errors
        if one.code not in ("missing-model", "no-plugin")
        and not is_known(project, one.path, one.line, one.code)
    ]


@pytest.mark.parametrize(("project", "path"), worlds())
def test_a_world_loads_or_names_what_it_misses(project: Project | None, path: Path, tmp_path: Path):
    loaded = load_world(path, LoadOptions(cache=tmp_path))
    assert unexplained(loaded, project) == []
    told = [one for one in loaded.report.errors if one.code == "missing-model"]
    assert len(told) == bool(loaded.library.missing)
    for missing in loaded.library.missing.values():
        line, _ = missing.source.place(missing.offset)
        where = f"line {line}" if missing.source.path == str(path) else f"{missing.source.path}:{line}"
        assert f"{missing.name} ({where}" in told[0].message


@pytest.mark.parametrize(("project", "path"), worlds())
def test_a_saved_world_reads_back_equal(project: Project | None, path: Path, options: LoadOptions):
    loaded = load_world(path, options)
    assert [one for one in loaded.report.errors if one.code == "missing-model"] == []
    text = world_text(loaded)
    again = load_text(text, str(path), options)
    assert unexplained(again, project) == [] or unexplained(loaded, project) != []
    assert first_difference(loaded.nodes, again.nodes) is None
    assert world_text(again) == text


@pytest.mark.parametrize("project", projects())
def test_the_models_of_a_project_load_on_their_own(project: Project, options: LoadOptions):
    found: list[str] = []
    for path in sorted((corpus_folder() / project.folder).rglob("*.proto")):
        if PROTO.search(path.read_text("utf-8", "replace")):
            found += unexplained(load_proto(path, options), project)
    assert found == []


@pytest.mark.parametrize("project", projects())
def test_the_headers_in_the_list_are_those_of_the_files(project: Project):
    for world in project.worlds:
        with (corpus_folder() / project.folder / world.path).open(encoding="utf-8") as file:
            first = file.readline()
        header = re.match(r"#VRML_SIM (\S+) utf8", first)
        assert (header.group(1) if header else "") == world.header


def test_the_list_covers_the_releases():
    headers = {world.header for project in CORPUS.projects for world in project.worlds}
    assert len(CORPUS.projects) >= 200
    assert len(headers) >= 25
    assert {"V6.0", "V7.4.3", "V8.3.1", "V8.6", "R2018a", "R2020a", "R2021b", "R2023b", "R2025a"} <= headers
