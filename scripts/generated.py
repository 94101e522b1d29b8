"""Where generators find the specification, and how they write their files or compare them."""

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
    """The specification "api" or "nodes" (see hal/catalogue/spec/README.md), with the devices of wbridge."""
    data: dict[str, Any] = json.loads((SPECIFICATION / f"{name}.json").read_text(encoding="utf-8"))
    return with_own_devices(name, data)


def nothing(made: Made) -> Iterable[Path]:
    """What a generator leaves behind that always makes the same files."""
    return ()


def write_or_compare(
    description: str,
    make: Callable[[], Made],
    stale: Callable[[Made], Iterable[Path]] = nothing,
    arguments: list[str] | None = None,
) -> int:
    """The command line of a generator: writes its files; with `--check` only shows how they differ.

    Args:
        description: One sentence for its help.
        make: What it makes now.
        stale: Which files it has made once and makes no more; they are removed.
        arguments: Of the command line; those of the program when None.

    Returns:
        The exit code: 1 when `--check` finds a difference.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 when out of date")
    check = parser.parse_args(arguments).check
    made = make()
    left = sorted(stale(made))
    differing = [path for path, text in made.items() if _present(path) != text]
    for path in left:
        print(f"{_label(path)}: no longer made")
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
