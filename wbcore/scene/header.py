"""The part of a file before its nodes: header line, comments, and EXTERNPROTO declarations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wbridge.wbcore.scene import lexer
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean, shown
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.version import NEWEST, Version

_FIRST_LINE = re.compile(r"[ \t\n]*#(?:VRML_SIM|X3D|VRML)[ \t]+(\S+)[^\n]*\n")
_LATER_LINE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*?[ \t]*#VRML_SIM[ \t]+(\S+)[^\n]*\n")
_COMMENT = re.compile(r"#([^\n]*)\n")
_EXTERN = re.compile(
    rf"{lexer.BLANK}(?:(IMPORTABLE){lexer.GAP})?(EXTERNPROTO){lexer.BLANK}({lexer.STRING})", re.DOTALL
)
_KEYWORD = re.compile(rf"{lexer.BLANK}(IMPORTABLE|EXTERNPROTO){lexer.END}")
_TAG = re.compile(
    r"^\s*(license|license url|documentation url|template language|tags|keywords)\s*:\s*(.*)$", re.I
)


@dataclass(frozen=True, slots=True)
class Extern:
    """One EXTERNPROTO declaration. IMPORTABLE ones are only for supervisors."""

    name: str
    url: str
    importable: bool = False
    offset: int = -1


@dataclass(slots=True)
class Header:
    """The top of a file. `comments` are the lines after the first one, without "#"."""

    version: Version
    comments: list[str] = field(default_factory=list)
    externs: list[Extern] = field(default_factory=list)
    end: int = 0

    def tag(self, name: str) -> str:
        """Return a value such as "template language" from the comments; "" if absent."""
        for comment in self.comments:
            match = _TAG.match(comment)
            if match and match.group(1).lower() == name:
                return match.group(2).strip()
        return ""


def read_source(
    path: str, text: str, report: Report, fallback: Version | None = None
) -> tuple[SourceFile, Header]:
    """Read a file's version, comments and declarations, and report their problems.

    A file without a header line is an error, unless a fallback is given: the version of the file that uses
    it.
    """
    text = lexer.normalized(text)
    source = SourceFile(path, text, _version(path, text, report, fallback))
    header = Header(source.version)
    position = _read_comments(text, header)
    header.end = _read_externs(source, header, position, report)
    return source, header


def _version(path: str, text: str, report: Report, fallback: Version | None) -> Version:
    place = SourceFile(path, text)
    match = _FIRST_LINE.match(text)
    if match is None:
        match = _LATER_LINE.match(text)
        if match is not None:
            report.warning(
                "late-header", "the header must be the first line of the file", place, match.start(1)
            )
    if match is None:
        _report_no_header(text, report, place, fallback)
        return fallback or NEWEST
    try:
        version = Version.parse(match.group(1))
    except ValueError as problem:
        report.error("bad-version", f"in the first line: {problem}", place, match.start(1))
        return NEWEST
    if version > NEWEST:
        report.warning("new-version", f"written for {version}; read as {NEWEST}, the newest known", place, 0)
    return version


def _report_no_header(text: str, report: Report, place: SourceFile, fallback: Version | None) -> None:
    found = shown(text[: text.find("\n")])
    wanted = f"the first line must be like '#VRML_SIM R2025a utf8', found {found}"
    if fallback is None:
        report.error("no-header", wanted, place, 0)
    else:
        report.warning("no-header", f"{wanted}; read as {fallback}", place, 0)


def _read_comments(text: str, header: Header) -> int:
    match = _FIRST_LINE.match(text)
    position = match.end() if match else 0
    while (comment := _COMMENT.match(text, position)) is not None:
        header.comments.append(comment.group(1))
        position = comment.end()
    return position


def _read_externs(source: SourceFile, header: Header, position: int, report: Report) -> int:
    while True:
        match = _EXTERN.match(source.text, position)
        if match is not None:
            url = lexer.unquoted(match.group(3))
            header.externs.append(_extern(url, match, source, report))
            position = match.end()
            continue
        keyword = _KEYWORD.match(source.text, position)
        if keyword is None:
            return position
        report.error(
            "bad-extern", f"{keyword.group(1)} must be followed by a URL in quotes", source, keyword.start(1)
        )
        position = keyword.end()


def _extern(url: str, match: re.Match[str], source: SourceFile, report: Report) -> Extern:
    file_name = url.replace("\\", "/").rsplit("/", 1)[-1]
    name, dot, suffix = file_name.rpartition(".")
    if not dot or suffix != "proto" or not name:
        hint = did_you_mean(suffix, ["proto"])
        text = f"EXTERNPROTO {shown(url, 80)} must end in NAME.proto{hint}"
        report.error("bad-extern", text, source, match.start(3))
        name = file_name
    return Extern(name, url, match.group(1) is not None, match.start(3))
