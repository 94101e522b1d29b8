"""The user's cache of downloaded models. Only this module downloads models."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from hal.folders import cache_folder
from wbcore.scene.diagnostics import Report
from wbcore.scene.source import SourceFile

MAX_DOWNLOAD = 32 * 1024 * 1024
_TIMEOUT_S = 20.0


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


def _is_safe(url: str) -> bool:
    """True for https, and for http on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")


def joined(base: str, url: str) -> str:
    """Resolve a URL relative to the file or URL that contains it; local ones become paths."""
    if is_remote(url):
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
        if not _is_safe(url):
            report.error("not-fetched", f"{url}: only https URLs are downloaded", source, offset)
            self._failed.add(url)
            return None
        try:
            return self._store(url, _download(url))
        except (OSError, ValueError) as problem:
            self._failed.add(url)
            report.error("not-fetched", f"cannot download {url}: {problem}", source, offset)
            return None

    def _store(self, url: str, data: bytes) -> Path:
        path = self.path(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_bytes(data)
        os.replace(part, path)
        return path


def _download(url: str) -> bytes:
    from urllib.request import urlopen  # start-up: 31 ms, only for downloads

    with urlopen(url, timeout=_TIMEOUT_S) as answer:
        data: bytes = answer.read(MAX_DOWNLOAD + 1)
    if len(data) > MAX_DOWNLOAD:
        raise ValueError(f"larger than {MAX_DOWNLOAD // 2**20} MiB")
    return data
