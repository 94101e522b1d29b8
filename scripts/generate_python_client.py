#!/usr/bin/env python3
"""Generate the binding of the C library for Python, libcontroller/python/generated/methods.c, and its types,
hal/client/_native.pyi.

In hal/catalogue/spec, api.json lists the functions with their types, methods.json the names of methods and
parameters. `--check` only compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import client_methods, client_types  # noqa: E402
from scripts.api_sources import Sources  # noqa: E402
from scripts.generate_api import formatted  # noqa: E402
from scripts.generated import specification, write_or_compare  # noqa: E402

METHODS = ROOT / "libcontroller" / "python" / "generated" / "methods.c"
TYPES = ROOT / "hal" / "client" / "_native.pyi"


def generate() -> dict[Path, str]:
    """Return the text of each file."""
    sources = Sources(specification("api"))
    return {METHODS: client_methods.file(sources), **formatted({TYPES: client_types.file(sources)})}


def main() -> int:
    """Write or check the files; return the exit code."""
    return write_or_compare("Make the binding for Python.", generate)


if __name__ == "__main__":
    sys.exit(main())
