"""Webots' built-in nodes: fields, types, defaults, ranges and inheritance, per release.

The facts are data (nodes.json, created by scripts/generate_schema.py). A `Schema` presents the types and
defaults of one release. Names are never dropped: a field that was added later or removed is still found, with
the release that introduced it (`since`) or flags with its replacement, because users edit files by hand and
use files with newer releases.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from wbridge.wbcore.scene import ranges, values
from wbridge.wbcore.scene.ranges import Range
from wbridge.wbcore.scene.version import NEWEST, Version

DATA = Path(__file__).with_name("nodes.json")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a node in one release."""

    name: str
    type: str
    """For example "SFVec3f"."""
    default: Any
    """The default, in the form of the tree (values.py). Use `make_default` to get a value to change."""
    types: tuple[str, ...]
    """All types that files may use: the release's own first, then those of other releases."""
    range: Range | None
    """The allowed values; None: every value of the type."""
    unit: str
    """The unit, for example "rad"; empty if the manual gives none."""
    hidden: bool
    """True for state that Webots saves but does not show (chapter 5.7 of the manual)."""
    deprecated: bool
    removed: bool
    replaced_by: str
    allowed: tuple[str, ...]
    """Allowed node types, possibly abstract; empty: unrestricted."""
    since: Version | None
    """The release that introduced the field; None if all known releases have it."""

    def make_default(self) -> Any:
        """Return a copy of the default that may be changed."""
        return values.copied(self.default)

    @property
    def is_list(self) -> bool:
        """True for MF types."""
        return self.type[0] == "M"

    @property
    def is_node(self) -> bool:
        """True for SFNode and MFNode."""
        return self.type[2:] == "Node"


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """A built-in node type in one release."""

    name: str
    kind: str
    """structure, device, geometry, joint, parameter, appearance, light, robot or world."""
    abstract: bool
    """True for abstract types (Geometry, Joint ...)."""
    status: str
    """current, renamed, deprecated, removed or experimental."""
    replaced_by: str
    since: Version | None
    """The release that introduced the node; None if all known releases have it."""
    base: tuple[str, ...]
    ancestors: frozenset[str]
    """All base types, and the type itself."""
    fields: dict[str, FieldSpec]
    """Inherited fields, then own ones, each in the manual's order."""

    def is_a(self, name: str) -> bool:
        """True if this type is `name` or derives from it."""
        return name in self.ancestors

    def field(self, name: str) -> FieldSpec | None:
        """Return the field of this name; None if the node does not have it."""
        return self.fields.get(name)


