"""Shared by generators: load the specification, write or compare the generated files."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from scripts.own_devices import with_own_devices

ROOT = Path(__file__).resolve().parent.parent
SPECIFICATION = ROOT / "hal" / "catalogue" / "spec"

Made = Mapping[Path, str]
"""The text of each file."""


def specification(name: str) -> dict[str, Any]:
    """Return the specification "api" or "nodes" (see hal/catalogue/spec/README.md), with wbridge's own
    devices."""
    data: dict[str, Any] = json.loads((SPECIFICATION / f"{name}.json").read_text(encoding="utf-8"))
    return with_own_devices(name, data)


def nothing(made: Made) -> Iterable[Path]:
    """Return no stale files, for generators that always produce the same ones."""
    return ()


def write_or_compare(
    description: str,
    make: Callable[[], Made],
    stale: Callable[[Made], Iterable[Path]] = nothing,
    arguments: list[str] | None = None,
) -> int:
    """Run the command line of a generator: write its files; with `--check` only show the differences.

    Args:
        description: one sentence for its help.
        make: returns the generated files.
        stale: returns files that are no longer generated; they are removed.
        arguments: command-line arguments; None: those of the program.

    Returns:
        The exit code: 1 if `--check` finds a difference.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 when out of date")
    check = parser.parse_args(arguments).check
    made = make()
    left = sorted(stale(made))
    differing = [path for path, text in made.items() if _present(path) != text]
    for path in left:
        print(f"{_label(path)}: no longer generated")
        if not check:
            path.unlink()
    for path in differing:
        if check:
            old, new = (text.splitlines(keepends=True) for text in (_present(path), made[path]))
            sys.stdout.writelines(difflib.unified_diff(old, new, _label(path), "generated now"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[path], encoding="utf-8")
    return int(check and bool(left or differing))


def _present(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _label(path: Path) -> str:
    return str(path.relative_to(ROOT))
