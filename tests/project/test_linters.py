"""Code in other languages than Python keeps to its linters, too."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

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
