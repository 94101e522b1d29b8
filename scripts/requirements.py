"""Print requirements of pyproject.toml, one per line: `python -m scripts.requirements [--build | EXTRA...]`.

Without arguments those for running wbridge, with extras theirs, with --build those for compiling it. The
packages can then be installed without building wbridge once more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib

__all__ = ["of_build", "of_extras", "of_runtime"]

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
SETUPTOOLS = "setuptools>=70.1"
"""Builds the requirements that have no wheel for this version of Python."""


def of_build() -> list[str]:
    """Return what compiling needs."""
    return [*_pyproject()["build-system"]["requires"], SETUPTOOLS]


def of_runtime() -> list[str]:
    """Return what running needs."""
    return list(_pyproject()["project"]["dependencies"])


def of_extras(names: Iterable[str]) -> list[str]:
    """Return what extras need, with the extras that they contain.

    Raises:
        KeyError: there is no such extra.
    """
    project = _pyproject()["project"]
    requirements: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        for requirement in project["optional-dependencies"][waiting.pop()]:
            head, _, rest = requirement.partition("[")
            if head == project["name"]:
                waiting += rest.rstrip("]").split(",")
            else:
                requirements[requirement] = None
    return list(requirements)


def _pyproject() -> dict[str, Any]:
    return tomllib.loads(PYPROJECT.read_text("utf-8"))


def main(arguments: list[str]) -> int:
    """Print the requirements."""
    if arguments == ["--build"]:
        requirements = of_build()
    else:
        requirements = of_extras(arguments) if arguments else of_runtime()
    print("\n".join(requirements))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
