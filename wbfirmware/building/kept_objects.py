"""Object files of earlier builds, kept in the user's cache: projects for the same board share most of them.

An object is found by all that it is made of: its source and the headers that it includes, directly or through
others, the command, and the compiler. Its content does not depend on the folder (project/Makefile.j2), nor on
constants of config.h that neither its source nor these headers name.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from wbridge.hal.folders import optional_cache_folder
from wbridge.wbfirmware.boards.board import Compiler
from wbridge.wbfirmware.template_folders import templates_path

MAKEFILE, TEMPLATE = "Makefile", "project/Makefile.j2"
SUFFIXES = ".o", ".su"
"""Files that the compiler writes for a source."""
FOLDERS = Path(), Path("controller")
"""Where the compiler looks for headers, apart from the folder of the file that includes them."""
C_LIBRARY = "libc.a"
"""Its headers come with it."""
MOST = 4000
"""Files kept; above that, the older half is removed."""
CONSTANTS = "config.h"
"""The header that every project has with numbers of its own. Only the project's files use its names."""
DEFINED = b"FIRMWARE"
"""What the command defines where a project has a user's controller."""
_DEFINE = re.compile(rb"[ \t]*#[ \t]*define[ \t]+(\w+).*")
_DIRECTIVE = re.compile(rb"[ \t]*#.*")
_EMPTY = re.compile(rb"[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*)?")
_WORD = re.compile(rb"\w+")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(.*))', re.MULTILINE)


class KeptObjects:
    """The objects of a project that has just been generated, so that its Makefile is known."""

    def __init__(self, folder: Path, compiler: Compiler, has_controller: bool) -> None:
        """
        Args:
            folder: of the project.
            compiler: of the board.
            has_controller: the project has a user's controller, which the command tells by -DFIRMWARE.
        """
        self._folder = folder
        command = (*compiler, _identity(compiler.command), _template())
        self._defined = DEFINED if has_controller else b""
        self._command = repr(command).encode()
        cached = optional_cache_folder()
        self._place = None if cached is None else cached / "objects"
        self._texts: dict[str, bytes | None] = {}
        self._missing: dict[str, str] = {}
        """Names in the cache by sources whose objects it does not have."""

    def restore(self) -> None:
        """Copy the objects that are missing or outdated, as far as they are kept, for `make` to find them."""
        if self._place is None:
            return
        for source in sorted(self._folder.glob("*.c")):
            name = None if self._is_current(source) else self._name(source.name)
            if name is None:
                continue
            try:
                parts = [(self._place / f"{name}{suffix}").read_bytes() for suffix in SUFFIXES]
            except OSError:
                source.with_suffix(".o").unlink(missing_ok=True)
                self._missing[source.name] = name
                continue
            for suffix, data in zip(SUFFIXES, parts, strict=True):
                source.with_suffix(suffix).write_bytes(data)

    def keep(self) -> None:
        """Keep the objects that have been compiled."""
        if self._place is None or not self._missing:
            return
        with suppress(OSError):  # a cache that cannot be written saves no time
            self._place.mkdir(parents=True, exist_ok=True)
            for source, name in self._missing.items():
                compiled = [(self._folder / source).with_suffix(suffix) for suffix in SUFFIXES]
                if not all(file.is_file() for file in compiled):
                    continue  # not part of this program
                for file, suffix in zip(compiled, SUFFIXES, strict=True):
                    own = self._place / f"{name}{suffix}.{os.getpid()}"
                    shutil.copyfile(file, own)
                    own.replace(self._place / f"{name}{suffix}")
            _limit(self._place)

    def _is_current(self, source: Path) -> bool:
        """True if `make` would not compile a source."""
        built = source.with_suffix(".o")
        if not built.is_file():
            return False
        time = built.stat().st_mtime_ns
        return all(file.stat().st_mtime_ns <= time for file in (source, *self._shared()))

    def _shared(self) -> Iterator[Path]:
        """Iterate over the files on which all objects depend in the Makefile."""
        yield self._folder / MAKEFILE
        yield from self._folder.glob("*.h")
        yield from self._folder.glob("webots/*.h")

    def _name(self, source: str) -> str | None:
        """Return the name of a source's object in the cache; None if it cannot be known before compiling."""
        known = {source}
        waiting = [source]
        while waiting:
            file = waiting.pop()
            text = self._text(file) or b""
            if b"__has_include" in text:
                return None
            for quoted, angled, computed in _INCLUDE.findall(text):
                if computed:
                    return None
                name = (quoted or angled).decode(errors="replace")
                places = {(folder / name).as_posix() for folder in (Path(file).parent, *FOLDERS)}
                new = {place for place in places if place not in known and self._text(place) is not None}
                known |= new
                waiting += new
        texts = {file: self._text(file) or b"" for file in (source, *sorted(known))}
        others = [text for file, text in texts.items() if file != CONSTANTS]
        if CONSTANTS in texts:
            texts[CONSTANTS] = _named(texts[CONSTANTS], others)
        digest = hashlib.sha256(self._command)
        if self._defined and _can_be_named(self._defined, *_naming(list(texts.values()))):
            digest.update(self._defined)
        for file, text in texts.items():
            digest.update(b"%s\0%d\0%s" % (file.encode(), len(text), text))
        return digest.hexdigest()[:32]

    def _text(self, file: str) -> bytes | None:
        """Return the content of a file of the project; None if it has no such file."""
        if file not in self._texts:
            path = self._folder / file
            self._texts[file] = path.read_bytes() if path.is_file() else None
        return self._texts[file]


