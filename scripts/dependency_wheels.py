"""Check that each required package has a file to install, without a compiler, for each system and Python.

Asks the package index by pip, without installing anything: python -m scripts.dependency_wheels
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from typing import NamedTuple

from scripts.requirements import of_runtime

SYSTEMS = {
    "Linux, x86-64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "Linux, ARM": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "Windows": ("win_amd64",),
    "macOS, ARM": ("macosx_14_0_arm64",),
    "macOS, x86-64": ("macosx_14_0_x86_64",),
}
"""The platform tags of each system for which wbridge is meant: pip derives no older ones of Linux."""
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
COMPILED = {
    ("quickjs-ng", "macOS, x86-64"): "its makers build for Apple's own processors only; pip compiles it"
}
"""What is known to have no file, and why."""


class Wanted(NamedTuple):
    """A requirement, for a system of `SYSTEMS` and a version of Python."""

    requirement: str
    system: str
    python: str

    @property
    def name(self) -> str:
        """The name of the package, without its version."""
        return self.requirement.split("=")[0].rstrip("<>~! ")


def wanted() -> list[Wanted]:
    """Return all that is required."""
    return [
        Wanted(requirement, system, python)
        for requirement in of_runtime()
        for system in SYSTEMS
        for python in PYTHONS
    ]


def has_wheel(each: Wanted) -> bool:
    """Ask the index whether pip would install a wheel."""
    options = ["--dry-run", "--no-deps", "--quiet", "--only-binary", ":all:", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        target = ["--target", folder, "--python-version", each.python]
        target += [f"--platform={tag}" for tag in SYSTEMS[each.system]]
        command = [sys.executable, "-m", "pip", "install", *options, *target, each.requirement]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def problems(required: Iterable[Wanted], has_file: Callable[[Wanted], bool] = has_wheel) -> list[str]:
    """Return a message for each requirement without a file, unless known, and for each wrong `COMPILED`."""
    messages = []
    for each in required:
        reason = COMPILED.get((each.name, each.system))
        place = f"{each.name} for {each.system}, Python {each.python}"
        is_there = has_file(each)
        if not is_there and reason is None:
            messages.append(f"{place}: no wheel; choose another version or package")
        elif is_there and reason is not None:
            messages.append(f"{place}: has a wheel now; remove it from COMPILED")
    return messages


def main() -> int:
    """Print the problems; return 1 if there are any."""
    required = wanted()
    messages = problems(required)
    print("\n".join(messages) or f"{len(required)} combinations: each has a wheel, or a reason why not")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
