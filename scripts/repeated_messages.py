#!/usr/bin/env python3
"""Find messages of the API that are written by hand in more than one place, in any of its languages.

Every text of at least three words in the sources of the API is compared, with placeholders left out: those of
the client in Python, of the libraries for C, C++, Java and Octave, of the boards in C and MicroPython, and of
the catalogue of messages (hal/catalogue/spec/messages.json), which must hold what two of them need.

Exit code 1 if a text stands in two places, or if no source reports a message of the catalogue.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.message_catalogue import PLACEHOLDER, messages  # noqa: E402

SOURCES = {
    "hal/reports": "py",
    "hal/connection": "py",
    "hal/gateway": "py",
    "hal/client": "py",
    "hal/api/by_hand": "py",
    "hal/controller/by_hand": "py",
    "libcontroller/src": "c h",
    "libcontroller/cpp": "cpp hpp c h",
    "libcontroller/python": "c h py",
    "libcontroller/java": "java c cpp i",
    "libcontroller/octave": "m c cpp",
    "libcontroller/include": "h hpp",
    "firmware_templates/api": "c h py",
    "firmware_templates/controller": "c h",
    "firmware_templates/cpp": "cpp h hpp",
    "firmware_templates/flavors": "c h",
    "firmware_templates/micropython": "py",
    "wbcore/engine/src/inline": "cpp h",
}
"""Folders with sources of the API, and the ends of their names."""
GENERATED = re.compile(r"[Gg]enerated by scripts/")
LITERALS = re.compile(r'/\*.*?\*/|//[^\n]*|((?:"(?:[^"\\\n]|\\.)*"\s*)+)|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
"""Comments, texts and characters of C and Java; of these, only texts are a group."""
CONVERSION = re.compile(r"%[-+ #0]*[\d.*]*(?:hh|ll|[hlzjt])?[diufgesxcp]")
WORDS = re.compile(r"[A-Za-z]{2,}")
LEAST_WORDS = 3
LEAST_SIZE = 12


def texts() -> dict[str, list[str]]:
    """Return the places of each text, with placeholders as `{}`."""
    places: dict[str, list[str]] = {}
    for part in ("api", "board"):
        for rows in messages(part).values():
            for row in rows:
                places.setdefault(PLACEHOLDER.sub("{}", row.text).strip(), []).append(
                    f"messages.json: {row.name}"
                )
    for folder, ends in SOURCES.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix[1:] in ends.split() and "__pycache__" not in path.parts:
                for text in _of_file(path):
                    places.setdefault(text, []).append(str(path.relative_to(ROOT)))
    return places


def repeated() -> dict[str, list[str]]:
    """Return the texts that stand in more than one place."""
    return {text: where for text, where in texts().items() if len(where) > 1}


def unused() -> list[str]:
    """Return the messages of the catalogue for the API that no source reports."""
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder, ends in SOURCES.items()
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix[1:] in ends.split() and path.stem not in ("messages", "message_texts")
    )
    words = set(re.findall(r"\w+", sources))
    rows = [row for group in messages("api").values() for row in group]
    return [row.name for row in rows if not {row.macro, row.name} & words]


def _of_file(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    if GENERATED.search(source[:600]):
        return
    for text in _of_python(source) if path.suffix == ".py" else _of_c(source):
        plain = text.strip()
        if (
            " " in plain
            and "\n" not in plain
            and len(plain) >= LEAST_SIZE
            and len(WORDS.findall(plain)) >= LEAST_WORDS
        ):
            yield plain


def _of_python(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    skipped = {id(row.value) for row in ast.walk(tree) if isinstance(row, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(value) for value in node.values}
            parts = [value.value if isinstance(value, ast.Constant) else "{}" for value in node.values]
            yield "".join(map(str, parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def _of_c(source: str) -> Iterator[str]:
    for match in LITERALS.finditer(source):
        if match[1]:
            pieces = re.findall(r'"(?:[^"\\\n]|\\.)*"', match[1])
            text = "".join(ast.literal_eval(piece) for piece in pieces)
            yield CONVERSION.sub("{}", text)


def main() -> int:
    """Print the texts that stand in more than one place, and messages that nothing reports."""
    rows = repeated()
    for name in unused():
        print(f"{name}: no source reports this message")
    for text, where in sorted(rows.items()):
        print(f"{text!r}: {', '.join(where)}")
    print(f"{len(texts())} texts, {len(rows)} of them in more than one place")
    return int(bool(rows or unused()))


if __name__ == "__main__":
    sys.exit(main())
