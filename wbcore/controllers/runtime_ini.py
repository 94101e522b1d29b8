"""The file `runtime.ini` of a controller: its environment, and the interpreter that runs it.

Format as described in Webots' user guide (Controller Programming, "Environment Variables" and "Languages
Settings"): sections, `key = value`, `;` comments, quotes around values with semicolons, `$(NAME)` for the
value of another variable.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.scene.diagnostics import did_you_mean

__all__ = ["NAME", "RuntimeIni", "read_runtime_ini"]

NAME = "runtime.ini"
PATHS = ("environment variables with paths", "environment variables with relative paths")
PLAIN = "environment variables"
WORD_SIZE = f"linux {64 if sys.maxsize > 2**32 else 32}"
OWN = {"win32": ("windows",), "darwin": ("macos", "mac os x")}
"""Names of systems in sections; on others ("linux", WORD_SIZE)."""
SYSTEMS = ("windows", "macos", "mac os x", "linux", "linux 32", "linux 64")
ALL = (*PATHS, PLAIN, *(f"{PLAIN} for {system}" for system in SYSTEMS))
LANGUAGES = ("java", "python", "matlab")
KEYS = ("COMMAND", "OPTIONS")
MOST_BYTES = 1 << 16
"""Maximum size of a file."""
LONGEST_VALUE = 1 << 17
"""Characters of a value with those that it refers to: what Linux lets a variable have."""
_BETWEEN = re.compile(r":(?![/\\])|(?<!^[A-Za-z])(?<!:[A-Za-z]):")
"""Colons between paths, not those behind the letters of drives."""
_REFERENCE = re.compile(r"\$\(([^)]*)\)")


class _Entry(NamedTuple):
    section: str
    key: str
    value: str
    line: int


class RuntimeIni:
    """The content of a `runtime.ini`; `problems` lists what cannot be used, each with its line."""

    def __init__(self, path: Path, text: str = "", platform: str = sys.platform) -> None:
        """
        Args:
            path: the file, for messages.
            text: its content.
            platform: the system, as `sys.platform` names it.
        """
        self.path, self._is_windows = path, platform == "win32"
        own = OWN.get(platform, ("linux", WORD_SIZE))
        self._used = (*PATHS, PLAIN, *(f"{PLAIN} for {system}" for system in own))
        self.problems: list[str] = []
        self._entries = [entry for entry in self._read(text) if self._is_known(entry)]
        self._commands: dict[tuple[str, str], str] = {}

    def _read(self, text: str) -> Iterator[_Entry]:
        section = ""
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith(";"):
                continue
            if line.startswith("["):
                section = line.partition(";")[0].strip().strip("[]").strip().lower()
                continue
            key, equals, value = line.partition("=")
            if not equals or not key.strip() or ";" in key:
                self._complain(number, f'"{line}" is not a section, a comment or key = value')
                continue
            yield _Entry(section, key.strip(), _value(value.strip()), number)

    def _is_known(self, entry: _Entry) -> bool:
        if entry.section in self._used:
            return True
        if entry.section in LANGUAGES:
            if entry.key not in KEYS:
                self._complain(entry.line, f"unknown key {entry.key}; allowed: {' and '.join(KEYS)}")
            return entry.key in KEYS
        if entry.section not in ALL:
            near = did_you_mean(entry.section, (*ALL, *LANGUAGES))
            self._complain(entry.line, f"{entry.key} is in the unknown section [{entry.section}]{near}")
        return False

    def _complain(self, line: int, text: str) -> None:
        self.problems.append(f"{self.path}:{line}: {text}")

    def apply(self, environment: MutableMapping[str, str]) -> None:
        """Set the variables in their order, and resolve the commands with the variables set so far."""
        for entry in self._entries:
            value = self._resolved(entry, environment)
            if value is None:
                continue
            if entry.section in LANGUAGES:
                self._commands[entry.section, entry.key] = value
            elif entry.section in PATHS:
                environment[entry.key] = self._paths(value)
            else:
                environment[entry.key] = value

    def _paths(self, value: str) -> str:
        """Return paths as this system writes them; the file has colons and slashes on each."""
        if not self._is_windows:
            return ":".join(part for part in value.split(":") if part)
        parts = _BETWEEN.split(value)
        return ";".join(part.replace("/", "\\") for part in parts if part)

    def _resolved(self, entry: _Entry, environment: MutableMapping[str, str]) -> str | None:
        """Return a value with those that it refers to; None if it is too long."""
        names = _REFERENCE.findall(entry.value)
        if len(entry.value) + sum(len(environment.get(name, "")) for name in names) > LONGEST_VALUE:
            self._complain(
                entry.line, f"{entry.key} is longer than {LONGEST_VALUE} characters with what it refers to"
            )
            return None
        return _REFERENCE.sub(lambda found: environment.get(found[1], ""), entry.value)

    def _words(self, text: str) -> list[str]:
        """Split a command at blanks outside of quotes. A backslash separates folders on Windows; on other
        systems, it quotes.

        Raises:
            ValueError: a quote is not closed.
        """
        splitter = shlex.shlex(text, posix=True)
        splitter.whitespace_split, splitter.commenters = True, ""
        if self._is_windows:
            splitter.escape = ""
        return list(splitter)

    def command(self, language: str, default: list[str]) -> list[str]:
        """Return the first words of a command line: interpreter and its options. Call `apply` first.

        Args:
            language: java, python or matlab.
            default: used if the file sets no command.
        """
        named = self._commands.get((language, "COMMAND"), "")
        options = self._commands.get((language, "OPTIONS"), "")
        try:
            return [*(self._words(named) or default), *self._words(options)]
        except ValueError as problem:
            self.problems.append(f"{self.path}: [{language}]: {problem}")
            return default


def read_runtime_ini(folder: Path) -> RuntimeIni:
    """Read the `runtime.ini` of a controller's folder; it is empty if the file does not exist."""
    path = folder / NAME
    try:
        if path.stat().st_size > MOST_BYTES:
            empty = RuntimeIni(path)
            empty.problems.append(f"{path}: has more than {MOST_BYTES} bytes, and has no effect")
            return empty
        return RuntimeIni(path, path.read_text("utf-8-sig", errors="replace"))
    except FileNotFoundError:
        return RuntimeIni(path)
    except OSError as problem:
        empty = RuntimeIni(path)
        empty.problems.append(f"{path}: cannot be read: {problem.strerror}")
        return empty


def _value(text: str) -> str:
    """Return a value without its comment; quotes protect semicolons."""
    if text.startswith('"'):
        end = text.rfind('"')
        comment = text.rfind(";")
        if end > 0 and comment > end:
            end = text.rfind('"', 0, comment)
        if end > 0:
            return text[1:end].strip()
    return text.partition(";")[0].strip()
