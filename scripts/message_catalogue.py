"""Messages and rules of the API, read from the specification (hal/catalogue/spec/messages.json)."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from scripts.generated import SPECIFICATION

PLACEHOLDER = re.compile(r"\{(\w+):(\w+)\}")
_INFINITE = re.compile(r"\binfinite\((\w+)\)")


class Placeholder(NamedTuple):
    """How a type of placeholder is written in each language."""

    python: str
    """The type of the parameter."""
    shown: str
    """What follows its name in an f-string."""
    c: str
    """The conversion of printf."""


TYPES = {
    "text": Placeholder("object", "", "%s"),
    "int": Placeholder("int", "", "%d"),
    "size": Placeholder("int", "", "%zu"),
    # C writes the number with number_text().
    "number": Placeholder("float", "", "%s"),
    "general": Placeholder("float", ":g", "%g"),
}


class Message(NamedTuple):
    """A message whose text has placeholders such as `{period:int}`."""

    name: str
    text: str

    @property
    def parameters(self) -> list[tuple[str, Placeholder]]:
        """Names and types of the placeholders, in order."""
        return [(name, TYPES[kind]) for name, kind in PLACEHOLDER.findall(self.text)]

    @property
    def f_string(self) -> str:
        """The inside of an f-string."""
        return PLACEHOLDER.sub(lambda match: f"{{{match[1]}{TYPES[match[2]].shown}}}", self.text)

    @property
    def c_format(self) -> str:
        """A format of printf."""
        return PLACEHOLDER.sub(lambda match: TYPES[match[2]].c, self.text.replace("%", "%%"))

    @property
    def pieces(self) -> list[str]:
        """What stands before, between and behind the placeholders; at the end only if it is not empty."""
        pieces = PLACEHOLDER.split(self.text)[::3]
        return pieces if pieces[-1] else pieces[:-1]

    @property
    def macro(self) -> str:
        """The name of the macro in C."""
        return f"MESSAGE_{self.name.upper()}"


class Rule(NamedTuple):
    """A condition on arguments, written as in Python, with `infinite()` as the only function."""

    name: str
    about: str
    parameters: list[str]
    expression: str

    def written(self, infinite: str) -> str:
        """Return the condition in Python, given the name of the function or format for `infinite()`."""
        return _INFINITE.sub(lambda match: infinite.format(match[1]), self.expression)

    @property
    def c(self) -> str:
        """The condition as a macro's body in C."""
        words = self.written("isinf({})").replace(" and ", " && ").replace("not ", "!")
        names = "|".join(self.parameters)
        return re.sub(rf"(?<!\()\b({names})\b", r"(\1)", words)


def rules() -> list[Rule]:
    """Return the rules."""
    rows = _catalogue()["rules"]
    return [Rule(name, row["about"], row["parameters"], row["expression"]) for name, row in rows.items()]


def messages(part: str) -> dict[str, list[Message]]:
    """Return the messages of "api" or "board", by group."""
    groups = _catalogue()[part]
    return {group: [Message(*item) for item in rows.items()] for group, rows in groups.items()}


def _catalogue() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SPECIFICATION / "messages.json").read_text(encoding="utf-8"))
    return data
