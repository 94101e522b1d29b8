"""The user's controller in Python: its main file, and the modules of its folder that it imports."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from wbridge.wbfirmware.map.controllers import KEY, Controller, named_controller
from wbridge.wbfirmware.problems import Source, nearest

SUFFIX = ".py"


def find_python_controller(source: Source, default: Path | None) -> Controller | None:
    """See `find_controller`."""
    absent = (
        "the robot has no controller in the world; name a .py file or a folder, for example "
        'controller = "controllers/rover"'
    )
    place = named_controller(source, default, f"a {SUFFIX} file", absent)
    if place is None:
        return None
    named, path = place
    main = path / f"{path.name}{SUFFIX}" if path.is_dir() else path
    if not main.is_file() or main.suffix != SUFFIX:
        known = sorted(
            file.parent.name for file in path.parent.glob("*/*.py") if file.stem == file.parent.name
        )
        listed = f"; there are {', '.join(known)}" if known else ""
        source.wrong(
            KEY,
            f'controller: "{named}" is no controller in Python{listed}{nearest(path.name, known)}',
        )
        return None
    main = Path(os.path.abspath(main))
    return Controller(main.parent, [main], sorted(_modules(main)))


def _modules(main: Path) -> set[Path]:
    """Return the modules of the folder that a file imports, directly or indirectly."""
    files: set[Path] = set()
    waiting = [main]
    while waiting:
        for name, _ in imported_modules(waiting.pop()):
            parts = name.split(".")
            places = [main.parent.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)]
            for place in places:
                for file in (place.with_suffix(SUFFIX), place / "__init__.py"):
                    if file.is_file() and file not in files and file != main:
                        files.add(file)
                        waiting.append(file)
    return files


def imported_modules(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """Iterate over the modules that a file imports, with the statements; none if it cannot be parsed."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)
