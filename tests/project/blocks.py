"""The code blocks of the documentation, and why some of them are not run as they are printed.

A comment in the line before a block, `<!-- not run: REASON -->`, says why it is not run; see `REASONS`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tests.project.files import CHECKOUT

REASONS = {
    "shows output": "what a program prints",
    "shows files": "a listing, or a file of the user's",
    "needs a robot": "hardware, or a recording of it",
    "needs a browser": "opens a page",
    "needs other machines": "a cluster, a server",
    "installs software": "changes the system or the environment",
    "runs until you end it": "a server, or a controller that waits for a simulator",
    "part of a program": "does nothing by itself",
    "part of a world": "nodes without the rest of their file",
    "names stand for yours": "the reader's own worlds, robots and files",
    "slow": "run by `make test-slow`",
}
PAGES = {
    "docs/20-euro-robot.md": "tests/firmware/test_cheap_robot_page.py",
    "docs/adding-a-board.md": "tests/firmware/test_adding_a_board.py",
    "docs/adding-a-command.md": "tests/project/test_adding_a_command.py",
    "docs/adding-a-device.md": "tests/project/test_adding_a_device.py",
    "docs/adding-a-friction-law.md": "tests/project/test_adding_a_friction_law.py",
    "docs/adding-a-message.md": "tests/project/test_adding_to_pages.py",
    "docs/adding-a-panel.md": "tests/project/test_adding_to_pages.py",
    "docs/adding-a-transport.md": "tests/project/test_adding_a_transport.py",
    "docs/adding-an-option.md": "tests/project/test_adding_an_option.py",
    "docs/convert.md": "tests/wbridge/test_convert.py",
    "docs/from-simulation-to-your-robot.md": "tests/wbridge/test_robot_page.py",
    "docs/real-robots.md": "tests/remote/test_page.py",
    "docs/tutorial-arm.md": "tests/project/test_tutorials.py",
    "docs/tutorial-class.md": "tests/project/test_tutorials.py",
    "docs/tutorial-first-robot.md": "tests/project/test_tutorials.py",
    "docs/tutorial-learning.md": "tests/project/test_tutorials.py",
    "docs/tutorial-real-robot.md": "tests/project/test_tutorials.py",
    "docs/tutorial-webots-project.md": "tests/project/test_tutorials.py",
}
"""Pages whose blocks need each other, and the tests that follow them."""
TESTS = {
    ("docs/cli.md", ""): "scripts/generate_cli_doc.py",
    ("docs/grading.md", "python"): "tests/samples/test_grading.py",
    ("docs/learning.md", "python"): "tests/fleet/test_training.py",
    ("docs/python-api.md", "python"): "tests/hal/api/test_docs.py",
    ("docs/remote-control.md", "python"): "tests/hal/remote/test_page.py",
    ("docs/robot-link.md", "hex"): "tests/hal/link/test_vectors.py",
}
"""Blocks of a language with tests or generators of their own."""
CALL = re.compile(r"\s*(?:\w+=\S+ )*(?:\S*/)?wbridge (.*)")
MARK = re.compile(r"\s*<!-- not run: (.*) -->$")
SHELL = ("", "sh")


class Block(NamedTuple):
    """A block between fences."""

    page: str
    """Path below the checkout."""
    line: int
    """Line of its first fence, from 1."""
    language: str
    """The word after the fence."""
    file: str
    """The second word, the name of a file or a kind; mostly ""."""
    text: str
    reason: str
    """Why it is not run; "" if it is."""

    @property
    def own_test(self) -> str:
        """The file of the tests that run it, or ""."""
        return PAGES.get(self.page) or TESTS.get((self.page, self.language), "")

    @property
    def commands(self) -> list[list[str]]:
        """The calls of wbridge in a block for a shell, without comments and redirections."""
        if self.language not in SHELL or self.reason.startswith("shows"):
            return []
        text = re.sub(r"\$\w+", "1", self.text)
        lines = [CALL.match(line) for line in text.replace("\\\n", " ").splitlines()]
        calls = [shlex.split(line[1], comments=True) for line in lines if line is not None]
        return [call[: call.index(">")] if ">" in call else call for call in calls]


@lru_cache(maxsize=1)
def blocks() -> tuple[Block, ...]:
    """Return the blocks of all pages."""
    pages = [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
    return tuple(block for page in pages for block in _blocks(page))


def _blocks(path: Path) -> Iterator[Block]:
    lines = path.read_text(encoding="utf-8").splitlines()
    start = None
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("```"):
            continue
        if start is None:
            start = number
            continue
        mark = MARK.match(lines[start - 1]) if start else None
        indent = len(lines[start]) - len(lines[start].lstrip())
        text = "\n".join(one[indent:] for one in lines[start + 1 : number])
        language, _, file = lines[start].strip(" `").partition(" ")
        page = path.relative_to(CHECKOUT).as_posix()
        yield Block(page, start + 1, language, file, text, mark[1] if mark else "")
        start = None
