"""Code in other languages than Python keeps to its linters, too."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest

from scripts.lint_c import GROUPS, Group, format_problems, tidy_problems
from tests.project.files import CHECKOUT

PROGRAMS = Path(sysconfig.get_path("scripts"))


def test_the_javascript_of_the_pages_has_no_warnings():
    done = subprocess.run(
        [
            PROGRAMS / "oxlint",
            "--deny-warnings",
            "--ignore-pattern",
            "**/vendor/**",
            "robot_windows/pages",
            "plugins",
        ],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_clang_format_has_nothing_to_change():
    assert format_problems() == ""


def _name(group: Group) -> str:
    return group.folder


@pytest.mark.slow  # `make check` looks for them, too
@pytest.mark.parametrize("group", GROUPS, ids=_name)
def test_clang_tidy_finds_no_mistakes(group):
    assert group.sources()
    assert tidy_problems(group) == ""
