"""The changes of the next version are files of their own, which a release moves into the changelog."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import changes

BREAKING = "### Migration\n\n* Rename it.\n\n### Changed\n\n* **Breaking:** it has another\n  name.\n"
CHANGELOG = """# Changelog

Text.

## Unreleased

### Migration

What to do:

* Move.

### Fixed

* Old mistake.

## 0.1.0

First version.
"""


def test_a_file_of_changes_is_read_by_section():
    assert changes.read(BREAKING) == {
        "Migration": ["* Rename it."],
        "Changed": ["* **Breaking:** it has another\n  name."],
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("### Chnged\n\n* It.\n", "a.md:1: section 'Chnged'; allowed: Migration, Added, Changed, Fixed"),
        ("* It.\n", "a.md:1: expected a section"),
        ("### Added\n\n* It\nis new.\n", "a.md:4: expected a section"),
        ("### Added\n", "a.md: Added has no item"),
        ("", "a.md: no section"),
        ("### Changed\n\n* **Breaking:** all.\n", "a.md: **Breaking:** needs a section Migration"),
        (f"### Added\n\n* {'x' * 130}\n", "a.md:3: 132 characters; allowed: 128"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_place(tmp_path: Path, text: str, problem: str):
    file = tmp_path / "a.md"
    file.write_text(text, encoding="utf-8")
    (message,) = changes.problems(file)
    assert message.startswith(problem)


def test_a_release_moves_all_changes_into_the_changelog(tmp_path: Path):
    folder, changelog = tmp_path / "changes", tmp_path / "CHANGELOG.md"
    folder.mkdir()
    (folder / "README.md").write_text("How to.\n", encoding="utf-8")
    (folder / "names.md").write_text(BREAKING, encoding="utf-8")
    (folder / "b.md").write_text("### Fixed\n\n* New mistake.\n", encoding="utf-8")
    changelog.write_text(CHANGELOG, encoding="utf-8")
    changes.release("0.2.0", folder, changelog)
    assert [file.name for file in folder.iterdir()] == ["README.md"]
    assert changelog.read_text(encoding="utf-8") == (
        "# Changelog\n\nText.\n\n## Unreleased\n\n## 0.2.0\n\n"
        "### Migration\n\n* Rename it.\n* Move.\n\n"
        "### Changed\n\n* **Breaking:** it has another\n  name.\n\n"
        "### Fixed\n\n* New mistake.\n* Old mistake.\n\n"
        "## 0.1.0\n\nFirst version.\n"
    )


@pytest.mark.parametrize("version", ["0.1.0", "next", "1.0"])
def test_only_a_new_version_is_released(version: str):
    with pytest.raises(ValueError, match=f"version {version}: expected a new one"):
        changes.released(CHANGELOG, version, [])


def test_the_files_of_this_project_and_its_changelog_are_well_formed():
    assert [message for file in changes.fragments() for message in changes.problems(file)] == []
    assert "## 9.9.9\n" in changes.released(changes.CHANGELOG.read_text(encoding="utf-8"), "9.9.9", [])
