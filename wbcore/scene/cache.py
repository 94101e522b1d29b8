"""The user's cache of downloaded models, and the only place that downloads one."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from hal.folders import cache_folder

from .diagnostics import Report
from .source import SourceFile

MAX_DOWNLOAD = 32 * 1024 * 1024
_TIMEOUT_S = 20.0


def is_remote(url: str) -> bool:
    """True for an address on a server or in an installed Webots (`webots://`)."""
    return "://" in url and not url.startswith("file://")


def is_file(path: Path) -> bool:
    """True for a file that is there; False also for names that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_name(name: str) -> bool:
    """True for a plain file name of usual length."""
    return (
        0 < len(name) < 200 and name not in (".", "..") and name.isprintable() and not set(name) & set("/\\:")
    )


def _is_safe(url: str) -> bool:
    """Https, or http on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")


def joined(base: str, url: str) -> str:
    """An address as seen from the file or address that names it; a path for local ones."""
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
    """Models by their address. Without `online` nothing is ever downloaded."""

    def __init__(self, folder: Path | None = None, online: bool = False) -> None:
        self._folder = folder
        self._online = online
        self._failed: set[str] = set()

    @property
    def folder(self) -> Path:
        """Where the models lie; each in a folder named by the hash of its address."""
        if self._folder is None:
            self._folder = cache_folder()
        return self._folder

    def path(self, url: str) -> Path:
        """Where the model of an address lies, or would lie."""
        import hashlib  # start-up: 4 ms, few worlds need it

        digest = hashlib.sha256(url.encode(errors="replace")).hexdigest()[:24]
        name = url.split("?", 1)[0].split("#", 1)[0].rsplit("/", 1)[-1]
        return self.folder / "models" / digest / (name if is_name(name) else "model")

    def find(self, url: str) -> Path | None:
        """The cached file of an address, None when it was never fetched."""
        path = self.path(url)
        return path if is_file(path) else None

    def fetch(self, url: str, report: Report, source: SourceFile, offset: int) -> Path | None:
        """Download a model unless that is switched off; problems are reported at the place that names it."""
        if not self._online or url in self._failed:
            return None
        if not _is_safe(url):
            report.error("not-fetched", f"{url}: only https addresses are fetched", source, offset)
            self._failed.add(url)
            return None
        try:
            return self._store(url, _download(url))
        except (OSError, ValueError) as problem:
            self._failed.add(url)
            report.error("not-fetched", f"{url} can't be fetched: {problem}", source, offset)
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
