"""Public names exist, and each file, class and function says what it is for."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

from scripts.house import dotted
from tests.project.files import CHECKOUT, product_modules

# Importing a __main__.py or a controller of a template would run the program, a former name warns, and
# only web pages have the module `page`.
APART = (
    Path("wbridge", "former"),
    Path("hal", "ros"),
    *(Path("wbridge", "live", f"page_{name}.py") for name in ("emulator", "run", "verification")),
    Path("wbcore", "render", "page_gl.py"),
    Path("wbridge", "projects", "template"),
)
MODULES = [
    file
    for file in product_modules()
    if file.name != "__main__.py" and not any(file.is_relative_to(folder) for folder in APART)
]


def module_name(file: Path) -> str:
    return dotted(file)


def public_definitions(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    """Classes and functions at the top of a module, and methods of the classes, that have a public name."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (
                    one for one in node.body if isinstance(one, ast.FunctionDef) and one.name[0] != "_"
                )


def misnamed(file: Path) -> Iterator[str]:
    """Names in `__all__` that a module lacks, or has there twice."""
    module = importlib.import_module(module_name(file))
    names = getattr(module, "__all__", [])
    yield from (f"{file}: no {name}" for name in names if not hasattr(module, name))
    yield from (f"{file}: {name} twice" for name in set(names) if names.count(name) > 1)


def test_the_names_in_all_can_be_imported():
    assert [problem for file in MODULES for problem in misnamed(file)] == []


def bare(file: Path) -> Iterator[str]:
    """What has no docstring in a file."""
    tree = ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))
    if tree.body and not ast.get_docstring(tree):
        yield f"{file}: the file itself"
    for one in public_definitions(tree):
        if not ast.get_docstring(one):
            yield f"{file}:{one.lineno} {one.name}"


def test_every_public_name_has_a_docstring():
    assert [problem for file in MODULES for problem in bare(file)] == []