def _named(constants: bytes, others: list[bytes]) -> bytes:
    """Return the lines of the constants that can matter to a source.

    Args:
        constants: the text of the header.
        others: the source and its other headers.
    """
    joined = constants.replace(b"\\\n", b" ")
    lines = [line for line in joined.splitlines() if not _EMPTY.fullmatch(line)]
    if not all(map(_DIRECTIVE.fullmatch, lines)):
        return constants  # what it declares stands at a line, which debuggers know
    own = [word for line in lines for word in _WORD.findall(line)]
    words, pastes = _naming(others)
    words |= {word for word in own if own.count(word) > 1}
    pastes |= b"##" in constants
    return b"\n".join(
        line
        for line in lines
        if not (define := _DEFINE.fullmatch(line)) or _can_be_named(define[1], words, pastes)
    )


def _naming(texts: list[bytes]) -> tuple[frozenset[bytes], bool]:
    """Return the words of texts, and whether they make further ones of parts."""
    return frozenset[bytes]().union(*map(_words, texts)), any(b"##" in text for text in texts)


@lru_cache(1024)
def _words(text: bytes) -> frozenset[bytes]:
    return frozenset(_WORD.findall(text))


def _can_be_named(name: bytes, words: frozenset[bytes], pastes: bool) -> bool:
    """Return whether words have a name, or parts of which ## makes it: one begins it and another ends it."""
    ends = range(1, len(name))
    return name in words or (
        pastes and any(name[:end] in words for end in ends) and any(name[end:] in words for end in ends)
    )


@cache
def _template() -> str:
    """Return a digest of the Makefile's template, which has the command."""
    return hashlib.sha256((templates_path() / TEMPLATE).read_bytes()).hexdigest()


@cache
def _identity(command: str) -> list[tuple[str, int, int]]:
    """Return what changes when another compiler or C library is installed."""
    asked = [command, f"-print-file-name={C_LIBRARY}"]
    library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    paths = [Path(name).resolve() for name in (shutil.which(command) or command, library)]
    states = [(str(path), path.stat()) for path in paths if path.is_file()]
    return [(path, state.st_size, state.st_mtime_ns) for path, state in states]


def _limit(folder: Path) -> None:
    """Remove the older half of the files if there are too many."""
    files = list(folder.iterdir())
    if len(files) > MOST:
        files.sort(key=lambda file: file.stat().st_mtime_ns)
        for file in files[: len(files) // 2]:
            file.unlink(missing_ok=True)
