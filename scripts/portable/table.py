"""The table of worlds and platforms, and the first difference of a hash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.portable.worlds import EVERY, STEPS, Sample

__all__ = ["Runner", "difference", "page", "table"]

Runner = Callable[..., list[str]]
"""Runs the program with arguments on a platform, and returns the lines that it prints."""
HEAD = """# State hashes by platform

Each world is stepped {steps} times on each platform, by the engine without Python, with motors that run.
The hash is that of `World.hash()` in Python after the last step. `=` stands for equal hashes after each
{every} steps; else the table names the first step and value that differ. For macOS on AArch64, the program
is compiled and linked by Zig, takes no mathematical function from the system, and is not run. Written by
`make portable`.

"""


def table(titles: Sequence[str], rows: Sequence[tuple[Sample, Sequence[str]]]) -> str:
    """Return a table: for each world its last hash, and for each platform `=` or where it differs."""
    heads = ["world", "hash", *titles]
    lines = [[sample.name, sample.hashes[-1].split()[1], *cells] for sample, cells in rows]
    widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [heads, *lines]
    )


def page(titles: Sequence[str], rows: Sequence[tuple[Sample, Sequence[str]]]) -> str:
    """Return the table as a page of the documentation."""
    lines = [["world", "hash", *titles], ["---"] * (2 + len(titles))]
    lines += [[sample.name, f"`{sample.hashes[-1].split()[1]}`", *cells] for sample, cells in rows]
    return HEAD.format(steps=STEPS, every=EVERY) + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def difference(sample: Sample, shown: Sequence[str], reference: Runner, other: Runner) -> str:
    """Return "=", or the first step and value that differ from the reference's."""
    if list(shown) == list(sample.hashes):
        return "="
    pairs = zip(sample.hashes, shown, strict=False)
    about = next((own.split()[0] for own, foreign in pairs if own != foreign), str(len(shown)))
    step = _first(reference(_name(sample.file), about, "1"), other(_name(sample.file), about, "1")) + 1
    ours, theirs = (run(_name(sample.file), str(step), "values") for run in (reference, other))
    return f"step {step}: {_value(ours, theirs)}"


def _name(file: Path) -> str:
    return str(file)


def _first(ours: Sequence[str], theirs: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)


def _value(ours: Sequence[str], theirs: Sequence[str]) -> str:
    at = _first(ours, theirs)
    if at >= len(ours) or at >= len(theirs):
        return "another number of values"
    own, foreign = ours[at].split(), theirs[at].split()
    which = next((i for i in range(2, len(own)) if own[i] != foreign[i]), 2)
    return f"{own[0]}[{which - 2}] of {own[1]}: {own[which]}, not {foreign[which]}"
