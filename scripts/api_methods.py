"""What generators know of the methods behind the functions of the API: names, types, documentation.

hal/catalogue/spec/methods.json declares it, by the classes of the client in Python, which follow it. Classes
that it does not have, of devices that are being added, describe themselves.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from wbridge.hal.catalogue import DATA

__all__ = ["ApiClass", "Method", "api_class", "declared", "described", "load"]

Json = dict[str, Any]
_CHECK = "check_enabled"
"""What a method calls that reports a disabled device."""


class Method(NamedTuple):
    """A method of the client in Python."""

    parameters: list[inspect.Parameter]
    """Without the object itself; types are texts."""
    returns: str
    doc: str
    static: bool
    checks_enabled: bool
    """Whether it reports a device that is not enabled."""


class ApiClass(NamedTuple):
    """A class of the client in Python."""

    doc: str
    """The first line of its documentation."""
    lasting: list[int] | None
    """For devices: the commands whose last values are sent again after a change of the mode."""
    methods: dict[str, Method]


@cache
def declared() -> dict[str, ApiClass]:
    """Return the classes of the specification, by module and name."""
    file = DATA.parent / "spec" / "methods.json"
    classes: dict[str, Json] = json.loads(file.read_text(encoding="utf-8"))
    return {path: _read(data, classes) for path, data in classes.items()}


@cache
def api_class(path: str) -> ApiClass:
    """Return a class by module and name."""
    known = declared().get(path)
    return known if known is not None else described(load(path))


def described(class_: type, names: Iterable[str] | None = None) -> ApiClass:
    """Return what a class says of itself.

    Args:
        class_: a class of the client.
        names: of the methods to describe; None: of all.
    """
    found = {}
    for name in names or dir(class_):
        method = getattr(class_, name, None)
        if inspect.isfunction(method) and not name.startswith("__"):
            found[name] = _described(method, isinstance(inspect.getattr_static(class_, name), staticmethod))
    doc = (class_.__doc__ or "").strip().splitlines()
    state = getattr(class_, "state", None)
    return ApiClass(doc[0] if doc else "", None if state is None else list(state), found)


def _described(method: Any, static: bool) -> Method:
    signature = inspect.signature(method)
    parameters = list(signature.parameters.values())[0 if static else 1 :]
    return Method(
        parameters,
        str(signature.return_annotation),
        inspect.getdoc(method) or "",
        static,
        _CHECK in inspect.getsource(method),
    )


def load(path: str) -> type:
    """A class by module and name."""
    module, _, name = path.rpartition(".")
    found: type = getattr(importlib.import_module(module), name)
    return found


def _read(data: Json, classes: dict[str, Json]) -> ApiClass:
    """A class; a method that is a text is inherited from the class with that name."""
    methods = {
        name: _read_method(classes[row]["methods"][name] if isinstance(row, str) else row)
        for name, row in data["methods"].items()
    }
    return ApiClass(data["doc"], data.get("lasting"), methods)


def _read_method(row: Json) -> Method:
    return Method(
        _parameters(row.get("parameters", "")),
        row.get("returns", "None"),
        "\n".join(row["doc"]),
        row.get("static", False),
        row.get("checks_enabled", False),
    )


def _parameters(text: str) -> list[inspect.Parameter]:
    """The parameters of a text such as `position: float, count: int = 1`."""
    function = ast.parse(f"def f({text}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    defaults = [inspect.Parameter.empty] * (len(given.args) - len(given.defaults))
    values = [*defaults, *map(ast.literal_eval, given.defaults)]
    return [
        inspect.Parameter(
            one.arg,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=value,
            annotation=ast.unparse(one.annotation) if one.annotation else inspect.Parameter.empty,
        )
        for one, value in zip(given.args, values, strict=True)
    ]
