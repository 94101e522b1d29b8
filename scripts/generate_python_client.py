#!/usr/bin/env python3
"""Generate libcontroller/python/generated/methods.c, the binding of the C library for Python.

The specification (hal/catalogue/spec/api.json) lists the functions with their types; the classes in hal/modes
have the names of methods and parameters. `--check` only compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import client_methods  # noqa: E402
from scripts.api_sources import Sources  # noqa: E402
from scripts.generated import specification, write_or_compare  # noqa: E402

FILE = ROOT / "libcontroller" / "python" / "generated" / "methods.c"


def generate() -> dict[Path, str]:
    """Return the text of the file."""
    return {FILE: client_methods.file(Sources(specification("api")))}


def main() -> int:
    """Write or check the file; return the exit code."""
    return write_or_compare("Make the methods of the binding for Python.", generate)


if __name__ == "__main__":
    sys.exit(main())
