"""Generated files are what their generators make today."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT

SLOW = ("generate_motions", "generate_textures")
GENERATORS = sorted((CHECKOUT / "scripts").glob("generate_*.py"))


@pytest.mark.parametrize(
    "generator",
    # Those of motions plan all walks anew, and those of textures draw all of them.
    [pytest.param(one, id=one.stem, marks=[pytest.mark.slow] * (one.stem in SLOW)) for one in GENERATORS],
)
def test_generated_files_are_up_to_date(generator: Path):
    done = subprocess.run(
        [sys.executable, str(generator), "--check"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run {sys.executable} {generator}\n{done.stdout}{done.stderr}"
