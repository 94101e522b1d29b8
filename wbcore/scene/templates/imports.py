"""Import statements of JavaScript templates, found by tokens: strings, comments and patterns are skipped.

The engine has no module loader. Each import is replaced by a declaration that requests one of our modules
from the sandbox.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from wbridge.wbcore.scene.templates.model import TemplateError

# The modules templates may import and what each exports.
MODULES: dict[str, tuple[str, ...]] = {
    "wbgeometry": (
        "circle", "isPoint2InPolygon", "findClosestPoint2InArray", "isPoint2ArrayClockwise",
        "bSpline2", "bSpline3",
    ),
    "wbrandom": ("seed", "real", "integer"),
    "wbrotation": (
        "equal", "fromQuaternion", "toQuaternion", "fromMatrix3", "toMatrix3", "isIdentity", "normalize",
        "combine", "rotateVector3ByMatrix3", "rotateVector3ByRotation", "rotateVector3ByQuaternion",
    ),
    "wbutility": (
        "assert", "error", "info", "deepCopy", "degreesToRadians", "radiansToDegrees", "isScalar",
        "isVector2", "isVector3", "isAxisAngle", "isQuaternion", "isMatrix3", "isArrayOfPoints",
    ),
    "wbvector2": (
        "equal", "add", "minus", "multiply", "norm", "distance", "angle", "cross", "dot", "normalize",
        "intersection",
    ),
    "wbvector3": ("equal", "add", "minus", "multiply", "norm", "distance", "cross", "dot", "normalize"),
}  # fmt: skip

_NAME = r"[A-Za-z_$][\w$]*"

_TOKEN = re.compile(
    rf"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<template>`)
    |(?P<name>{_NAME})
    |(?P<number>\.?\d[\w.]*)
    |(?P<slash>/)
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)

_REGULAR_EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/\w*")

_IMPORT = re.compile(
    rf"""import\s*
    (?:(?:(?P<default>{_NAME})\s*,?\s*)?
       (?:\*\s*as\s+(?P<whole>{_NAME})|\{{(?P<names>[^{{}}]*)\}})?
       \s*from\s*)?
    (?P<quote>["'])(?P<path>[^"'\n]*)(?P=quote)[ \t]*;?""",
    re.VERBOSE,
)

_EXPORTED = re.compile(rf"(?P<name>{_NAME})(?:\s+as\s+(?P<local>{_NAME}))?")

# After these words a slash starts a regular expression instead of a division.
_BEFORE_OPERAND = frozenset(
    "return typeof case do else in instanceof new void delete throw of yield await".split()
)


class Import(NamedTuple):
    """An import: the declaration that replaces it, and its line."""

    declaration: str
    line: int


def extract(code: str, line: int) -> tuple[str, list[Import]]:
    """Remove the import statements from code that starts at `line`; line breaks remain.

    Raises:
        TemplateError: the import is malformed, or the module or name does not exist.
    """
    if "import" not in code:
        return code, []
    kept: list[str] = []
    found: list[Import] = []
    done = 0
    for at in _import_words(code):
        if at < done:
            continue
        at_line = line + code.count("\n", 0, at)
        match = _IMPORT.match(code, at)
        if not match:
            raise TemplateError(
                "this import is not understood; write import * as wbrandom from 'wbrandom.js' or "
                "import {integer} from 'wbrandom.js'",
                at_line,
            )
        found.append(Import(_declaration(match, at_line), at_line))
        kept += code[done:at], "\n" * match.group().count("\n")
        done = match.end()
    kept.append(code[done:])
    return "".join(kept), found


def _import_words(code: str) -> list[int]:
    """Return the offsets of the word `import` at the start of statements."""
    found = []
    position, before = 0, ""
    while match := _TOKEN.match(code, position):
        kind, text = match.lastgroup, match.group()
        position = match.end()
        if kind == "skip":
            continue
        if kind == "template":
            position = _end_of_template(code, position)
        elif kind == "slash" and _operand_expected(before):
            pattern = _REGULAR_EXPRESSION.match(code, match.start())
            position = pattern.end() if pattern else position
        elif text == "import" and before != "." and code[position:].lstrip()[:1] not in ("(", ".", ":", "="):
            found.append(match.start())
        before = text
    return found


def _operand_expected(before: str) -> bool:
    """True if an operand (and so a regular expression) can follow the token `before`."""
    if not before or before in _BEFORE_OPERAND:
        return True
    return not (before[-1].isalnum() or before[-1] in "_$)]}\"'`")


def _end_of_template(code: str, position: int) -> int:
    """Return the offset after the template literal whose text starts at `position`."""
    while position < len(code):
        mark = code[position]
        if mark == "`":
            return position + 1
        if code.startswith("${", position):
            position = _end_of_substitution(code, position + 2)
        else:
            position += 2 if mark == "\\" else 1
    return position


def _end_of_substitution(code: str, position: int) -> int:
    """Return the offset after the brace that closes a substitution in a template literal."""
    depth = 1
    while depth and (match := _TOKEN.match(code, position)):
        position = match.end()
        if match["template"]:
            position = _end_of_template(code, position)
        elif match["other"]:
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
    return position


def _declaration(match: re.Match[str], line: int) -> str:
    """Return the declaration that replaces an import statement."""
    module = _module(match["path"], line)
    if match["default"]:
        raise TemplateError(
            f"module {module!r} has no default export; "
            f"write import * as {match['default']} from '{module}.js'",
            line,
        )
    if match["whole"]:
        return f'const {match["whole"]} = __use("{module}");'
    if match["names"] is None:
        return ""
    names = re.sub(r"//[^\n]*|/\*.*?\*/", " ", match["names"], flags=re.DOTALL).split(",")
    bound = [_binding(name.strip(), module, line) for name in names if name.strip()]
    return f'const {{{", ".join(bound)}}} = __use("{module}");'


def _module(path: str, line: int) -> str:
    """Return the module name of a path; folders are ignored, because only our own modules exist."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".mjs").removesuffix(".js")
    if name in MODULES:
        return name
    if name == "wbfile":
        raise TemplateError("wbfile is always available and cannot be imported: remove the import", line)
    raise TemplateError(f"no module {path!r}{_nearest(name, MODULES)}; allowed: {_listed(MODULES)}", line)


def _binding(text: str, module: str, line: int) -> str:
    """Convert one name of an import list to a destructuring entry."""
    match = _EXPORTED.fullmatch(text)
    if not match:
        raise TemplateError(f"{text!r} is not a name that can be imported from {module!r}", line)
    name, local = match["name"], match["local"]
    if name not in MODULES[module]:
        near = _nearest(name, MODULES[module])
        raise TemplateError(
            f"module {module!r} has no function {name!r}{near}; it has: {_listed(MODULES[module])}", line
        )
    return f"{name}: {local}" if local else name


def _nearest(name: str, known: Iterable[str]) -> str:
    """Return ', did you mean ...?' for a misspelled name."""
    near = get_close_matches(name, list(known), 1)
    return f", did you mean {near[0]!r}?" if near else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
