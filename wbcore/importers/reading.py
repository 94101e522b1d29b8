"""Typed reading of attributes; a problem is a finding with its place, and reading goes on with a default."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.scene.diagnostics import ERROR, WARNING, Diagnostic, Report, printable, shown

LARGEST = 1e12
"""The largest number: products of such numbers stay finite."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_INFINITE = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf, "infinity": math.inf}


class Reader:
    """Reads elements and collects findings."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def error(self, place: Element, code: str, message: str) -> None:
        """Record a finding that makes the file unusable."""
        self._add(ERROR, place, code, message)

    def warn(self, place: Element, code: str, message: str) -> None:
        """Record a finding about something that was ignored or replaced."""
        self._add(WARNING, place, code, message)

    def _add(self, severity: str, place: Element, code: str, message: str) -> None:
        finding = Diagnostic(severity, code, place.path, place.line, place.column, printable(message))
        self.report.add(finding)

    def known(self, element: Element, attributes: Iterable[str] = (), children: Iterable[str] = ()) -> None:
        """Report attributes and children of an element that are not among the known ones."""
        known = list(attributes)
        for name in element.attributes:
            if name not in known and not name.startswith("xmlns"):
                near = self.report.hint(name, known) or _allowed(known, "attributes")
                self.warn(element, "unknown-attribute", f"<{element.tag}> has no attribute '{name}'{near}")
        tags = list(children)
        for child in element.children:
            if child.tag not in tags:
                near = self.report.hint(child.tag, tags) or _allowed(tags, "elements")
                self.warn(child, "unknown-element", f"<{child.tag}> in <{element.tag}> was ignored{near}")

    def only(self, element: Element, tag: str) -> Element | None:
        """Return the child with this tag; further ones are reported."""
        elements = element.all(tag)
        for extra in elements[1:]:
            self.warn(extra, "repeated-element", f"a second <{tag}> in <{element.tag}> was ignored")
        return elements[0] if elements else None

    def needed(self, element: Element, tag: str) -> Element | None:
        """Return the child with this tag; report an error if there is none."""
        child = self.only(element, tag)
        if child is None:
            self.error(element, "missing-element", f"<{element.tag}> needs a <{tag}>")
        return child

    def text(self, element: Element | None, name: str, default: str | None = "") -> str:
        """Return an attribute; without a default, it must be there and not empty."""
        value = element.attributes.get(name, "").strip() if element is not None else ""
        if value:
            return value
        if default is None and element is not None:
            self.error(element, "missing-attribute", f"<{element.tag}> needs the attribute '{name}'")
        return default or ""

    def choice(self, element: Element, name: str, allowed: Sequence[str], default: str | None) -> str:
        """Return an attribute that must be one of the allowed words."""
        value = self.text(element, name, default)
        if value and value not in allowed:
            near = self.report.hint(value, allowed)
            self.error(
                element,
                "value",
                f"<{element.tag}> {name} is {shown(value)}; allowed: {', '.join(allowed)}{near}",
            )
            return default or allowed[0]
        return value

    def number(
        self,
        element: Element | None,
        name: str,
        default: float | None = 0.0,
        least: float = -LARGEST,
        above: float = -math.inf,
        infinite: bool = False,
    ) -> float:
        """Return a number; without a default, it must be there.

        Args:
            element: its element; None gives the default.
            name: its attribute.
            default: its value if it is not there.
            least: the smallest allowed number.
            above: numbers must be larger than this.
            infinite: allow "inf".
        """
        text = self.text(element, name, None if default is None else "")
        if element is None or not text:
            return default if default is not None else max(least, 0.0)
        value = _number(text, infinite)
        if value is None or value < least or value <= above:
            what = f"<{element.tag}> {name} is {shown(text)}; expected a number"
            self.error(element, "value", what + _range(least, above))
            return default if default is not None else max(least, 0.0)
        return value

    def vector(
        self, element: Element | None, name: str, default: Sequence[float] | None, count: int = 0
    ) -> tuple[float, ...]:
        """Return as many numbers as the default has; without one, `count` numbers that must be there."""
        size = len(default) if default is not None else count
        text = self.text(element, name, None if default is None else "")
        otherwise = tuple(default) if default is not None else (0.0,) * count
        if element is None or not text:
            return otherwise
        values = self.numbers(element, name, text)
        if values is None:
            return otherwise
        if len(values) != size:
            what = f"<{element.tag}> {name} is {shown(text)}; expected {size} numbers, found {len(values)}"
            self.error(element, "value", what)
            return otherwise
        return values

    def numbers(self, element: Element, name: str, text: str) -> tuple[float, ...] | None:
        """Return the numbers in a text; None if one is not a number."""
        numbers = [_number(word) for word in text.split()]
        if None in numbers:
            word = text.split()[numbers.index(None)]
            what = f"<{element.tag}> {name} has {shown(word)}, which is not a number up to {LARGEST:g}"
            self.error(element, "value", what)
            return None
        return tuple(number for number in numbers if number is not None)

    def find(self, element: Element, what: str, name: str, known: Mapping[str, object]) -> bool:
        """Return True if a name is known; report an error otherwise."""
        if name in known:
            return True
        near = self.report.hint(name, known) or _allowed(list(known), f"{what}s")
        self.error(element, "unknown-name", f"<{element.tag}>: no {what} named {shown(name)}{near}")
        return False


def _number(text: str, infinite: bool = False) -> float | None:
    """Return the number that a word is; None if it is none, or too large."""
    if infinite and text.lower() in _INFINITE:
        return _INFINITE[text.lower()]
    if len(text) > 400 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if infinite and abs(value) > LARGEST:
        return math.copysign(math.inf, value)
    return value if abs(value) <= LARGEST else None


def _range(least: float, above: float) -> str:
    if above > -math.inf:
        return f" above {above:g}"
    return f" of at least {least:g}" if least > -LARGEST else f" up to {LARGEST:g}"


def _allowed(names: Sequence[str], what: str) -> str:
    """Return the end of a message: the known names, if they are few."""
    return f"; {what}: {', '.join(names)}" if 0 < len(names) <= 12 else ""
