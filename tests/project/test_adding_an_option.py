"""docs/adding-an-option.md, followed in a copy of the repository."""

from __future__ import annotations

import pytest

from tests.project.recipes import Copy, changes_of, files_of

PAGE = "adding-an-option.md"
WORLD = "worlds/still.wbt"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the option of the page."""
    repository = Copy(tmp_path_factory.mktemp("repository"))
    for name, difference in changes_of(PAGE):
        repository.change(name, difference)
    repository.write(WORLD, files_of(PAGE)[WORLD])
    return repository


def test_the_run_has_the_option(copy: Copy):
    assert len(changes_of(PAGE)) == 3
    assert "First try" in copy.wbridge("run", WORLD, "--steps", "1", "--title", "First try").splitlines()


def test_the_generated_page_lists_it(copy: Copy):
    copy.run("scripts/generate_cli_doc.py")
    assert "--title TEXT" in (copy.folder / "docs" / "cli.md").read_text(encoding="utf-8")
