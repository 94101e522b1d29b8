"""Parses text into a node tree: worlds and PROTO bodies.

The parser has its own stack, so that deeply nested files reach a limit with a message instead of Python's
recursion limit. It reports all problems of a text in one pass: it continues after a bad value, keeps an
unknown field untyped with a warning, and looks up unknown node types with `resolve` (which finds PROTOs);
types not found there are read untyped and counted as missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from wbridge.wbcore.scene import lexer
from wbridge.wbcore.scene.diagnostics import Report, shown
from wbridge.wbcore.scene.limits import MOST_FILE_NODES
from wbridge.wbcore.scene.node import Field, Node, adopt, fresh, use, walk
from wbridge.wbcore.scene.readers import READERS, read_guess, wanted
from wbridge.wbcore.scene.schema import FieldSpec, Schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.untyped import UNTYPED, guessed, hidden_spec

if TYPE_CHECKING:
    from wbridge.wbcore.scene.proto import ProtoDefinition

MAX_DEPTH = 5_000
MAX_USED_NODES = 5_000_000
_ONE_WORD = ("SFBool", "SFInt32", "SFFloat", "SFString")
RESERVED = frozenset(
    ["DEF", "USE", "PROTO", "IS", "TRUE", "FALSE", "NULL", "field", "vrmlField"]
    + [f"{a}F{b}" for a in "SM" for b in "Node Color Float Int32 String Vec2f Vec3f Rotation Bool".split()]
)

Resolve = Callable[[str, "SourceFile", int], "ProtoDefinition | None"]


class _GiveUpError(Exception):
    """Too many errors or nodes; the rest of the text is not read."""


class Parser:
    """Reads the nodes of a text. `parameters` are those of the PROTO whose body is read."""

    def __init__(
        self,
        source: SourceFile,
        report: Report,
        schema: Schema,
        resolve: Resolve,
        parameters: dict[str, FieldSpec] | None = None,
    ) -> None:
        self.source = source
        self.text = source.text
        self.report = report
        self.schema = schema
        self.resolve = resolve
        self.parameters = parameters
        self.bound: set[str] = set()
        """The parameters that this text names after IS."""
        self.definitions: dict[str, Node] = {}
        self._stack: list[tuple[Node, list[Node] | None]] = []
        self._offering: list[tuple[int, Node]] = []
        """Open instances whose default values have DEF names, with their positions in the stack."""
        self._open_names: set[Node] = set()
        self._filling: tuple[Node, str] | None = None
        self._weights: dict[Node, int] = {}
        self._used = self._count = 0

    def nodes(self, position: int, end: str | None = None) -> tuple[list[Node], int]:
        """Read all nodes from a position to the end of the text, or to a closing bracket `end`."""
        found: list[Node] = []
        try:
            return found, self._nodes(found, position, end)
        except _GiveUpError:
            self._stack.clear()
            return found, len(self.text)

    def _nodes(self, found: list[Node], position: int, end: str | None) -> int:
        while True:
            match = lexer.node_start.match(self.text, position)
            if match is not None and match.group(1) is None:
                position, node = self._start(match)
                if node is not None:
                    found.append(node)
                    position = self._finish(position)
                continue
            position = lexer.blank.match(self.text, position).end()  # type: ignore[union-attr]
            if position >= len(self.text) or self.text[position] == end:
                return position
            position = self._unexpected(position, "a node")

    def value(self, spec: FieldSpec, position: int) -> tuple[Any, int]:
        """Read one value of a declared type, as in a PROTO's interface; None after a reported problem."""
        try:
            return self._value(spec, position)
        except _GiveUpError:
            self._stack.clear()
            return None, len(self.text)

    def _value(self, spec: FieldSpec, position: int) -> tuple[Any, int]:
        if spec.type.endswith("Node"):
            holder = Node(UNTYPED, self.source, position)
            position = self._finish(self._node_value(holder, spec, "value", position))
            return (holder.fields["value"].value if "value" in holder.fields else None), position
        read = self._plain_value(spec, position)
        return (read[0], read[1]) if read else (None, self._bad_value(spec, spec.name, position))

    def _finish(self, position: int) -> int:
        stack = self._stack
        while stack:
            node, items = stack[-1]
            position = (
                self._in_body(node, position) if items is None else self._in_list(node, items, position)
            )
        return position

    # Bodies and lists

    def _in_body(self, node: Node, position: int) -> int:
        """Read fields of a node up to its closing brace, or to a field whose value is a node."""
        text, fields, specs, match_item = self.text, node.fields, node.spec.fields, lexer.body_item.match
        depth = len(self._stack)
        while True:
            match = match_item(text, position)
            if match is None:
                position = self._stray(node, position)
                if len(self._stack) != depth:
                    return position
                continue
            hidden, name, closed = match.groups()
            if closed:
                self._stack.pop()
                self._open_names.discard(node)
                if node.proto is not None:
                    self._give_defaults(node)
                return match.end()
            spec = specs.get(name)
            if spec is None or hidden or self.parameters is not None or name in fields:
                position = self._odd_field(node, spec, name, hidden is not None, match)
            else:
                reader = READERS.get(spec.type) if len(spec.types) == 1 else None
                read = reader(text, match.end()) if reader else None
                if read is None:
                    position = self._other_value(node, spec, name, match.end(), match.start(2))
                else:
                    fields[name] = Field(spec, read[0], self.source, match.start(2))
                    position = read[1]
            if len(self._stack) != depth:
                return position

    def _in_list(self, node: Node, items: list[Node], position: int) -> int:
        """Read nodes of a list up to its closing bracket, or to a node that has a body."""
        while True:
            match = lexer.node_start.match(self.text, position)
            if match is None:
                at = lexer.blank.match(self.text, position).end()  # type: ignore[union-attr]
                if at >= len(self.text) or self.text[at] == "}":
                    self._error("unclosed-list", "this list of nodes is not closed by ']'", position)
                    self._stack.pop()
                    return at
                position = self._unexpected(at, "a node, USE or ']'")
                continue
            if match.group(1):
                self._stack.pop()
                return match.end()
            position, child = self._start(match)
            if child is None:
                continue
            child.parent = node
            items.append(child)
            if child.use_of is None:
                return position

    def _start(self, match: Any) -> tuple[int, Node | None]:
        """Start the node that `node_start` has matched; one with a body remains open on the stack."""
        _, null, used, def_name, type_name = match.groups()
        at = lexer.blank.match(self.text, match.start()).end()  # type: ignore[union-attr]
        if used:
            return match.end(), self._use(used, match.start(3))
        if null:
            return match.end(), None
        spec = self.schema.node(type_name)
        proto = None
        if spec is None or spec.abstract:
            proto = self.resolve(type_name, self.source, match.start(5))
            spec = proto.spec if proto else None  # type: ignore[assignment]
        node = Node(spec or UNTYPED, self.source, at, def_name, proto)
        self._count += 1
        if self._count > MOST_FILE_NODES:
            self._error("too-many-nodes", f"more than {MOST_FILE_NODES} nodes; the rest was not read", at)
            raise _GiveUpError
        if spec is None:
            node.type = type_name
            node.is_placeholder = True
        if def_name:
            self._define(def_name, node, match.start(4))
        if len(self._stack) >= MAX_DEPTH:
            self._error("too-deep", f"nodes are nested more than {MAX_DEPTH} deep; this one is skipped", at)
            return lexer.skip_balanced(self.text, match.end() - 1), None
        if proto is not None and proto.default_names:
            self._offers().append((len(self._stack), node))
        self._stack.append((node, None))
        return match.end(), node

    def _define(self, name: str, node: Node, at: int) -> None:
        if name in RESERVED:
            self._error("reserved-name", f"DEF {name}: this word is reserved and can't name a node", at)
        self.definitions[name] = node
        self._open_names.add(node)

    def _use(self, name: str, at: int) -> Node | None:
        target = self._in_defaults(name) or self.definitions.get(name)
        if target is None:
            hint = self.report.hint(name, self.definitions)
            self._error("unknown-use", f"USE {name}: no node before this has this DEF name{hint}", at)
            return None
        if target.definition in self._open_names:
            self._error("recursive-use", f"USE {name} is inside the node that it names", at)
            return None
        self._used += self._weight(target.definition)
        if self._used > MAX_USED_NODES:
            self._error("too-many-uses", f"USE multiplies the nodes of this file beyond {MAX_USED_NODES}", at)
            return None
        return use(target, self.source, at)

    def _in_defaults(self, name: str) -> Node | None:
        """Find a DEF name in default values that the instances around this place have not replaced."""
        for _, node in reversed(self._offers()):
            parameter = node.proto.default_names.get(name) if node.proto is not None else None
            if parameter is None or parameter in node.fields or self._filling == (node, parameter):
                continue
            self._give_default(node, parameter)
            return self.definitions[name]
        return None

    def _offers(self) -> list[tuple[int, Node]]:
        """Return `_offering` without the closed instances, which are at its end."""
        while self._offering:
            place, node = self._offering[-1]
            if place < len(self._stack) and self._stack[place][0] is node:
                break
            self._offering.pop()
        return self._offering

    def _give_defaults(self, node: Node) -> None:
        """Close an instance: later nodes may refer to the DEF names in its default values, as in Webots."""
        names = node.proto.default_names if node.proto is not None else {}
        for parameter in dict.fromkeys(names.values()):
            if parameter not in node.fields:
                self._give_default(node, parameter)

    def _give_default(self, node: Node, parameter: str) -> None:
        spec = node.spec.fields[parameter]
        value = fresh(spec.default)
        source = node.proto.source if node.proto is not None else self.source
        node.fields[parameter] = Field(spec, value, source, given=False)
        adopt(node, value)
        for inner in walk(value, into_protos=False):
            if inner.def_name and inner.use_of is None:
                self.definitions[inner.def_name] = inner

    def _weight(self, top: Node) -> int:
        """Count the nodes that a USE of this node represents, including nested uses."""
        weights = self._weights
        stack: list[tuple[Node, list[Node] | None]] = [(top, None)]
        while stack and top not in weights:
            node, inner = stack.pop()
            if inner is None:
                inner = [child_node.definition for child_node in node.child_nodes()]
                stack.append((node, inner))
                stack.extend((definition, None) for definition in inner if definition not in weights)
            else:
                weights[node] = 1 + sum(weights.get(definition, 1) for definition in inner)
        return weights[top]

    # Fields that are not simply "name value"

    def _odd_field(self, node: Node, spec: FieldSpec | None, name: str, hidden: bool, match: Any) -> int:
        at, position = match.start(2), match.end()
        reference = lexer.is_reference.match(self.text, position) if self.parameters is not None else None
        former = node.fields.get(name)
        # As in Webots, a value does not end the connection with a parameter, wherever it stands.
        bound = former if former is not None and former.is_name and not reference else None
        if former is not None:
            counts = f"'{name} IS {bound.is_name}'" if bound else "the last one"
            text = f"field '{name}' is given twice in this {node.type}; {counts} counts"
            self.report.warning("repeated-field", text, self.source, at)
        if reference:
            self._bind(node, spec, name, reference.group(1), at, reference.start(1))
            return int(reference.end())
        if spec is None:
            spec = hidden_spec(name) if hidden or node.proto else None
            if spec is None:
                return self._unknown_field(node, name, hidden, position, at)
            hidden = True
        position = self._other_value(node, spec, name, position, at)
        if bound is not None:
            node.fields[name] = bound
        elif hidden and name in node.fields:
            node.fields[name].hidden = True
        return position

    def _bind(
        self, node: Node, spec: FieldSpec | None, name: str, parameter: str, at: int, is_at: int
    ) -> None:
        parameters = self.parameters or {}
        declared = parameters.get(parameter)
        if declared is None:
            hint = self.report.hint(parameter, parameters)
            text = f"{name} IS {parameter}: the interface has no such field{hint}; {name} keeps its default"
            self.report.warning("unknown-parameter", text, self.source, is_at)
            return
        self.bound.add(parameter)
        self._check_crossed(name, parameter, is_at)
        if spec is None and not node.is_placeholder:
            self._warn_unknown(node, name, at)
        elif spec is not None and declared.type not in spec.types:
            kinds = " or ".join(spec.types)
            text = (
                f"{name} IS {parameter}: '{parameter}' is {declared.type}, but {node.type}.{name} "
                f"is {kinds}; {name} keeps its default"
            )
            self.report.warning("type-mismatch", text, self.source, is_at)
            return
        node.fields[name] = Field(spec or declared, None, self.source, at, is_name=parameter)

    def _check_crossed(self, name: str, parameter: str, at: int) -> None:
        """Check IS in a derived PROTO: a parameter of the base may be passed only to the base's own (5.6)."""
        base = self._stack[0][0]
        if base.proto is not None and parameter != name and parameter in base.spec.fields:
            text = (
                f"{name} IS {parameter}: {base.type} has a field '{parameter}' itself, so only "
                f"'{parameter} IS {parameter}' is allowed; give the parameter another name"
            )
            self._error("crossed-parameter", text, at)

    def _other_value(self, node: Node, spec: FieldSpec, name: str, position: int, at: int) -> int:
        """Read a node value or a value of another accepted type, or report a problem."""
        if spec.type.endswith("Node"):
            return self._node_value(node, spec, name, position, at)
        read = self._plain_value(spec, position)
        if read is None:
            return self._bad_value(spec, name, position, node.spec.fields)
        node.fields[name] = Field(spec, read[0], self.source, at)
        return read[1]

    def _plain_value(self, spec: FieldSpec, position: int) -> tuple[Any, int] | None:
        best = None
        for kind in spec.types or (spec.type,):
            read = READERS[kind](self.text, position) if kind in READERS else None
            if read is not None and (best is None or read[1] > best[1]):
                best = read
        return best

    def _node_value(self, node: Node, spec: FieldSpec, name: str, position: int, at: int = -1) -> int:
        many = spec.type == "MFNode"
        self._filling = node, name
        opening = lexer.opening_bracket.match(self.text, position)
        if many and opening:
            items: list[Node] = []
            node.fields[name] = Field(spec, items, self.source, at)
            self._stack.append((node, items))
            return opening.end()
        match = lexer.node_start.match(self.text, position)
        if match is None or match.group(1):
            return self._bad_value(spec, name, position, node.spec.fields)
        end, child = self._start(match)
        if child is not None:
            child.parent = node
        if many:
            node.fields[name] = Field(spec, [child] if child else [], self.source, at)
        else:
            node.fields[name] = Field(spec, child, self.source, at)
        return end

    def _unknown_field(self, node: Node, name: str, hidden: bool, position: int, at: int) -> int:
        child = lexer.node_start.match(self.text, at)
        if child is not None and child.group(5) and self.schema.node(child.group(5)) is not None:
            end = self._misplaced(node, child)
            if end:
                return end
            self._unclosed(node, f"found the node {child.group(5)}", at)
            self._stack.pop()
            self._open_names.discard(node)
            return at
        if not node.is_placeholder:
            self._warn_unknown(node, name, at)
        read = read_guess(self.text, position)
        if read is not None:
            node.fields[name] = Field(guessed(name, read[0]), read[1], self.source, at, hidden=hidden)
            return read[2]
        if lexer.opening_bracket.match(self.text, position):
            return self._node_value(node, guessed(name, "MFNode"), name, position, at)
        if lexer.node_start.match(self.text, position):
            return self._node_value(node, guessed(name, "SFNode"), name, position, at)
        return self._unexpected(position, f"a value of field '{name}'")

    def _misplaced(self, node: Node, child: re.Match[str]) -> int:
        """Skip nodes that stand among the fields of another one; 0 if a missing '}' explains them better.

        Behind such nodes, the other one goes on with a field or its '}'.
        """
        after = lexer.skip_balanced(self.text, child.end() - 1)
        while (sibling := lexer.node_start.match(self.text, after)) and sibling.group(5):
            after = lexer.skip_balanced(self.text, sibling.end() - 1)
        match = lexer.atom.match(self.text, after)
        if match is None or (match.group(1) != "}" and match.group(1) not in node.spec.fields):
            return 0
        name = child.group(5)
        text = f"the node {name} stands among the fields of {node.type}; put it into a field"
        if "children" in node.spec.fields:
            text += f": children [ {name} {{ ... }} ]"
        self._error("misplaced-node", text, child.start(5))
        return after

    def _warn_unknown(self, node: Node, name: str, at: int) -> None:
        hint = self.report.hint(name, node.spec.fields)
        self.report.warning(
            "unknown-field", f"{node.type} has no field '{name}'; ignored{hint}", self.source, at
        )

    # Problems

    def _bad_value(self, spec: FieldSpec, name: str, position: int, known: Container[str] = ()) -> int:
        match = lexer.atom.match(self.text, position)
        at = match.start(1) if match else len(self.text)
        found = shown(match.group(1)) if match else "the end of the file"
        if match is not None and match.group(1) == '"':
            return self._unclosed_string(at)
        if match is not None and match.group(1) in ("DEF", "USE") and spec.is_node:
            return self._bad_reference(match)
        if self.parameters is None and lexer.is_reference.match(self.text, position):
            self._error("is-outside-proto", f"IS stands outside of a PROTO body (field '{name}')", at)
        else:
            kind = " or ".join(spec.types or (spec.type,))
            text = f"field '{name}' ({kind}) needs {wanted(spec.type)}, "
            if found == "'['":
                at, text = self._bad_list(spec, at, text)
            else:
                text += f"found {found}"
            self._error("bad-value", text + _case_hint(found), at)
        return self._skip_value(spec, position, known)

    def _bad_list(self, spec: FieldSpec, at: int, text: str) -> tuple[int, str]:
        """Describe the problem of a bracketed list and its place: a bad item, or a single value is needed."""
        if not spec.is_list:
            return at, text + "found a list; remove the '[ ]'"
        end = lexer.skip_balanced(self.text, at)
        if self.text[end - 1] != "]":
            return at, text + "but this list is not closed by ']'"
        position, reader = at + 1, READERS["SF" + spec.type[2:]]
        while (read := reader(self.text, position)) is not None:
            position = read[1]
        match = lexer.atom.match(self.text, position, end)
        if match is None:
            return at, text + "found another list"
        if match.end() == end:
            return match.start(1), text + "found an item that is not complete before ']'"
        return match.start(1), text + f"found {shown(match.group(1))} in the list"

    def _bad_reference(self, match: Any) -> int:
        """Report a DEF or USE that names no node; return the position after it."""
        keyword, at, position = match.group(1), match.start(1), match.end()
        name = lexer.atom.match(self.text, position)
        if name is None or name.group(1)[0] in '[]{}"':
            self._error("bad-reference", f"{keyword} must be followed by a name", at)
            return int(position)
        after = lexer.atom.match(self.text, name.end())
        found = shown(after.group(1)) if after else "the end of the file"
        text = f"{keyword} {shown(name.group(1))} needs a node after it, such as 'Solid {{'; found {found}"
        self._error("bad-reference", text, at)
        if after is not None and after.group(1) in "[{":
            return lexer.skip_balanced(self.text, after.start(1))
        return int(name.end())

    def _skip_value(self, spec: FieldSpec, position: int, known: Container[str]) -> int:
        """Return the position after an unreadable value: one bracket or word, or everything up to a known
        field."""
        match = lexer.atom.match(self.text, position)
        if match is None:
            return len(self.text)
        if match.group(1) in "[{":
            return lexer.skip_balanced(self.text, match.start(1))
        start = lexer.node_start.match(self.text, position)
        if spec.type in _ONE_WORD and start is None and match.group(1) not in known:
            return match.start(1) if match.group(1) in "]}{" else match.end()
        while match is not None and start is None and _is_plain(match.group(1), known):
            position = match.end()
            match = lexer.atom.match(self.text, position)
            start = lexer.node_start.match(self.text, position)
        if start is not None and not start.group(1) and self.text[start.end() - 1] == "{":
            return lexer.skip_balanced(self.text, start.end() - 1)
        return position

    def _stray(self, node: Node, position: int) -> int:
        """Report unexpected text in place of a field. A ']' closes a node inside a list, and the end of the
        text closes all nodes: they are removed from the stack."""
        at = lexer.blank.match(self.text, position).end()  # type: ignore[union-attr]
        if at >= len(self.text):
            self._unclosed(node, "the file ends", at)
            self._stack.clear()
            return at
        lists = [depth for depth, (_, items) in enumerate(self._stack) if items is not None]
        if self.text[at] != "]" or not lists:
            return self._unexpected(at, f"a field of {node.type} or '}}'")
        self._unclosed(node, "found ']'", at)
        for open_node, _ in self._stack[lists[-1] + 1 :]:
            self._open_names.discard(open_node)
        del self._stack[lists[-1] + 1 :]
        return at

    def _unclosed(self, node: Node, event: str, at: int) -> None:
        line, _ = self.source.place(node.offset)
        text = f"{event} inside {node.type} (opened in line {line}); '}}' is missing"
        self._error("unclosed-node", text, at)

    def _unexpected(self, position: int, expected: str) -> int:
        match = lexer.atom.match(self.text, position)
        if match is None:
            at, end, found = position, len(self.text), self.text[position : position + 40]
        else:
            at, end, found = match.start(1), match.end(), match.group(1)
        if found == '"':
            return self._unclosed_string(at)
        if found in ("DEF", "USE") and "node" in expected:
            return self._bad_reference(match)
        self._error("unexpected", f"found {shown(found)} where {expected} is expected", at)
        return lexer.skip_balanced(self.text, at) if found in ("{", "[") else end

    def _unclosed_string(self, at: int) -> int:
        self._error("unclosed-string", "the string that starts here is not closed", at)
        return len(self.text)

    def _error(self, code: str, message: str, at: int) -> None:
        self.report.error(code, message, self.source, at)
        if self.report.is_full:
            self.report.warning("too-many-errors", "too many errors; the rest was not read", self.source, at)
            raise _GiveUpError


def _is_plain(word: str, known: Container[str]) -> bool:
    return word[0] not in "[]{}" and word not in known


def _case_hint(found: str) -> str:
    upper = found.strip("'").upper()
    return f"; did you mean {upper}?" if upper in ("TRUE", "FALSE", "NULL") and upper not in found else ""
