"""`wbridge check`: load worlds and PROTOs and report everything that is wrong in them."""

from __future__ import annotations

import json
import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from wbridge.colors import highlighted
from wbridge.failures import DONE, MISUSED, InputError
from wbridge.progress import Progress
from wbridge.running.world import must_exist
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.diagnostics import Diagnostic
from wbridge.wbcore.scene.load import LoadOptions, load_proto, load_world
from wbridge.words import counted

HELP = "check worlds and PROTOs, and list every error and warning with its place"

_LOG = logging.getLogger(__name__)
_SUFFIXES = (".wbt", ".proto")


class Findings(NamedTuple):
    """The result for one file; `dropped` counts findings beyond the report's limit, and `notes` are lines
    printed by its templates."""

    path: Path
    errors: list[Diagnostic]
    warnings: list[Diagnostic]
    dropped: int
    notes: list[str]

    @property
    def summary(self) -> str:
        """One line: the path and the counts."""
        counts = [counted(len(self.errors), "error"), counted(len(self.warnings), "warning")]
        if self.dropped:
            counts.append(f"{self.dropped} more not shown")
        return f"{self.path}: {', '.join(counts)}"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "worlds",
        nargs="+",
        type=Path,
        metavar="WORLD",
        help="a .wbt or .proto file, or a folder to search for them",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    add_loading_arguments(parser)


def add_loading_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments about missing models."""
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="use placeholders for missing models, and ignore missing collision meshes and physics plugins",
    )
    parser.add_argument("--fetch", action="store_true", help="download missing models into the cache")


def run(args: Namespace) -> int:
    """Check every file; the exit code is 2 if any has an error."""
    results = []
    files = files_of(args.worlds)
    with Progress(len(files), enabled=not (args.json or args.quiet), remaining=True) as progress:
        for file in files:
            progress.step(f"reading {file}")
            results.append(found := check_file(file, args.allow_missing, args.fetch))
            if not args.json:
                with progress.paused():
                    _print(found, args.quiet)
    if args.json:
        _print_json(results)
    elif len(results) > 1:
        _LOG.info("%s", _total(results))
    return MISUSED if any(result.errors for result in results) else DONE


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Return the named files, and the worlds and PROTOs below the named folders, in order and each once.

    Raises:
        InputError: a folder has neither worlds nor PROTOs below it, or a file is missing or of another kind.
    """
    files: dict[Path, None] = {}
    for path in paths:
        must_exist(path)
        if path.is_dir():
            below = sorted(file for file in path.rglob("*") if _is_scene(file))
            if not below:
                raise InputError(f"{path}: no .wbt or .proto file in this folder")
            files.update(dict.fromkeys(below))
        elif path.suffix not in _SUFFIXES:
            raise InputError(f"{path}: expected a world (.wbt), a PROTO (.proto) or a folder of them")
        else:
            files[path] = None
    return list(files)


def _is_scene(path: Path) -> bool:
    """Return True for a world or PROTO, but not for macOS metadata beside it on foreign disks (`._NAME`)."""
    return path.suffix in _SUFFIXES and not path.name.startswith("._") and path.is_file()


def check_file(path: Path, allow_missing: bool, fetch: bool) -> Findings:
    """Load one file (a PROTO as one instance with default parameters) and check its structure."""
    load = load_proto if path.suffix == ".proto" else load_world
    world = load(path, LoadOptions(allow_missing=allow_missing, fetch=fetch))
    check_world(world)
    return Findings(
        path, world.report.errors, world.report.warnings, world.report.dropped, world.report.notes
    )


def _print(found: Findings, quiet: bool) -> None:
    """Print errors first, then warnings, output of templates, and the counts; if quiet, only the errors."""
    for finding in found.errors if quiet else [*found.errors, *found.warnings, *found.notes]:
        print(highlighted(str(finding), sys.stdout))
    if not quiet:
        print(found.summary)


def _print_json(results: list[Findings]) -> None:
    files = [
        {
            "file": str(result.path),
            "errors": [each.as_dict() for each in result.errors],
            "warnings": [each.as_dict() for each in result.warnings],
            "dropped": result.dropped,
            "printed": result.notes,
        }
        for result in results
    ]
    json.dump({"files": files}, sys.stdout, indent=2, ensure_ascii=False)
    print()


def _total(results: list[Findings]) -> str:
    """Return one line about all files."""
    errors = counted(sum(len(result.errors) for result in results), "error")
    warnings = counted(sum(len(result.warnings) for result in results), "warning")
    good = sum(not result.errors for result in results)
    return f"{len(results)} files, {good} without errors: {errors}, {warnings}"
