"""Counting the models that worlds of a corpus miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import missing_models
from scripts.missing_models import count, report

LIST = """
host = "https://example.org"
suffixes = [".wbt"]
limit = 1000
[[project]]
repository = "ann/robot"
commit = "0"
worlds = [{ path = "a.wbt", header = "R2023b" }, { path = "b.wbt", header = "R2023b" }]
[[project]]
repository = "bob/arm"
commit = "0"
worlds = [{ path = "c.wbt", header = "R2025a" }, { path = "d.wbt", header = "R2025a" }]
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A list, and beside it a corpus of two projects whose last world was not fetched."""
    for place, header, body in (
        ("ann+robot/a.wbt", "R2023b", "NoSuchArm {\n}\nNoSuchArm {\n}\n"),
        ("ann+robot/b.wbt", "R2023b", "RubberDuck {\n}\n"),
        ("bob+arm/c.wbt", "R2025a", "NoSuchArm {\n}\nNoSuchTree {\n}\n"),
    ):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(f"#VRML_SIM {header} utf8\nWorldInfo {{\n}}\n{body}")
    (tmp_path / "list.toml").write_text(LIST)
    return tmp_path


def test_worlds_and_missing_models_are_counted_most_missed_first(corpus: Path):
    result = count(missing_models.read_list(corpus / "list.toml"), corpus)
    assert (result.complete, result.worlds, result.absent) == (1, 3, 1)
    assert list(result.rows()) == [(2, 2, 1, "NoSuchArm"), (1, 1, 0, "NoSuchTree")]


def test_the_command_prints_the_count_and_as_many_rows_as_wanted(corpus: Path, capsys):
    arguments = ["--list", str(corpus / "list.toml"), "--folder", str(corpus), "--most", "1"]
    assert missing_models.main(arguments) == 0
    told = capsys.readouterr().out
    assert "1 of 3 worlds miss no model" in told
    assert "1 more worlds were not fetched" in told
    assert "NoSuchArm" in told
    assert "NoSuchTree" not in told
    assert "--most 2" in told


def test_nothing_fetched_is_a_failure(corpus: Path):
    arguments = ["--list", str(corpus / "list.toml"), "--folder", str(corpus / "elsewhere")]
    assert missing_models.main(arguments) == 1


def test_without_missing_models_there_is_no_table():
    assert report(missing_models.Count(worlds=2, complete=2), 10) == "2 of 2 worlds miss no model"
