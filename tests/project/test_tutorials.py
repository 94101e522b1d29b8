"""The tutorials, followed literally by a new user in an empty folder: docs/tutorial-first-robot.md,
docs/tutorial-webots-project.md, docs/tutorial-arm.md, docs/tutorial-learning.md, docs/tutorial-class.md,
docs/tutorial-real-robot.md.

A page is one session of a shell. What the page says that it prints must be in the output, line by line and in
this order; "..." stands for any text.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fleet import unprivileged
from tests.project.blocks import Block, blocks

LIMIT_S = 300
"""A guard against commands that do not end."""
CLASS = "tutorial-class"
"""Grades, which root may not do, and which needs what restricts programs."""
LEARNING = "tutorial-learning"
PAGES = [
    "tutorial-first-robot",
    "tutorial-webots-project",
    "tutorial-arm",
    LEARNING,
    CLASS,
    "tutorial-real-robot",
]


def of_page(name: str) -> list[Block]:
    return [one for one in blocks() if one.page == f"docs/{name}.md"]


def session(name: str) -> str:
    """Return the page as a script: its files are written, its commands run, in their order."""
    lines = ["set -e"]
    for number, one in enumerate(of_page(name)):
        if one.file:
            end = f"END_OF_FILE_{number}"
            folder = shlex.quote(str(Path(one.file).parent))
            lines += [f"mkdir -p {folder}", f"cat > {shlex.quote(one.file)} <<'{end}'", one.text, end]
        elif one.language == "sh" and not one.reason:
            lines.append(one.text)
    return "\n".join(lines) + "\n"


def promises(name: str) -> list[str]:
    """Return the lines that the page shows as output."""
    shown = [one.text for one in of_page(name) if one.reason == "shows output"]
    return [line for text in shown for line in text.splitlines()]


def missing(expected: list[str], output: str) -> list[str]:
    """Return the promised lines that were not printed; standard output and error are not in one order."""
    lines = output.splitlines()
    patterns = [".*".join(map(re.escape, one.split("..."))) for one in expected]
    return [
        text
        for text, pattern in zip(expected, patterns, strict=True)
        if not any(re.fullmatch(pattern, line) for line in lines)
    ]


# Learning takes longer than the others together; test_learning_page.py runs programs of that kind.
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one == LEARNING)) for one in PAGES]
)
def test_a_new_user_gets_what_the_tutorial_shows(name: str):
    if name == CLASS:
        unprivileged.needs_namespaces()
    programs = str(Path(sys.executable).parent)
    with unprivileged.folder_of_user() as folder:
        (place := folder / "empty").mkdir()
        unprivileged.give(folder)
        around = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        around.pop("XDG_CACHE_HOME", None)
        script = f'export PATH={shlex.quote(programs)}:"$PATH"\n{session(name)}'
        command = [*(unprivileged.prefix() if name == CLASS else ()), "bash", "-c", script]
        done = subprocess.run(
            command, cwd=place, env=around, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert missing(promises(name), done.stdout + "\n" + done.stderr) == [], done.stdout + done.stderr


def test_every_tutorial_is_followed():
    pages = {one.page for one in blocks() if one.page.startswith("docs/tutorial-")}
    assert pages == {f"docs/{name}.md" for name in PAGES}


def test_a_line_that_is_not_printed_is_missed():
    assert missing(["a ... c", "b"], "a is c\nab\n") == ["b"]
