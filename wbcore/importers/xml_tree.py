"""XML files as trees of elements that know their place, with limits for files from strangers.

Document types are refused: the entities they declare can expand without bounds or name other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

__all__ = ["MAX_BYTES", "MAX_ELEMENTS", "Element", "XmlError", "parse_xml"]

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
_LATE_DECLARATION = re.compile(rb"(\s+)(<\?xml[^>]*\?>)")
MAX_ELEMENTS = 200_000


@dataclass(slots=True, eq=False)
class Element:
    """One element; `line` and `column` count from 1, `path` is the file."""

    tag: str
    attributes: dict[str, str]
    path: str
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """The text directly inside, without that of its children."""

    def all(self, *tags: str) -> list[Element]:
        """Return the children with one of these tags, in order."""
        return [child for child in self.children if child.tag in tags]

    def first(self, tag: str) -> Element | None:
        """Return the first child with this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def at(self, path: str) -> Element | None:
        """Return the first element at a path of tags below this one, such as "camera/image/width"."""
        element: Element | None = self
        for tag in path.split("/"):
            element = element.first(tag) if element is not None else None
        return element

    def walk(self) -> Iterator[Element]:
        """Yield this element and all below, in the order of the file."""
        todo = [self]
        while todo:
            element = todo.pop()
            yield element
            todo.extend(reversed(element.children))


class XmlError(ValueError):
    """Raised for a file that is not usable XML; `line` and `column` count from 1, 0 means the whole file."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse_xml(data: bytes, path: str) -> Element:
    """Return the root element of a file.

    Raises:
        XmlError: the file is not well-formed, has a document type declaration, or exceeds a limit.
    """
    if len(data) > MAX_BYTES:
        raise XmlError(f"the file is larger than {MAX_BYTES >> 20} MB")
    builder = _Builder(path)
    try:
        builder.parser.Parse(_tidied(data), True)
    except expat.ExpatError as problem:
        text = expat.errors.messages.get(problem.code, "not well-formed")
        raise XmlError(f"not valid XML: {text}", problem.lineno, problem.offset + 1) from problem
    except (LookupError, ValueError) as problem:
        if isinstance(problem, XmlError):
            raise
        raise XmlError(f"not valid XML: {problem}") from problem  # an encoding that Python does not know
    assert builder.root is not None, "well-formed documents have a root"
    return builder.root


def _tidied(data: bytes) -> bytes:
    """Return a file without what other readers of robot descriptions pass over: space before the declaration,
    and zeros at the end. Lines keep their numbers."""
    data = data.rstrip(b"\0 \t\r\n")
    if match := _LATE_DECLARATION.match(data):
        return match[2] + match[1] + data[match.end() :]
    return data


class _Builder:
    """Builds the tree from the events of expat."""

    def __init__(self, path: str) -> None:
        self.root: Element | None = None
        self._path = path
        self._open: list[Element] = []
        self._count = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.StartDoctypeDeclHandler = self._doctype

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        place = (self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise XmlError(f"more than {MAX_ELEMENTS} elements", *place)
        if len(self._open) >= MAX_DEPTH:
            raise XmlError(f"elements are nested deeper than {MAX_DEPTH}", *place)
        element = Element(tag, attributes, self._path, *place)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _data(self, text: str) -> None:
        self._open[-1].text += text

    def _doctype(self, *_: object) -> None:
        text = "document type declarations (<!DOCTYPE ...>) are not allowed; remove it"
        raise XmlError(text, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
