"""Write messages and rules of the API where modules use them: a board has no room for further modules."""

from __future__ import annotations

import ast
import json
import re
from functools import cache

from wbridge.wbfirmware.building.micropython.names import CORE
from wbridge.wbfirmware.template_folders import templates_path

_MODULES = ("messages", "rules")
_IMPORT = re.compile(r"^from wb import (.+)\n", re.MULTILINE)
_MESSAGE = re.compile(r"\bmessages\.([A-Z][A-Z_0-9]*)")


def inlined(text: str) -> str:
    """Return the text of a module with what it uses of `wb.messages` and `wb.rules` in its place."""
    if "messages." not in text and "rules." not in text:
        return text
    text = _IMPORT.sub(_without_modules, text)
    text = _MESSAGE.sub(lambda match: _literal(_messages()[match[1]]), text)
    for call in reversed(list(_rule_calls(text))):
        start, end = _place(text, call)
        text = f"{text[:start]}{_condition(text, call)}{text[end:]}"
    return text


def _without_modules(match: re.Match[str]) -> str:
    names = [name for name in match[1].split(", ") if name not in _MODULES]
    return f"from wb import {', '.join(names)}\n" if names else ""


def _literal(text: str) -> str:
    return repr(text) if '"' in text else json.dumps(text)


@cache
def _messages() -> dict[str, str]:
    """The texts of the module with messages, by name."""
    tree = ast.parse((templates_path() / CORE / "messages.py").read_text(encoding="utf-8"))
    return {
        ast.unparse(row.targets[0]): ast.literal_eval(row.value)
        for row in tree.body
        if isinstance(row, ast.Assign)
    }


@cache
def _rules() -> dict[str, tuple[list[str], str]]:
    """The parameters and the expression of each rule."""
    text = (templates_path() / CORE / "rules.py").read_text(encoding="utf-8")
    rules = {}
    for row in ast.parse(text).body:
        if isinstance(row, ast.FunctionDef) and isinstance(last := row.body[-1], ast.Return) and last.value:
            expression = ast.get_source_segment(text, last.value) or ""
            rules[row.name] = ([parameter.arg for parameter in row.args.args], expression)
    return rules


def _rule_calls(text: str) -> list[ast.Call]:
    """The calls of rules, in the order of the text."""
    calls = [row for row in ast.walk(ast.parse(text)) if isinstance(row, ast.Call)]
    rules = [row for row in calls if ast.unparse(row.func).startswith("rules.")]
    return sorted(rules, key=lambda row: (row.lineno, row.col_offset))


def _place(text: str, call: ast.Call) -> tuple[int, int]:
    """Where a call begins and ends; a call is written on one line."""
    begin = sum(len(line) for line in text.splitlines(keepends=True)[: call.lineno - 1])
    assert call.end_col_offset is not None
    return begin + call.col_offset, begin + call.end_col_offset


def _condition(text: str, call: ast.Call) -> str:
    """A rule's expression with the arguments in the place of the parameters."""
    parameters, expression = _rules()[ast.unparse(call.func).removeprefix("rules.")]
    values = dict(zip(parameters, map(ast.unparse, call.args), strict=True))
    return re.sub(rf"\b({'|'.join(parameters)})\b", lambda match: values[match[1]], expression)
