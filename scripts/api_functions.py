"""Generate hal/api: one module per header with the functions of the C API, constants, and the list of
names."""

from __future__ import annotations

import inspect
import textwrap
from collections import defaultdict

from scripts.api_sources import (
    CLIENT,
    HEAD,
    NO_TYPING,
    Owner,
    Sources,
    Work,
    docstring,
    imports_for,
    place_of,
    target_imports,
)
from scripts.former_constants import former_constants

COLUMNS = 90
NEUTRAL = {"float": "NAN", "int": "0", "bool": "False", "str": '""', "bytes": 'b""'}
"""Return value of a function for an object that does not exist; None for all other types."""
MISSING = dict.fromkeys(
    ("get_id", "get_count", "get_number_of_fields", "get_number_of_base_node_fields"), "-1"
) | {"get_proto_number_of_fields": "-1"}
LENGTHS = {"get_position": 3, "get_orientation": 9, "get_pose": 16, "get_velocity": 6}
LENGTHS |= {"get_center_of_mass": 3, "get_contact_point": 3}
MISSING |= {name: f"[NAN] * {length}" for name, length in LENGTHS.items()}
"""Return values for a node, field or PROTO that does not exist, where they are not neutral."""


def modules(sources: Sources) -> dict[str, str]:
    """Return the text of each file in hal/api."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for name in sorted(sources.functions):
        if sources.work(name) and name not in sources.by_hand:
            grouped[sources.work(name).owner.module].append(name)  # type: ignore[union-attr]
    made = {f"{module}.py": _module(sources, module, names) for module, names in grouped.items()}
    made["constants.py"] = _constants(sources)
    places = {name: module for module, names in grouped.items() for name in names}
    places |= {name: path.removeprefix("wbridge.hal.api.") for name, path in sources.by_hand.items()}
    made["__init__.py"] = _init(places, constants(sources))
    return made


def _module(sources: Sources, module: str, names: list[str]) -> str:
    works = {name: sources.work(name) for name in names}
    found = {name: work for name, work in works.items() if work is not None}
    owners = {work.owner for work in found.values()}
    annotations = [str(p.annotation) for work in found.values() for p in work.parameters]
    annotations += [work.returns for work in found.values()]
    lines = set(imports_for(annotations))
    for owner in owners:
        lines |= set(_owner_imports(owner, found))
    functions = [_function(name, work) for name, work in found.items()]
    title = (
        f"Functions `{names[0].partition('_')[0]}_...` of the header {module}.h, for Python."
        if module
        else ""
    )
    text = HEAD.format(title=title) + "from __future__ import annotations\n\n" + "\n".join(sorted(lines))
    text += "\n\n\n" + "\n\n".join(functions)
    return text


def _owner_imports(owner: Owner, found: dict[str, Work]) -> list[str]:
    works = [work for work in found.values() if work.owner == owner]
    lines = []
    if owner.target in ("tag", "") or any(work.static for work in works):
        lines.append(f"from {place_of(owner.class_name)} import {owner.class_name}")
    if owner.target == "":
        needed = "NAN, report_missing" if any(map(_needs_nan, works)) else "report_missing"
        lines.append(f"from {CLIENT}arguments import {needed}")
    elif owner.target == "tag":
        lines.append(f"from {CLIENT}session import find")
    elif owner.target:
        lines += target_imports(owner.target)
    return lines


def _needs_nan(work: Work) -> bool:
    return not work.static and (work.returns == "float" or work.name in LENGTHS)


def _function(name: str, work: Work) -> str:
    class_ = work.owner.class_name
    parameters = [str(one) for one in map(plain, work.parameters)]
    call = f"{work.name}({', '.join(one.name for one in work.parameters)})"
    doc = docstring(work.doc, "    ")
    if work.static:
        head, body = parameters, f"return {class_}().{call}"
    elif work.owner.target == "tag":
        head, body = ["tag: int", *parameters], f"return find(tag, {class_}).{call}"
    elif work.owner.target:
        head, body = parameters, f"return {work.owner.target}.{call}"
    else:
        first = class_.lower()
        neutral = MISSING.get(work.name) or _neutral(work.returns)
        kind = first.upper() if first == "proto" else first
        body = f'if {first} is None:\n        report_missing("{kind}", "{name}")\n'
        body += f"        return {neutral}\n    return {first}.{call}"
        head = [f"{first}: {class_} | None", *parameters]
    if work.returns == "None":
        body = body.replace("return None", "return_").replace("return ", "").replace("return_", "return")
    return f"def {name}({', '.join(head)}) -> {work.returns}:\n{doc}\n    {body}\n"


def _neutral(returns: str) -> str:
    is_list = returns.startswith("list[") and not returns.endswith("None")
    return "[]" if is_list else NEUTRAL.get(returns, "None")


def plain(parameter: inspect.Parameter) -> str:
    """Return a parameter as source code."""
    text = f"{parameter.name}: {parameter.annotation}"
    return text if parameter.default is parameter.empty else f"{text} = {parameter.default!r}"


def constants(sources: Sources) -> dict[str, int]:
    """Return constants with their values.

    Those of the vehicle library have one-word names such as LEFT, so a star import does not include them.
    """
    known = former_constants(sources.spec)
    for name, one in sources.spec["constants"].items():
        value = one.get("value")
        if value is not None and (name.startswith("WB_") or "vehicle" in str(one.get("header"))):
            known[name] = value
    return dict(sorted(known.items()))


def _constants(sources: Sources) -> str:
    found = constants(sources)
    lines = "\n".join(f"{name} = {value!r}" for name, value in found.items())
    head = HEAD.format(title="Constants of the C API; node types are numbered as since R2023b.")
    return f"{head}from __future__ import annotations\n\n{lines}\n"


INIT = '''# ruff: noqa: E501 (a line for each name)

from __future__ import annotations

import sys

{no_typing}if TYPE_CHECKING:
{imports}
_MODULES = {places}
_PLACES = {{name: module for module, names in _MODULES.items() for name in names.split()}}
__all__ = {names!r}


def __getattr__(name: str) -> object:
    """A function or constant, whose module is loaded on first use."""
    if name not in _PLACES:
        raise AttributeError(f"wbridge.hal.api has no function {{name!r}}")
    module = f"wbridge.hal.api.{{_PLACES[name]}}"
    __import__(module)  # start-up: importlib takes 1 ms
    loaded = getattr(sys.modules[module], name)
    globals()[name] = loaded
    return loaded
'''


def _init(places: dict[str, str], values: dict[str, int]) -> str:
    title = "The C API in Python: every `wb_` and `wbu_` function under its own name, and the constants."
    places = dict(sorted((places | dict.fromkeys(values, "constants")).items()))
    public = [name for name in places if name.lower().startswith("wb")]
    imports = "".join(
        f"    from wbridge.hal.api.{module} import {name} as {name}\n" for name, module in places.items()
    )
    modules: dict[str, list[str]] = defaultdict(list)
    for name, module in places.items():
        modules[module].append(name)
    return HEAD.format(title=title) + INIT.format(
        no_typing=NO_TYPING, imports=imports, places=_joined(modules), names=public
    )


def _joined(modules: dict[str, list[str]]) -> str:
    """Return a dictionary of names, as texts in lines of a length that is easy to read."""
    rows = []
    for module, names in sorted(modules.items()):
        lines = textwrap.wrap(" ".join(names), COLUMNS)
        rows.append(f"{module!r}: (" + " ".join(f"{line + ' '!r}" for line in lines) + ")")
    return "{" + ", ".join(rows) + "}"
