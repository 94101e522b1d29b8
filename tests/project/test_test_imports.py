"""Imports in tests, benchmarks and fuzzers lead somewhere, also in those that `make test` does not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.house import statements
from tests.project.files import CHECKOUT, PRODUCT, tracked

FOLDERS = ("tests", "benchmarks", "fuzz")
OWN = {*PRODUCT, *FOLDERS, "scripts"}


@cache
def module_file(module: str) -> Path | None:
    """The file of one of our modules; None if there is none."""
    parts = module.split(".")
    if parts[0] == "wbridge" and parts[1:2] and parts[1] in PRODUCT:
        del parts[0]  # a folder at the root
    path = CHECKOUT.joinpath(*parts)
    files = (path.with_suffix(".py"), path / "__init__.py", path.with_suffix(".pyi"))
    return next((one for one in files if one.is_file()), path if path.is_dir() else None)


@cache
def defined(file: Path) -> frozenset[str]:
    """Names that a module defines or imports anywhere outside of functions; "*" if it may have others."""
    found: set[str] = set()
    todo: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))] if file.is_file() else []
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add("*" if node.name == "__getattr__" else node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(one.asname or one.name.partition(".")[0] for one in node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        todo.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def missing(file: Path) -> Iterator[str]:
    """What a file imports from our packages and nothing defines."""
    for node in statements(ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module]
        for module in modules:
            if module.partition(".")[0] not in OWN:
                continue
            target = module_file(module)
            if target is None:
                yield f"{file}:{node.lineno}: {module}"
            elif isinstance(node, ast.ImportFrom) and "*" not in (known := defined(target)):
                names = (one.name for one in node.names if one.name not in known)
                yield from (
                    f"{file}:{node.lineno}: {module}.{n}" for n in names if not module_file(f"{module}.{n}")
                )


def test_every_import_of_a_test_leads_to_a_name():
    files = [one for one in tracked() if one.suffix == ".py" and one.parts[0] in FOLDERS]
    assert len(files) > len(FOLDERS)
    assert [problem for file in files for problem in missing(file)] == []
