"""What generators know of the methods behind the functions of the API: names, types, documentation.

hal/catalogue/spec/methods.json declares it.
"""

from __future__ import annotations

import ast
import inspect
import json
from functools import cache
from typing import Any, NamedTuple

from wbridge.hal.catalogue import DATA

__all__ = ["ApiClass", "Method", "api_class", "declared"]

Json = dict[str, Any]


class Method(NamedTuple):
    """A method, with names and types of Python."""

    parameters: list[inspect.Parameter]
    """Without the object itself; types are texts."""
    returns: str
    doc: str
    static: bool
    checks_enabled: bool
    """Whether it reports a device that is not enabled."""
    channel: str
    """For those of remote controls: the channel of the value that it injects."""


class ApiClass(NamedTuple):
    """A class of the binding of the C library."""

    doc: str
    """The first line of its documentation."""
    lasting: list[int] | None
    """For devices: the commands whose last values are sent again after a change of the mode."""
    methods: dict[str, Method]


@cache
def declared() -> dict[str, ApiClass]:
    """Return the classes of the specification, by name."""
    file = DATA.parent / "spec" / "methods.json"
    classes: dict[str, Json] = json.loads(file.read_text(encoding="utf-8"))
    return {name: _read(data, classes) for name, data in classes.items()}


def api_class(name: str) -> ApiClass:
    """Return a class by name.

    Raises:
        SystemExit: the specification lacks it.
    """
    if name not in declared():
        raise SystemExit(f'hal/catalogue/spec/methods.json has no class "{name}"; describe its methods there')
    return declared()[name]


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
        row.get("channel", ""),
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
