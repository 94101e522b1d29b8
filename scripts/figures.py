"""Print figures of the house, and hold each to its limit in scripts/figures.toml.

A figure counts what makes code hard to follow: names that say nothing, interfaces with a single
implementation, imports that hide what a file knows, values without a type, code without comments, large
classes, circles of imports, and floors (see scripts/house.py). Figures may only fall: --lower writes the
present ones as limits, and no command raises a limit.

Run from the checkout: python -m scripts.figures [--check | --lower | --places FIGURE]
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.classes import Nodes, largest_classes, single_protocols
from scripts.house import PACKAGES, ROOT, circles, dotted, floors, imports, statements
from scripts.names import EMPTY, places
from scripts.reflowed import broken_paragraphs
from scripts.size import GENERATED_MARKS, HEAD_BYTES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LIMITS = ROOT / "scripts" / "figures.toml"
LARGE_CLASSES = 5
COMMENTED = {"physics": "wbcore/physics/**/*.py", "native code": "wbcore/engine/src/**/*.[ch]pp"}
_NATIVE_COMMENT = re.compile(r"//|/\*")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Figures:
    """Figures by name, and where the counted places of each are."""

    numbers: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, counted: Iterable[str]) -> None:
        """Add a figure that counts places."""
        self.places[name] = list(counted)
        self.numbers[name] = len(self.places[name])

    def add_largest(self, name: str, sizes: Sequence[tuple[int, str]]) -> None:
        """Add a figure that is the largest of some sizes, which come with their places."""
        self.numbers[name] = max((size for size, _ in sizes), default=0)
        self.places[name] = [f"{place}: {size}" for size, place in sizes]


def modules(root: Path = ROOT) -> dict[str, Nodes]:
    """Return the hand-written modules of the product, by their paths relative to the checkout."""
    files = (file for package in PACKAGES for file in sorted((root / package).rglob("*.py")))
    texts = ((file.relative_to(root).as_posix(), file.read_bytes()) for file in files)
    return {
        name: list(ast.walk(ast.parse(text)))
        for name, text in texts
        if not any(mark in text[:HEAD_BYTES] for mark in GENERATED_MARKS)
    }


def figures(root: Path = ROOT) -> Figures:
    """Return all figures of a checkout."""
    nodes = modules(root)
    result = Figures()
    _add_names(result, nodes)
    result.add("protocols with one implementer", single_protocols(nodes))
    result.add("imports under TYPE_CHECKING", _each(nodes, _checking_imports))
    result.add("imports inside functions", _each(nodes, _function_imports))
    result.add("uses of Any", _each(nodes, _uses_of_any))
    result.add("paragraphs broken by reflowing", _each(nodes, broken_paragraphs))
    for name, pattern in COMMENTED.items():
        result.numbers[f"lines per comment in {name}"] = lines_per_comment(sorted(root.glob(pattern)))
    sizes = largest_classes(nodes)[:LARGE_CLASSES]
    result.add_largest("attributes of the largest class", sizes)
    graph = imports(root)
    groups = [(len(group), " ".join(group)) for group in circles(graph)]
    result.add_largest("files in the largest circle of imports", groups)
    for package in PACKAGES:
        result.numbers[f"floors of {package}"] = max(
            floors(graph, dotted(Path(package, "__init__.py"))).values(), default=0
        )
    return result


def _add_names(result: Figures, files: Mapping[str, Nodes]) -> None:
    by_word: dict[str, list[str]] = {word: [] for word in (*EMPTY, "theatre")}
    for file, nodes in files.items():
        for place in places(nodes):
            kind = place.word if place.name.lstrip("_") in EMPTY else "theatre"
            by_word[kind].append(f"{file}:{place.line}: {place.name}; name {place.replacement}")
    for word, lines in by_word.items():
        result.add("names of theatre" if word == "theatre" else f"names `{word}`", lines)


def _each(files: Mapping[str, Nodes], lines_of: Callable[[Nodes], Iterable[int]]) -> Iterator[str]:
    for file, nodes in files.items():
        yield from (f"{file}:{line}" for line in lines_of(nodes))


def _checking_imports(nodes: Nodes) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from (part.lineno for part in node.body if isinstance(part, (ast.Import, ast.ImportFrom)))


def _function_imports(nodes: Nodes) -> Iterator[int]:
    functions = (node for node in nodes if isinstance(node, _FUNCTIONS))
    inner = (node for function in functions for node in statements(function))
    yield from sorted({node.lineno for node in inner if isinstance(node, (ast.Import, ast.ImportFrom))})


def _uses_of_any(nodes: Nodes) -> Iterator[int]:
    return (node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == "Any")


def lines_per_comment(files: Iterable[Path]) -> int:
    """Return the lines of code for each line with a comment, rounded; both sides without blank lines."""
    lines = comments = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        lines += sum(bool(line.strip()) for line in text.splitlines())
        comments += _comments(text) if file.suffix == ".py" else len(_NATIVE_COMMENT.findall(text))
    return round(lines / max(comments, 1))


def _comments(text: str) -> int:
    return sum(
        token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def limits(file: Path = LIMITS) -> dict[str, int]:
    """Return the highest allowed number of each figure."""
    return dict(tomllib.loads(file.read_text(encoding="utf-8"))["limits"])


def excess(numbers: Mapping[str, int], allowed: Mapping[str, int]) -> list[str]:
    """Return a message for each figure above its limit or without one."""
    messages = []
    for name, number in numbers.items():
        if name not in allowed:
            messages.append(f"{name}: {number}, no limit; add it to scripts/figures.toml")
        elif number > allowed[name]:
            messages.append(
                f"{name}: {number}; allowed: {allowed[name]}. List them with:"
                f" python -m scripts.figures --places '{name}'"
            )
    return messages


def lower(numbers: Mapping[str, int], file: Path = LIMITS) -> None:
    """Write the figures that are below their limits as the new limits."""
    allowed = limits(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    for name, number in numbers.items():
        if number < allowed[name]:
            start = f'"{name}" = '
            lines = [f"{start}{number}" if line.startswith(start) else line for line in lines]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Print the figures beside their limits; with --check, return 1 if one is above its limit."""
    parser = argparse.ArgumentParser(description="Print figures of the code and hold them to their limits.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="print only what exceeds a limit, and fail then")
    choice.add_argument("--lower", action="store_true", help="lower the limits to the present figures")
    choice.add_argument("--places", metavar="FIGURE", help="list the places that a figure counts")
    options = parser.parse_args(arguments)
    result, allowed = figures(), limits()
    if options.places is not None:
        print("\n".join(result.places.get(options.places, [])))
        return 0
    if options.check:
        messages = excess(result.numbers, allowed)
        print("\n".join(messages) or "figures: within the limits")
        return 1 if messages else 0
    if options.lower:
        lower(result.numbers)
        return 0
    for name, number in result.numbers.items():
        print(f"{number:6} {allowed.get(name, ''):>6}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
