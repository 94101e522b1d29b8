"""Collect the changes of the next version from changes/, one file per change, and move them to CHANGELOG.md.

Branches that each add a file do not collide, as they would in one list. A file has the sections of the
changelog that apply; changes/README.md shows one.

Run from the checkout: python -m scripts.changes [--check | --release VERSION]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "changes"
CHANGELOG = ROOT / "CHANGELOG.md"
SECTIONS = ("Migration", "Added", "Changed", "Fixed")
NEXT = "## Unreleased\n"
BREAKING = "**Breaking:**"
WIDTH = 128
_VERSION = re.compile(r"\d+\.\d+\.\d+")

Sections = dict[str, list[str]]
"""The items of each section, without their line ends."""


def fragments(folder: Path = FOLDER) -> list[Path]:
    """Return the files of changes, sorted by name."""
    return sorted(file for file in folder.glob("*.md") if file.name != "README.md")


def read(text: str) -> Sections:
    """Return the items of a file of changes, or of a version in the changelog.

    Raises:
        ValueError: a section is unknown, or a line belongs to no item; the message starts with its number.
    """
    sections: Sections = {}
    items: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            name = line.lstrip("#").strip()
            if name not in SECTIONS:
                raise ValueError(f"{number}: section {name!r}; allowed: {', '.join(SECTIONS)}")
            items = sections.setdefault(name, [])
        elif line.startswith("* ") and items is not None:
            items.append(line)
        elif line.startswith("  ") and items:
            items[-1] += f"\n{line}"
        elif line.strip():
            raise ValueError(
                f"{number}: expected a section, an item `* ...`, or its next line, indented by two"
            )
    return sections


def problems(file: Path) -> list[str]:
    """Return a message for each mistake in a file of changes."""
    text = file.read_text(encoding="utf-8")
    long = [
        f"{file.name}:{number}: {len(line)} characters; allowed: {WIDTH}"
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDTH
    ]
    try:
        sections = read(text)
    except ValueError as problem:
        return [*long, f"{file.name}:{problem}"]
    empty = [f"{file.name}: {name} has no item" for name, items in sections.items() if not items]
    is_breaking = any(item.startswith(f"* {BREAKING}") for items in sections.values() for item in items)
    if is_breaking and "Migration" not in sections:
        empty.append(f"{file.name}: {BREAKING} needs a section Migration that says what to do and why")
    return [*long, *empty, *([] if sections else [f"{file.name}: no section"])]


def merged(parts: Iterable[Mapping[str, list[str]]]) -> Sections:
    """Return the sections of several files as one, in the order of the changelog."""
    listed = list(parts)
    sections = {name: [item for part in listed for item in part.get(name, ())] for name in SECTIONS}
    return {name: items for name, items in sections.items() if items}


def shown(sections: Mapping[str, list[str]]) -> str:
    """Return sections as text."""
    return "\n".join(f"### {name}\n\n" + "\n".join(items) + "\n" for name, items in sections.items())


def released(changelog: str, version: str, additions: Iterable[Mapping[str, list[str]]]) -> str:
    """Return a changelog in which the next version, with additions, has got its number.

    Its introduction to Migration, which is no item, is left out.

    Raises:
        ValueError: the version is not of the form 1.2.3, or is in the changelog already.
    """
    if not _VERSION.fullmatch(version) or f"## {version}\n" in changelog:
        raise ValueError(f"version {version}: expected a new one of the form 1.2.3")
    start = changelog.index(NEXT) + len(NEXT)
    end = changelog.find("\n## ", start)
    end = len(changelog) if end < 0 else end + 1
    kept = re.sub(r"^[A-Z][^\n]*:\n", "", changelog[start:end], flags=re.MULTILINE)
    body = shown(merged([*additions, read(kept)]))
    return f"{changelog[:start]}\n## {version}\n\n{body}\n{changelog[end:]}".rstrip() + "\n"


def release(version: str, folder: Path = FOLDER, changelog: Path = CHANGELOG) -> None:
    """Move all changes into the changelog, as a version.

    Raises:
        ValueError: see `released` and `read`.
    """
    files = fragments(folder)
    additions = [read(file.read_text(encoding="utf-8")) for file in files]
    text = released(changelog.read_text(encoding="utf-8"), version, additions)
    changelog.write_text(text, encoding="utf-8")
    for file in files:
        file.unlink()


def main(arguments: list[str] | None = None) -> int:
    """Print the changes as one; with --check only mistakes, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Collect the changes of the next version.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="print only mistakes, and fail then")
    choice.add_argument("--release", metavar="VERSION", help="move all changes into CHANGELOG.md")
    options = parser.parse_args(arguments)
    messages = [message for file in fragments() for message in problems(file)]
    if messages or options.check:
        print("\n".join(messages) or "changes: fine")
        return 1 if messages else 0
    if options.release is None:
        print(shown(merged(read(file.read_text(encoding="utf-8")) for file in fragments())), end="")
        return 0
    try:
        release(options.release)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
