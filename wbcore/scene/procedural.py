"""Procedural PROTOs: generates an instance's body from its parameters (chapter 5.4)."""

from __future__ import annotations

import re
import time
from typing import Any

from wbcore.scene import templates
from wbcore.scene.context import Context
from wbcore.scene.diagnostics import Report
from wbcore.scene.node import Field, Node
from wbcore.scene.proto import ProtoDefinition
from wbcore.scene.source import SourceFile
from wbcore.scene.values import VecArray

_KEPT = 256
_SLOW_FAILURE_S = 1.0
"""A template that failed after this time (s) is not run again for other instances."""
_WORLD_BUDGET_S = 60.0
_MAX_PLAIN_DEPTH = 100
_NOT_REPEATABLE = re.compile(r"\b(?:context|random\w*|wbrandom|wbfile)\b")
_KEYS = {"SFVec2f": "xy", "SFVec3f": "xyz", "SFRotation": "xyza", "SFColor": "rgb"}


class Renderer:
    """Runs templates, and caches results for instances with equal parameters."""

    def __init__(self, report: Report, context: Context) -> None:
        self.report = report
        self.context = context
        self._kept: dict[tuple[str, str], Node | None] = {}
        self._keys: dict[SourceFile, tuple[str, str]] = {}
        self._used: dict[ProtoDefinition, set[str]] = {}
        self._ids: dict[Node, int] = {}
        self._stopped: set[ProtoDefinition] = set()
        self._spent_s = 0.0

    def begin(self) -> None:
        """Restart the time limit for templates."""
        self._spent_s = 0.0

    def lend(self, instance: Node, copy: Node) -> None:
        """Give a temporary copy the number of its instance."""
        self._ids[copy] = self._ids.get(instance, 0)

    def identifier(self, instance: Node) -> int:
        """Return the number that the template of an instance received; 0: none."""
        return self._ids.get(instance, 0)

    def forget(self, instance: Node) -> None:
        """Forget an instance that was removed from the tree."""
        self._ids.pop(instance, None)

    def render(
        self, instance: Node, definition: ProtoDefinition, parameters: dict[str, Field]
    ) -> SourceFile | Node | None:
        """Return the generated body as text, or cached nodes of the same text; None after an error."""
        try:
            pairs = {name: _pair(parameters[name]) for name in self._used_fields(definition)}
        except RecursionError as problem:
            self._report_failure(instance, definition, templates.TemplateError(str(problem)))
            return None
        key = self._key(definition, pairs)
        if key is not None and self._kept.get(key) is not None:
            return self._kept[key]
        source = self._run(instance, definition, pairs)
        if source is not None and key is not None:
            self._keys[source] = key
        return source

    def keep(self, source: SourceFile, root: Node | None) -> None:
        """Cache the nodes of a generated text for instances with equal parameters."""
        key = self._keys.pop(source, None)
        if key is not None:
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = root

    def _used_fields(self, definition: ProtoDefinition) -> set[str]:
        if definition not in self._used:
            self._used[definition] = used_fields(definition)
        return self._used[definition]

    def _key(
        self, definition: ProtoDefinition, pairs: dict[str, templates.FieldPair]
    ) -> tuple[str, str] | None:
        if _NOT_REPEATABLE.search(definition.body_text):
            return None
        return definition.source.path, repr(sorted(pairs.items()))

    def _run(
        self, instance: Node, definition: ProtoDefinition, pairs: dict[str, templates.FieldPair]
    ) -> SourceFile | None:
        if definition in self._stopped or not self._has_time(instance, definition):
            return None
        source = definition.source
        first_line, _ = source.place(definition.body_start)
        identifier = self._ids.setdefault(instance, 0) or self.context.next_id()
        self._ids[instance] = identifier
        context = self.context.of(definition, identifier)
        start = time.monotonic()
        try:
            made = templates.render(
                definition.body_text, str(definition.language), pairs, context, first_line=first_line
            )
        except templates.TemplateError as problem:
            self._report_failure(instance, definition, problem)
            if time.monotonic() - start > _SLOW_FAILURE_S:
                self._stopped.add(definition)
            return None
        finally:
            self._spent_s += time.monotonic() - start
        for line in made.output + made.errors_output:
            self.report.note(f"{definition.name}: {line}")
        return SourceFile(source.path, made.text + "\n", source.version, made.line_of)

    def _has_time(self, instance: Node, definition: ProtoDefinition) -> bool:
        if self._spent_s < _WORLD_BUDGET_S:
            return True
        text = f"the templates of this world took more than {_WORLD_BUDGET_S:g} s; the rest is skipped"
        self.report.error("template-budget", text, instance.source, instance.offset)
        self._stopped.add(definition)
        return False

    def _report_failure(
        self, instance: Node, definition: ProtoDefinition, problem: templates.TemplateError
    ) -> None:
        line, _ = instance.source.place(instance.offset) if instance.source else (0, 0)
        used = f" (instance in {instance.source.path}:{line})" if instance.source else ""
        offset = _offset_of_line(definition.source, problem.line)
        self.report.error("template", f"in the template of {definition.name}: {problem.message}{used}",
                          definition.source, offset)  # fmt: skip


def used_fields(definition: ProtoDefinition) -> set[str]:
    """Return the parameters that template statements use; changing one regenerates the body.

    All parameters, if the header's tags say that the template accesses its fields indirectly.
    """
    if definition.language is None:
        return set()
    if "indirectFieldAccess" in definition.header.tag("tags"):
        return set(definition.spec.fields)
    try:
        return templates.used_fields(definition.body_text, definition.spec.fields)
    except templates.TemplateError:  # rendering reports it, with its place
        return set()


def _offset_of_line(source: SourceFile, line: int | None) -> int:
    if not line:
        return 0
    offset = 0
    for _ in range(line - 1):
        offset = source.text.find("\n", offset) + 1
    return offset


def _pair(one: Field) -> templates.FieldPair:
    return templates.FieldPair(plain(one.value, one.spec.type), plain(one.spec.default, one.spec.type))


def plain(value: Any, kind: str, depth: int = 0) -> Any:
    """Convert a field's value to plain data in the forms of table 5.1.

    Raises:
        RecursionError: nodes are nested too deeply to be passed to a template.
    """
    if kind.startswith("MF"):
        single = "SF" + kind[2:]
        items = list(value) if isinstance(value, VecArray) else value
        return [plain(one, single, depth) for one in items]
    if kind in _KEYS:
        return dict(zip(_KEYS[kind], value, strict=True))
    if isinstance(value, Node):
        return _plain_node(value.definition, depth)
    return value


def _plain_node(node: Node, depth: int) -> dict[str, Any]:
    if depth > _MAX_PLAIN_DEPTH:
        raise RecursionError("nodes nested too deeply for a template")
    fields: dict[str, templates.FieldPair] = {}
    for name, spec in node.spec.fields.items():
        value = node.fields[name].value if name in node.fields else spec.default
        fields[name] = templates.FieldPair(
            plain(value, spec.type, depth + 1), plain(spec.default, spec.type, depth + 1)
        )
    return {"node_name": node.type, "fields": fields}
