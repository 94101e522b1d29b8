"""Procedural PROTOs: generates an instance's body from its parameters (chapter 5.4)."""

from __future__ import annotations

import re
import time
from collections.abc import Container
from typing import Any, NamedTuple

from wbridge.wbcore.scene import templates
from wbridge.wbcore.scene.context import Context
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.proto import ProtoDefinition
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.template_results import TemplateResults, results_of
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.scene.version import Version

_KEPT = 256
_SLOW_FAILURE_S = 1.0
"""A template that failed after this time (s) is not run again for other instances."""
_WORLD_BUDGET_S = 60.0
_MAX_PLAIN_DEPTH = 100
_SEES_CONTEXT = re.compile(r"\b(?:context|random\w*|wbrandom|wbfile)\b")
_CONTEXT = re.compile(r"\bcontext\.(\w+)")
_SEES_INSTANCE = re.compile(
    r"\b(?:context\b(?!\.(?!id\b)\w)|(?:random\w*|wbrandom|wbfile|Date|os)\b"
    r"|(?:eval|Function|globalThis|_G|_ENV|load\w*)\b)"
)
"""What differs between instances with equal parameters: the number, and random numbers and the time, which
depend on it; or what can reach these under other names."""
_KEYS = {"SFVec2f": "xy", "SFVec3f": "xyz", "SFRotation": "xyza", "SFColor": "rgb"}


class _Request(NamedTuple):
    """A template to run for an instance, and what it sees."""

    instance: Node
    definition: ProtoDefinition
    fields: dict[str, templates.FieldPair]
    context: dict[str, Any]


class Renderer:
    """Runs templates, and caches results for instances with equal parameters."""

    def __init__(self, report: Report, context: Context) -> None:
        self.report = report
        self.context = context
        self._kept: dict[tuple[str, str], Node | None] = {}
        self._keys: dict[SourceFile, tuple[str, str]] = {}
        self._scopes: dict[ProtoDefinition, tuple[bool, bool]] = {}
        self._results: dict[ProtoDefinition, TemplateResults] | None = {}
        """None once the world is loaded: results of a running simulation are not kept."""
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
        self,
        instance: Node,
        definition: ProtoDefinition,
        parameters: dict[str, Field],
        release: Version | None = None,
    ) -> SourceFile | Node | None:
        """Return the generated body as text, or cached nodes of the same text; None after an error.

        The template is told of `release`, by default that in the header of the world.
        """
        try:
            used = definition.template_parameters  # a set: the template sees them as declared
            pairs = {name: _pair(parameters[name]) for name in definition.spec.fields if name in used}
        except RecursionError as problem:
            self._report_failure(instance, definition, templates.TemplateError(str(problem)))
            return None
        sees_context, sees_instance = self._scope(definition)
        key = definition.source.path, repr(pairs)
        kept = None if sees_instance else self._kept.get(key)
        if kept is not None and not sees_context:
            return kept
        identifier = self._ids.setdefault(instance, 0) or self.context.next_id()
        self._ids[instance] = identifier
        if kept is not None:
            return kept
        context = self.context.of(definition, identifier, release)
        made = self._made(_Request(instance, definition, pairs, context))
        if made is None:
            return None
        for line in made.output + made.errors_output:
            self.report.note(f"{definition.name}: {line}")
        file = definition.source
        source = SourceFile(file.path, made.text + "\n", file.version, made.line_of)
        if not sees_instance:
            self._keys[source] = key
        return source

    def keep(self, source: SourceFile, root: Node | None) -> None:
        """Cache the nodes of a generated text for instances with equal parameters."""
        key = self._keys.pop(source, None)
        if key is not None:
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = root

    def save(self) -> None:
        """Keep the results for the next run; called when the world is loaded."""
        for result in (self._results or {}).values():
            result.save()
        self._results = None

    def _scope(self, definition: ProtoDefinition) -> tuple[bool, bool]:
        """Return whether a template sees more than its parameters, and whether that differs by instance."""
        if definition not in self._scopes:
            body = definition.body_text
            sees_instance = _SEES_INSTANCE.search(body) is not None
            self._scopes[definition] = sees_instance or _SEES_CONTEXT.search(body) is not None, sees_instance
        return self._scopes[definition]

    def _made(self, request: _Request) -> templates.Rendered | None:
        """Return the result of a template, from an earlier run if possible; None after an error."""
        if self._results is None:
            return self._run(request)
        _, definition, fields, context = request
        if definition not in self._results:
            template = f"{definition.language} {_first_line(definition)} {definition.body_text}"
            self._results[definition] = results_of(definition.name, template)
        seen: Container[str] = context
        if not self._scope(definition)[1]:
            seen = set(_CONTEXT.findall(definition.body_text))
        results = self._results[definition]
        values = repr((fields, [(name, context[name]) for name in context if name in seen]))
        made = results.get(values)
        if made is None:
            made = self._run(request)
            if made is not None:
                results.put(values, made)
        return made

    def _run(self, request: _Request) -> templates.Rendered | None:
        instance, definition, fields, context = request
        if definition in self._stopped or not self._has_time(instance, definition):
            return None
        body, language = definition.body_text, str(definition.language)
        start = time.monotonic()
        try:
            return templates.render(body, language, fields, context, first_line=_first_line(definition))
        except templates.TemplateError as problem:
            self._report_failure(instance, definition, problem)
            if time.monotonic() - start > _SLOW_FAILURE_S:
                self._stopped.add(definition)
            return None
        finally:
            self._spent_s += time.monotonic() - start

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


def _first_line(definition: ProtoDefinition) -> int:
    return definition.source.place(definition.body_start)[0]


def _offset_of_line(source: SourceFile, line: int | None) -> int:
    if not line:
        return 0
    offset = 0
    for _ in range(line - 1):
        offset = source.text.find("\n", offset) + 1
    return offset


def _pair(field: Field) -> templates.FieldPair:
    return templates.FieldPair(
        plain(field.value, field.spec.type), plain(field.spec.default, field.spec.type)
    )


def plain(value: Any, kind: str, depth: int = 0) -> Any:
    """Convert a field's value to plain data in the forms of table 5.1.

    Raises:
        RecursionError: nodes are nested too deeply to be passed to a template.
    """
    if kind.startswith("MF"):
        single = "SF" + kind[2:]
        items = list(value) if isinstance(value, VecArray) else value
        return [plain(item, single, depth) for item in items]
    if kind in _KEYS:
        return dict(zip(_KEYS[kind], value, strict=True))
    if isinstance(value, Node):
        return _plain_node(value.definition, depth)
    return value


def _plain_node(node: Node, depth: int) -> dict[str, object]:
    if depth > _MAX_PLAIN_DEPTH:
        raise RecursionError("nodes nested too deeply for a template")
    fields: dict[str, templates.FieldPair] = {}
    for name, spec in node.spec.fields.items():
        value = node.fields[name].value if name in node.fields else spec.default
        fields[name] = templates.FieldPair(
            plain(value, spec.type, depth + 1), plain(spec.default, spec.type, depth + 1)
        )
    return {"node_name": node.type, "fields": fields}
