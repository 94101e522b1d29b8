"""Print the hand-written lines of each wing of the project, the change against a version, and the budget.

A wing is a folder at the root. Lines count as they stand in the file, with comments and blank lines, so that
neither a formatter nor a template hides them. Files that a generator makes, copies of libraries (`vendor/`),
data and pictures are not hand-written. The budget of each wing stands in scripts/size.toml.

Run from the checkout: python -m scripts.size [--against REF] [--check]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / "scripts" / "size.toml"
HEAD_BYTES = 400
GENERATED_MARKS = (b"by scripts/generate_", b"by scripts/bundle_")
"""A generated file names its generator near its top."""
CODE_SUFFIXES = frozenset(
    {".py", ".pyi", ".c", ".h", ".cpp", ".hpp", ".js", ".css", ".html", ".j2", ".sh", ".lua"}
)
CODE_NAMES = frozenset({"Makefile", "CMakeLists.txt", "sources.cmake"})
MODEL_SUFFIXES = frozenset({".proto", ".wbt"})
GENERATED = "generated"
MODELS = "models"

Files = Iterable[tuple[PurePosixPath, bytes]]
"""Path, relative to the root of the repository, and content of each file."""


def wing(path: PurePosixPath, content: bytes) -> str | None:
    """Return the name under which a file's lines count: a folder at the root, "models", "generated"; None for
    what nobody maintains line by line (data, pictures, documentation, copies of libraries)."""
    if "vendor" in path.parts or len(path.parts) == 1 or path.parts[0].startswith("."):
        return None
    if path.suffix in MODEL_SUFFIXES:
        return MODELS
    if path.suffix not in CODE_SUFFIXES and path.name not in CODE_NAMES:
        return None
    is_generated = any(mark in content[:HEAD_BYTES] for mark in GENERATED_MARKS)
    return GENERATED if is_generated else path.parts[0]


def count(files: Files) -> Counter[str]:
    """Return the lines of each wing."""
    lines: Counter[str] = Counter()
    for path, content in files:
        if (name := wing(path, content)) is not None:
            lines[name] += len(content.splitlines())
    return lines


def working_tree(root: Path = ROOT) -> Files:
    """Yield the files of the checkout: those in the repository, and new ones that git does not ignore."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in sorted(filter(None, listed.decode().split("\0"))):
        if (file := root / name).is_file():
            yield PurePosixPath(name), file.read_bytes()


def version(reference: str, root: Path = ROOT) -> Files:
    """Yield the files of a version in the repository.

    Raises:
        subprocess.CalledProcessError: if git does not know the reference.
    """
    listed = _git(root, "ls-tree", "-r", "-z", reference).decode()
    entries = [line.split("\t", 1) for line in listed.split("\0") if " blob " in line]
    hashes = "".join(f"{head.split()[2]}\n" for head, _ in entries)
    stream = _git(root, "cat-file", "--batch", given=hashes.encode())
    for (_, name), content in zip(entries, _contents(stream), strict=True):
        yield PurePosixPath(name), content


def _contents(stream: bytes) -> Iterator[bytes]:
    """Split the output of `git cat-file --batch`: a line with the size in bytes, the content, a line end."""
    start = 0
    while start < len(stream):
        end = stream.index(b"\n", start)
        size = int(stream[start:end].split()[2])
        yield stream[end + 1 : end + 1 + size]
        start = end + size + 2


def _git(root: Path, *arguments: str, given: bytes | None = None) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, input=given, check=True, capture_output=True).stdout


def budget(file: Path = BUDGET) -> dict[str, int]:
    """Return the lines that each wing may have."""
    return {
        name: int(lines) for name, lines in tomllib.loads(file.read_text(encoding="utf-8"))["lines"].items()
    }


def excess(lines: Mapping[str, int], allowed: Mapping[str, int]) -> list[str]:
    """Return a message for each wing above its budget, and for each one without a budget."""
    messages = []
    for name, written in sorted(lines.items()):
        if name not in allowed:
            messages.append(f"{name}: {written} lines, no budget; add it to scripts/size.toml")
        elif written > allowed[name]:
            messages.append(
                f"{name}: {written} lines; allowed: {allowed[name]}. Remove lines, or raise the budget in"
                " scripts/size.toml and say there why"
            )
    return messages


def table(lines: Mapping[str, int], former: Mapping[str, int] | None, allowed: Mapping[str, int]) -> str:
    """Return the wings as a table, the largest first."""
    rows = [f"{'wing':<20} {'lines':>8} {'change':>8} {'budget':>8}"]
    for name in sorted(lines, key=lambda each: (-lines[each], each)):
        change = "" if former is None else f"{lines[name] - former.get(name, 0):+d}"
        rows.append(f"{name:<20} {lines[name]:>8} {change:>8} {allowed.get(name, ''):>8}")
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with --check, return 1 if a wing is above its budget."""
    parser = argparse.ArgumentParser(description="Print the hand-written lines of each wing.")
    parser.add_argument(
        "--against", metavar="REF", help="print the change against this version, such as main"
    )
    parser.add_argument(
        "--check", action="store_true", help="print only what exceeds the budget, and fail then"
    )
    options = parser.parse_args(arguments)
    lines, allowed = count(working_tree()), budget()
    if options.check:
        messages = excess(lines, allowed)
        print("\n".join(messages) or "lines: within the budget")
        return 1 if messages else 0
    former = count(version(options.against)) if options.against else None
    print(table(lines, former, allowed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
