"""Generated files are what their generators make today."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import absent
from tests.project.files import CHECKOUT

GENERATORS = sorted((CHECKOUT / "scripts").glob("generate_*.py"))
SPEC_VARIABLE = "WBRIDGE_SPEC"


def specification() -> Path:
    """Folder of the specification that some generators read; it is not part of the repository."""
    return Path(os.environ.get(SPEC_VARIABLE, CHECKOUT.parent / "shared" / "spec"))


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda path: path.stem)
def test_generated_files_are_up_to_date(generator: Path):
    if SPEC_VARIABLE in generator.read_text(encoding="utf-8") and not specification().is_dir():
        absent(f"{generator.name} reads the specification; name its folder in {SPEC_VARIABLE}")
    done = subprocess.run(
        [sys.executable, str(generator), "--check"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run {sys.executable} {generator}\n{done.stdout}{done.stderr}"
