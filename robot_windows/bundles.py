"""A module of the pages with all that it imports in one file: a page that makes few requests starts sooner.

The modules are files with `import {a, b as c} from './other.js'`, and `export` before declarations; nothing
else is understood here. In a bundle, each one is a function that returns its exports. What is reached only by
`import('./other.js')` runs when that is called. Modules of other projects (vendor/) stay files of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

VENDOR = "vendor/"
IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)';\n", re.MULTILINE)
LATER = re.compile(r"\bimport\('([^']+)'\)")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)


class Module(NamedTuple):
    """A module as a function's body."""

    name: str
    code: str
    imports: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    """What it imports only when it needs that."""


def bundle(pages: Path, name: str, exports: Iterable[str] = ()) -> str:
    """Return one module that does what a module of the pages does.

    Args:
        pages: the folder of the pages, at the address /pages/.
        name: the module, such as "workbench/main.js".
        exports: what the bundle exports, of what the module does.

    Raises:
        OSError: a module is missing.
    """
    first = modules(pages, [name])
    rest = modules(pages, [name for module in first.values() for name in module.later], first)
    lines = [f"import * as {_label(name)} from '/pages/{name}';" for name in _foreign(first)]
    exported = [f"export const {{{', '.join(exports)}}} = {_label(name)};"] if exports else []
    return "\n".join([*lines, *_later(first, rest), *_defined(first), *exported, ""])


def modules(
    pages: Path, names: Iterable[str], known: Mapping[str, Module] | None = None
) -> dict[str, Module]:
    """Return modules and those that they import at once, these first; except for known ones.

    Raises:
        OSError: a module is missing.
    """
    loaded: dict[str, Module] = {}
    known = known or {}

    def add(name: str) -> None:
        if name in loaded or name in known:
            return
        module = Module(name, "") if name.startswith(VENDOR) else _read(pages, name)
        for imported in module.imports:
            add(imported)
        loaded[name] = module

    for name in names:
        add(name)
    return loaded


def _read(pages: Path, name: str) -> Module:
    text = (pages / name).read_text(encoding="utf-8")
    imports: list[str] = []
    later: list[str] = []

    def imported(match: re.Match[str]) -> str:
        imports.append(_resolved(name, match[2]))
        return f"const {{{match[1].replace(' as ', ': ')}}} = {_label(imports[-1])};\n"

    def wanted(match: re.Match[str]) -> str:
        later.append(_resolved(name, match[1]))
        return f"later('{later[-1]}')"

    exports = EXPORT.findall(text)
    code = EXPORT.sub("", LATER.sub(wanted, IMPORT.sub(imported, text)))
    return Module(name, f"{code}return {{{', '.join(exports)}}};", tuple(imports), tuple(later))


def _resolved(name: str, other: str) -> str:
    return normpath(join(dirname(name), other))


def _label(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _foreign(loaded: Mapping[str, Module]) -> list[str]:
    return [name for name in loaded if name.startswith(VENDOR)]


def _defined(loaded: Mapping[str, Module]) -> list[str]:
    own = [module for name, module in loaded.items() if not name.startswith(VENDOR)]
    return [f"const {_label(module.name)} = (() => {{\n{module.code}\n}})();" for module in own]


def _later(first: Mapping[str, Module], rest: Mapping[str, Module]) -> list[str]:
    """Return the function with which modules import others later."""
    if not rest:
        return []
    loaded = [f"const {_label(name)} = await import('/pages/{name}');" for name in _foreign(rest)]
    wanted = {name for module in (*first.values(), *rest.values()) for name in module.later}
    table = ", ".join(f"'{name}': {_label(name)}" for name in sorted(wanted))
    body = [*loaded, *_defined(rest), f"return {{{table}}};"]
    return [
        "let rest;",
        "const later = async (name) => (await (rest ??= (async () => {",
        *body,
        "})()))[name];",
    ]
