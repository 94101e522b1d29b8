"""The user's cache of downloaded models. Only this module downloads models."""

from __future__ import annotations

import os
import time
from pathlib import Path
from urllib.parse import urljoin

from wbridge.hal.folders import cache_folder, replacement
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.source import SourceFile

MOST_BYTES, LONGEST_S = 512 * 2**20, 600.0
"""Of all files that a world downloads together."""


def is_remote(url: str) -> bool:
    """True for a URL of a server or of an installed Webots (`webots://`)."""
    return "://" in url and not url.startswith("file://")


def is_file(path: Path) -> bool:
    """True for an existing file; False for names that are not valid file names."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_name(name: str) -> bool:
    """True for a plain file name of at most the usual maximum length."""
    return (
        0 < len(name) < 200 and name not in (".", "..") and name.isprintable() and not set(name) & set("/\\:")
    )


def joined(base: str, url: str) -> str:
    """Resolve a URL relative to the file or URL that contains it; local ones become paths.

    A file from a server cannot name local files.
    """
    if is_remote(url) or (is_remote(base) and url.startswith("file:")):
        return url
    if url.startswith("file://"):
        return url[len("file://") :]
    if is_remote(base):
        try:
            return urljoin(base, url)
        except ValueError:  # brackets in the host part
            return url
    return os.path.join(os.path.dirname(base), url.replace("\\", "/"))


class ModelCache:
    """Models by URL. Downloads only with `online`."""

    def __init__(self, folder: Path | None = None, online: bool = False) -> None:
        self._folder = folder
        self._online = online
        self._failed: set[str] = set()
        self._bytes, self._spent_s = 0, 0.0
        """Downloaded so far, and the time for it."""

    @property
    def folder(self) -> Path:
        """The cache folder; each model is in a subfolder named by the hash of its URL."""
        if self._folder is None:
            self._folder = cache_folder()
        return self._folder

    def path(self, url: str) -> Path:
        """Return the path of a URL's model in the cache, whether it exists or not."""
        import hashlib  # start-up: 4 ms, few worlds need it

        digest = hashlib.sha256(url.encode(errors="replace")).hexdigest()[:24]
        name = url.split("?", 1)[0].split("#", 1)[0].rsplit("/", 1)[-1]
        return self.folder / "models" / digest / (name if is_name(name) else "model")

    def find(self, url: str) -> Path | None:
        """Return the cached file of a URL; None if it was never downloaded."""
        path = self.path(url)
        return path if is_file(path) else None

    def fetch(self, url: str, report: Report, source: SourceFile, offset: int) -> Path | None:
        """Download a model if downloads are enabled; report problems at the given place."""
        if not self._online or url in self._failed:
            return None
        try:
            return self._store(url, self._download(url))
        except (OSError, ValueError) as problem:
            self._failed.add(url)
            report.error("not-fetched", f"cannot download {url}: {problem}", source, offset)
            return None

    def _download(self, url: str) -> bytes:
        """Return the file of a URL.

        Raises:
            OSError, ValueError: it cannot be had, or the world has downloaded too much.
        """
        from wbridge.wbcore.scene import downloading  # start-up: 31 ms, only for downloads

        downloading.check_address(url)
        left_s = min(downloading.LONGEST_S, LONGEST_S - self._spent_s)
        if self._bytes >= MOST_BYTES or left_s <= 0:
            raise ValueError(
                f"this world has downloaded {self._bytes / 2**20:.0f} MiB in {self._spent_s:.0f} s; "
                f"allowed: {MOST_BYTES // 2**20} MiB in {LONGEST_S:.0f} s"
            )
        start = time.monotonic()
        try:
            data = downloading.download(url, left_s)
        finally:
            self._spent_s += time.monotonic() - start
        self._bytes += len(data)
        return data

    def _store(self, url: str, data: bytes) -> Path:
        path = self.path(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacement(path) as draft:
            draft.write_bytes(data)
        return path
