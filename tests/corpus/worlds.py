"""The worlds of the corpus and of the input folder, as parameters of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.corpus import Project, corpus_folder, read_list
from scripts.inputs import inputs_directory

CORPUS = read_list()
FETCH = "run `make corpus` to fetch it"


def projects() -> list[Any]:
    """Every project of the corpus that has been fetched; continuous integration need not have it."""
    return [*(pytest.param(one, id=one.folder) for one in _fetched()), *_absent(None)]


def worlds() -> list[Any]:
    """Project and path of every world that is here; for those of the input folder the project is None."""
    return [*_corpus_worlds(), *_input_worlds(), *_absent(None, None)]


def _fetched() -> list[Project]:
    return [one for one in CORPUS.projects if (corpus_folder() / one.folder).is_dir()]


def _absent(*values: None) -> Iterator[Any]:
    """The projects that are not here, as one skipped test: collecting thousands of them takes long."""
    if count := len(CORPUS.projects) - len(_fetched()):
        skipped = pytest.mark.skip(reason=f"{count} public projects are absent: {FETCH}")
        yield pytest.param(*values, id="absent", marks=skipped)


def _corpus_worlds() -> Iterator[Any]:
    for project in _fetched():
        for world in project.worlds:
            path = corpus_folder() / project.folder / world.path
            yield pytest.param(project, path, id=f"{project.folder}/{world.path}")


def _input_worlds() -> Iterator[Any]:
    folder = inputs_directory()
    for path in sorted(folder.rglob("*.wbt")) if folder else ():
        yield pytest.param(None, path, id=f"inputs/{path.relative_to(folder)}")


def is_known(project: Project | None, path: str, line: int, code: str) -> bool:
    """Whether a finding is a mistake that the project's own file really has."""
    if project is None:
        return False
    for fault in project.faults:
        place = (corpus_folder() / project.folder / fault.file).resolve()
        if (place, fault.line, fault.code) == (Path(path).resolve(), line, code):
            return True
    return False
