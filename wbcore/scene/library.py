"""Finds PROTO models by name.

Search order: the path that EXTERNPROTO gives relative to the file; for an address of Webots' own projects,
the user's cache of downloaded models and the bundled models; the project's `protos/` folder, the files beside
the world, the cache, the bundled models. Models are downloaded only on request (`fetch`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.scene import files
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.cache import ModelCache, is_file, is_remote, joined
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean
from wbridge.wbcore.scene.header import Extern
from wbridge.wbcore.scene.proto import ProtoDefinition, read_proto
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.version import NEWEST, Version
from wbridge.wbcore.scene.webots_models import declared_url, is_look

_OF_WEBOTS = re.compile(r"webots://|https://raw\.githubusercontent\.com/cyberbotics/webots/")
"""How the address of a model of Webots starts; a project's own model of that name is another one."""
_RELEASE = re.compile(r"/webots/(R\d{4}[a-z])/")
"""The release in the URL of a model of Webots."""
MAX_DEFAULTS_DEPTH = 40
"""Maximum nesting depth of models in default values of interfaces."""


class Missing(NamedTuple):
    """A missing model: where it is first used, and its declared URL."""

    name: str
    source: SourceFile
    offset: int
    url: str


class Library:
    """All PROTO definitions that a world can use, each read once."""

    def __init__(
        self,
        report: Report,
        project: Path | None,
        beside: Path | None,
        bundled: Path | None,
        cache: ModelCache,
    ) -> None:
        self.report = report
        self.cache = cache
        self.missing: dict[str, Missing] = {}
        self.undrawn: dict[str, Missing] = {}
        self._places = [place for place in (project, beside, bundled) if place is not None]
        self._project, self._beside, self._bundled = project, beside, bundled
        self.bundled = str(bundled) if bundled is not None else ""
        self._indexes: dict[Path, dict[str, Path]] = {}
        self._externs: dict[str, dict[str, Extern]] = {}
        self._definitions: dict[str, ProtoDefinition | None] = {}
        self._being_read: list[str] = []
        self._origins: dict[str, str] = {}
        self.releases: dict[str, Version] = {}
        """Releases in the URLs that declare bundled models, by the path of the model."""
        self._told: set[tuple[str, str]] = set()

    def declare(self, source: SourceFile, externs: Iterable[Extern]) -> None:
        """Register a file's EXTERNPROTO declarations, which apply to that file only."""
        self._externs[source.path] = {extern.name: extern for extern in externs}

    def resolve(self, name: str, source: SourceFile, offset: int) -> ProtoDefinition | None:
        """Return the definition of a name in a file; None if missing (recorded) or unusable (reported)."""
        extern = self._externs.get(source.path, {}).get(name)
        path = self._find(name, source, extern)
        if path is None:
            absent = self.undrawn if is_look(name) else self.missing
            absent.setdefault(name, Missing(name, source, offset, extern.url if extern else ""))
            return None
        if extern is None and source.dialect.has_externproto:
            self._warn_undeclared(name, source, offset, path)
        return self._definition(name, path, source, offset)

    def has(self, name: str, source: SourceFile) -> bool:
        """True if the file of a model is available, possibly after a download."""
        return self._find(name, source, self._externs.get(source.path, {}).get(name)) is not None

    def open(self, path: Path) -> ProtoDefinition | None:
        """Return the definition in any file; None, with errors reported, if unusable."""
        return self._definition(path.stem, path, None, -1)

    def names(self) -> set[str]:
        """Return the names of all models available without a download."""
        return {name for place in self._places for name in self._index(place)}

    def suggestion(self, name: str) -> str:
        """Return "; did you mean ...?" for the nearest built-in node or available model."""
        return did_you_mean(name, self.names() | set(schema().names()), nearness=0.8)

    def _find(self, name: str, source: SourceFile, extern: Extern | None) -> Path | None:
        if extern is not None:
            origin = self._origins.get(source.path, "")
            local = joined(origin or source.path, extern.url)
            if not is_remote(local):
                path = Path(local)
                if is_file(path):
                    return path
            if _OF_WEBOTS.match(local) and self._is_at_hand(name, local):
                return self._find_remote(name, source, extern)
        for place in (self._project, self._beside):
            found = self._index(place).get(name) if place is not None else None
            if found is not None:
                return found
        return self._find_remote(name, source, extern)

    def _is_at_hand(self, name: str, url: str) -> bool:
        """True if a model is bundled or was downloaded."""
        bundled = self._bundled is not None and name in self._index(self._bundled)
        return bundled or self.cache.find(url) is not None

    def _find_remote(self, name: str, source: SourceFile, extern: Extern | None) -> Path | None:
        url = joined(self._origins.get(source.path, source.path), extern.url) if extern is not None else ""
        cached = self.cache.find(url) if is_remote(url) else None
        bundled = self._index(self._bundled).get(name) if self._bundled is not None else None
        if cached is None and bundled is None and is_remote(url):
            cached = self.cache.fetch(url, self.report, source, extern.offset if extern else -1)
        if cached is not None:
            self._origins[str(cached)] = url
        elif bundled is not None and (release := _RELEASE.search(url)) is not None:
            self.releases.setdefault(str(bundled), Version.parse(release[1]))
        return cached or bundled

    def _index(self, place: Path | None) -> dict[str, Path]:
        if place is None:
            return {}
        index = self._indexes.get(place)
        if index is None:
            if place == self._beside:
                index = {path.stem: path for path in sorted(place.glob("*.proto"))}
            else:
                index = files.file_index(place, ".proto")
            self._indexes[place] = index
        return index

    def _definition(
        self, name: str, path: Path, user: SourceFile | None, offset: int
    ) -> ProtoDefinition | None:
        key = os.path.realpath(path)
        if key in self._being_read:
            text = f"PROTO {name} occurs in its own default values; recursive PROTOs are not allowed"
            self.report.error("recursive-proto", text, user, offset)
            return None
        if key not in self._definitions:
            if len(self._being_read) >= MAX_DEFAULTS_DEPTH:
                text = f"default values of PROTOs are nested more than {MAX_DEFAULTS_DEPTH} deep at {name}"
                self.report.error("too-deep", text, user, offset)
                return None
            self._being_read.append(key)
            self._definitions[key] = self._read(name, path, user.version if user else NEWEST)
            self._being_read.pop()
        return self._definitions[key]

    def _read(self, name: str, path: Path, fallback: Version) -> ProtoDefinition | None:
        try:
            text, remark = files.read_text(path)
        except files.UnreadableError as problem:
            self.report.error("unreadable", f"PROTO {name}: {problem}", SourceFile(path, ""))
            return None
        if remark:
            self.report.warning("encoding", remark, SourceFile(path, ""))
        return read_proto((str(path), name), text, self.report, self.resolve, self.declare, fallback)

    def _warn_undeclared(self, name: str, source: SourceFile, offset: int, path: Path) -> None:
        if (source.path, name) in self._told:
            return
        self._told.add((source.path, name))
        url = declared_url(name) if path.is_relative_to(builtin_directory()) else path.name
        text = f'no EXTERNPROTO declares {name}; taken from {path} (declare it: EXTERNPROTO "{url}")'
        self.report.warning("undeclared-proto", text, source, offset)
