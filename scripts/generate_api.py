#!/usr/bin/env python3
"""Makes the modules of hal/api and hal/controller that are regular, from the specification and hal/modes.

The specification (hal/catalogue/spec/api.json) names the functions of the C API and the methods of the
object API; the classes below hal/modes have one method for each, with types and docstring. What is irregular
is written by hand in `by_hand` beside the modules. `--check` only compares.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import api_classes, api_functions  # noqa: E402
from scripts.api_sources import MARK, Sources  # noqa: E402
from scripts.generated import Made, specification, write_or_compare  # noqa: E402

FOLDERS = (ROOT / "hal" / "api", ROOT / "hal" / "controller")


def formatted(text: str) -> str:
    """A module in the style of the project."""
    for command in (("check", "--quiet", "--select", "I", "--fix-only"), ("format", "--quiet")):
        arguments = [sys.executable, "-m", "ruff", *command, "--stdin-filename", "hal/generated.py", "-"]
        text = subprocess.run(
            arguments, input=text, cwd=ROOT, text=True, check=True, capture_output=True
        ).stdout
    return text


def generate() -> dict[Path, str]:
    """The text of each file."""
    spec: dict[str, Any] = specification("api")
    sources = Sources(spec)
    made = {FOLDERS[0] / name: text for name, text in api_functions.modules(sources).items()}
    made |= {FOLDERS[1] / name: text for name, text in api_classes.modules(sources).items()}
    return {path: formatted(text) for path, text in made.items()}


def stale(made: Made) -> list[Path]:
    """Modules that this script has made and makes no more."""
    return [
        path
        for folder in FOLDERS
        for path in folder.glob("*.py")
        if path not in made and MARK in path.read_text(encoding="utf-8")[:400]
    ]


def main() -> int:
    """Write or check the files; the exit code."""
    return write_or_compare("Make the regular modules of hal/api and hal/controller.", generate, stale)


if __name__ == "__main__":
    sys.exit(main())
