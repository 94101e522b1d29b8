"""Compile the engine for several systems, step worlds on each, and print a table of their state hashes.

python -m scripts.portable [NAME ...]

NAME: builds, of `platforms.py`; all by default, which also writes docs/portable.md. Exits with 1 if a hash
differs from the one in Python here.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from scripts.portable.platforms import BUILDS, ONLY_COMPILED, PROGRAM, RUNS, build
from scripts.portable.symbols import rounding_functions, undefined_symbols
from scripts.portable.table import difference, page, table
from scripts.portable.tools import fetch_tools, write_macos_compilers, write_scripts
from scripts.portable.worlds import EVERY, STEPS, Sample, write_samples

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "portable"
PAGE = ROOT / "docs" / "portable.md"


def main(names: list[str]) -> int:
    """Return the exit code."""
    tools = FOLDER / "tools"
    chosen = names or list(BUILDS)
    fetch_tools(tools)
    write_macos_compilers(tools)
    write_scripts(tools)
    for name in chosen:
        print(f"compiling: {name}", flush=True)
        build(name, FOLDER, tools)
    if ONLY_COMPILED in chosen:
        taken = rounding_functions(undefined_symbols(FOLDER / ONLY_COMPILED / PROGRAM, tools))
        if taken:
            print(f"{ONLY_COMPILED}: the program takes from the system: {', '.join(taken)}", file=sys.stderr)
            return 1
    print("stepping in Python", flush=True)
    found = write_samples(FOLDER / "worlds")
    return compare(found, chosen, tools)


def compare(found: list[Sample], chosen: list[str], tools: Path) -> int:
    """Step the worlds on all platforms; print the table."""
    runs = [run for run in RUNS if run.build in chosen]
    reference = partial(RUNS[0].hashes, FOLDER, tools)
    rows: list[tuple[Sample, list[str]]] = []
    for sample in found:
        cells = []
        for run in runs:
            other = partial(run.hashes, FOLDER, tools)
            try:
                shown = other(str(sample.file), str(STEPS), str(EVERY))
                cells.append(difference(sample, shown, reference, other))
            except RuntimeError as problem:
                cells.append(str(problem))
        rows.append((sample, cells))
        print(sample.name, *cells, flush=True)
    titles = [run.title for run in runs]
    print(table(titles, rows))
    if len(runs) == len(RUNS):
        PAGE.write_text(page(titles, rows), encoding="utf-8")
    return 0 if all(cell == "=" for _, cells in rows for cell in cells) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