class Schema:
    """All built-in nodes as one release knows them. Node types are built on first use.

    `version` is the last release up to the requested one in which any node changed.
    """

    def __init__(self, data: dict[str, Any], version: Version) -> None:
        self.version = version
        self._data: dict[str, Any] = data
        self._nodes: dict[str, NodeSpec] = {}

    def names(self) -> Iterator[str]:
        """Yield all node types, including abstract ones, in alphabetical order."""
        return iter(self._data)

    def node(self, name: str) -> NodeSpec | None:
        """Return the node type of this name; None if there is none."""
        known = self._nodes.get(name)
        if known is None and name in self._data:
            known = self._nodes[name] = self._build(name)
        return known

    def nearest(self, name: str) -> str | None:
        """Return the node type most similar to a misspelled one."""
        return _nearest(name, self._data)

    def _build(self, name: str) -> NodeSpec:
        data = self._data[name]
        base = tuple(self._at(data["base"])[1]) if "base" in data else ()
        parents = [self._known(parent) for parent in base]
        return NodeSpec(
            name=name,
            kind=data["kind"],
            abstract=data.get("abstract", False),
            status=self._at(data["status"])[1],
            replaced_by=data.get("replaced_by", ""),
            since=_release(data.get("since", "")),
            base=base,
            ancestors=frozenset({name}).union(*(parent.ancestors for parent in parents)),
            fields=self._fields(data, parents),
        )

    def _known(self, name: str) -> NodeSpec:
        spec = self.node(name)
        if spec is None:
            raise KeyError(name)
        return spec

    def _fields(self, data: dict[str, Any], parents: list[NodeSpec]) -> dict[str, FieldSpec]:
        found: dict[str, FieldSpec] = {}
        for parent in parents:
            found.update((n, f) for n, f in parent.fields.items() if n not in found)
        found.update((n, self._field(n, f)) for n, f in data["fields"].items())
        for since, names in data.get("base", ()):
            self._add_foreign(found, since, names)
        return found

    def _add_foreign(self, found: dict[str, FieldSpec], since: str, names: list[str]) -> None:
        """Add fields that the node has only in other releases, before those of its base there."""
        gone = self._reached(since)
        for name in names:
            for field in self._known(name).fields.values():
                if field.name in found:
                    continue
                found[field.name] = (
                    replace(field, removed=True, replaced_by=f"{name}.{field.name}")
                    if gone
                    else replace(field, since=_release(since))
                )

    def _field(self, name: str, data: dict[str, Any]) -> FieldSpec:
        meanings = data["is"]
        _, own, default, *span = self._at(meanings)
        return FieldSpec(
            name=name,
            type=own,
            default=_value(own, default),
            types=tuple(dict.fromkeys([own, *(m[1] for m in reversed(meanings))])),
            range=ranges.from_data(span[0]) if span and span[0] else None,
            unit=data.get("unit", ""),
            hidden=data.get("hidden", False),
            deprecated=self._reached(data.get("deprecated")),
            removed=self._reached(data.get("removed")),
            replaced_by=data.get("replaced_by", ""),
            allowed=tuple(data.get("allowed", ())),
            since=_release(data.get("since", "")),
        )

    def _at(self, entries: list[Any]) -> Any:
        """Return the last of the entries [since, ...] that is valid in this release; else the first."""
        return next((e for e in reversed(entries) if self._reached(e[0])), entries[0])

    def _reached(self, release: str | None) -> bool:
        if not release:
            return release is not None
        return Version.parse(release) <= self.version


def schema(version: Version | None = None) -> Schema:
    """Return the schema of a release; None: of the newest one. Schemas are cached."""
    data, releases = _load()
    wanted = version or NEWEST
    epoch = bisect_right(releases, wanted)
    return _of_epoch(epoch)


@cache
def _of_epoch(epoch: int) -> Schema:
    data, releases = _load()
    return Schema(data, releases[epoch - 1] if epoch else Version(0))


@cache
def _load() -> tuple[dict[str, Any], list[Version]]:
    """Return the data, and the releases in which anything changed, in order."""
    import json  # start-up: 2 ms, only for a schema in JSON

    content = json.loads(DATA.read_bytes())
    return content["nodes"], [Version.parse(text) for text in content["releases"]]


@cache
def _release(text: str) -> Version | None:
    return Version.parse(text) if text else None


def _nearest(name: str, candidates: Iterable[str]) -> str | None:
    from difflib import get_close_matches  # start-up: 1 ms, only for messages

    by_lower_case = {candidate.lower(): candidate for candidate in candidates}
    matches = get_close_matches(name.lower(), by_lower_case, n=1)
    return by_lower_case[matches[0]] if matches else None


def _numbers(data: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in data)


_MAKE: dict[str, Callable[[Any], Any]] = {
    "SFFloat": float,
    "SFVec2f": _numbers,
    "SFVec3f": _numbers,
    "SFRotation": _numbers,
    "SFColor": _numbers,
    "MFBool": list,
    "MFString": list,
    "MFNode": list,
    "MFInt32": lambda data: array("q", data),
    "MFFloat": lambda data: array("d", data),
}


def _value(field_type: str, data: Any) -> Any:
    """Return a default from its form in nodes.json."""
    width = values.WIDTHS.get(field_type[2:])
    if width and field_type[0] == "M":
        return values.VecArray(width, data)
    make = _MAKE.get(field_type)
    return make(data) if make else data
