"""A file is replaced at once or not at all. Judge: what a reader finds while the new content is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wbridge.hal.folders import draft_of, replacement


def test_a_reader_has_the_former_content_until_the_new_one_is_complete(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("former")
    with replacement(file) as draft:
        draft.write_text("half")
        assert file.read_text() == "former"
        draft.write_text("whole")
    assert file.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [file]


def test_an_error_keeps_the_file_and_leaves_no_draft(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("former")
    with pytest.raises(KeyError), replacement(file) as draft:
        draft.write_text("half")
        raise KeyError
    assert file.read_text() == "former"
    assert list(tmp_path.iterdir()) == [file]


def test_a_block_that_writes_nothing_is_an_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError), replacement(tmp_path / "file"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_draft_is_beside_its_file_and_names_its_process(tmp_path: Path):
    with replacement(tmp_path / "file") as draft:
        draft.touch()
        assert draft == draft_of(tmp_path / "file", os.getpid())
        assert draft.parent == tmp_path
        assert str(os.getpid()) in draft.name
