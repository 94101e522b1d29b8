#!/usr/bin/env python3
"""Generate the regular modules of hal/api and hal/controller from the specification.

hal/catalogue/spec/api.json lists the functions of the C API and the methods of the object API; methods.json
beside it has one method for each, with types and docstring. Irregular parts are hand-written in `by_hand`
beside the modules. `--check` only compares.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import api_classes, api_functions  # noqa: E402
from scripts.api_sources import MARK, Sources  # noqa: E402
from scripts.generated import Made, specification, write_or_compare  # noqa: E402

FOLDERS = (ROOT / "hal" / "api", ROOT / "hal" / "controller")


def formatted(made: Made) -> dict[Path, str]:
    """Return the modules in the style of the project."""
    with tempfile.TemporaryDirectory() as name:
        places = {path: Path(name) / str(number) / path.name for number, path in enumerate(made)}
        for path, place in places.items():
            place.parent.mkdir()
            place.write_text(made[path], encoding="utf-8")
        config = ["--config", str(ROOT / "pyproject.toml"), name]
        for command in (("check", "--quiet", "--select", "I", "--fix-only"), ("format", "--quiet")):
            subprocess.run([sys.executable, "-m", "ruff", *command, *config], cwd=ROOT, check=True)
        return {path: place.read_text(encoding="utf-8") for path, place in places.items()}


def generate() -> dict[Path, str]:
    """Return the text of each file."""
    spec: dict[str, Any] = specification("api")
    sources = Sources(spec)
    made = {FOLDERS[0] / name: text for name, text in api_functions.modules(sources).items()}
    made |= {FOLDERS[1] / name: text for name, text in api_classes.modules(sources).items()}
    return formatted(made)


def stale(made: Made) -> list[Path]:
    """Return modules that this script generated earlier but no longer does."""
    return [
        path
        for folder in FOLDERS
        for path in folder.glob("*.py")
        if path not in made and MARK in path.read_text(encoding="utf-8")[:400]
    ]


def main() -> int:
    """Write or check the files; return the exit code."""
    return write_or_compare("Make the regular modules of hal/api and hal/controller.", generate, stale)


if __name__ == "__main__":
    sys.exit(main())
