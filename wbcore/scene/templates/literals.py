"""Field values and context as source text in the template's language (table 5.1 of the reference manual).

Floating point numbers have 6 significant digits, as in Webots. Nodes are written one after the other and
refer to those inside them by number, so that deep trees do not become deep expressions.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from wbridge.wbcore.scene.templates.model import FieldPair, TemplateError

# Characters to escape in a Lua string.
_LUA_ESCAPES = {code: f"\\{code:03d}" for code in (*range(32), 34, 92, 127)}


class _Writer(ABC):
    """Writes values as expressions; `nodes` collects the expressions of nodes."""

    null: str
    list_format: str
    infinity: str
    nan: str

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.kinds: dict[type, Callable[[Any], str]] = {
            bool: self.boolean,
            int: str,
            float: self.number,
            str: self.string,
            type(None): lambda _: self.null,
            list: self.sequence,
            tuple: self.sequence,
            dict: self.mapping,
            FieldPair: self.pair,
        }

    def value(self, value: Any) -> str:
        write = self.kinds.get(type(value))
        if write is None:
            raise TypeError(f"templates cannot see a value of type {type(value).__name__}")
        return write(value)

    def boolean(self, value: bool) -> str:
        return "true" if value else "false"

    def number(self, value: float) -> str:
        text = f"{value:.6g}"
        special = {"inf": self.infinity, "-inf": f"-{self.infinity}", "nan": self.nan, "-0": "0"}
        return special.get(text, text)

    def sequence(self, values: list[object] | tuple[object, ...]) -> str:
        return self.list_format % ",".join([self.value(value) for value in values])

    def pair(self, pair: FieldPair) -> str:
        return self.table({"value": pair.value, "defaultValue": pair.default})

    def mapping(self, value: dict[str, object]) -> str:
        text = self.table(value)
        if "node_name" not in value:
            return text
        self.nodes.append(text)
        return self.node_reference(len(self.nodes))

    def table(self, value: Mapping[str, object]) -> str:
        entries = [self.entry(name, self.value(item)) for name, item in value.items()]
        return f"{{{','.join(entries)}}}"

    @abstractmethod
    def string(self, value: str) -> str: ...

    @abstractmethod
    def entry(self, name: str, value: str) -> str: ...

    @abstractmethod
    def node_reference(self, number: int) -> str: ...

    @abstractmethod
    def program(self, fields: str, context: str) -> str:
        """Return the source of a function body that returns fields and context."""


class _Lua(_Writer):
    null = "nil"
    list_format = "{%s}"
    infinity = "(1/0)"
    nan = "(0/0)"

    def string(self, value: str) -> str:
        return lua_string(value)

    def entry(self, name: str, value: str) -> str:
        return f"[{lua_string(name)}]={value}"

    def node_reference(self, number: int) -> str:
        return f"n[{number}]"

    def program(self, fields: str, context: str) -> str:
        nodes = "".join(f"n[{number}]={text}\n" for number, text in enumerate(self.nodes, 1))
        return f"local n={{}}\n{nodes}return {fields},{context}"


class _JavaScript(_Writer):
    null = "undefined"
    list_format = "[%s]"
    infinity = "Infinity"
    nan = "NaN"

    def string(self, value: str) -> str:
        return json.dumps(value)

    def entry(self, name: str, value: str) -> str:
        # Computed, because a plain key "__proto__" would set the prototype.
        return f"[{json.dumps(name)}]:{value}" if name == "__proto__" else f"{json.dumps(name)}:{value}"

    def node_reference(self, number: int) -> str:
        return f"n[{number}]"

    def program(self, fields: str, context: str) -> str:
        nodes = "".join(f"n[{number}]={text};" for number, text in enumerate(self.nodes, 1))
        return f"const n=[];{nodes}return [{fields},{context}];"


_WRITERS: dict[str, type[_Writer]] = {"lua": _Lua, "javascript": _JavaScript}


def lua_string(value: str) -> str:
    """Return a quoted Lua string on one line."""
    return f'"{value.translate(_LUA_ESCAPES)}"'


def data_program(language: str, fields: Mapping[str, FieldPair], context: Mapping[str, object]) -> str:
    """Return source text that creates `fields` and `context` in the template's language.

    Raises:
        TemplateError: the values are nested too deeply.
        TypeError: a value has a type that is not in table 5.1.
    """
    writer = _WRITERS[language]()
    try:
        return writer.program(writer.table(fields), writer.table(context))
    except RecursionError:
        raise TemplateError("the nodes in the fields of this PROTO are nested too deeply") from None
