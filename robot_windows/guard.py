"""Who may talk to the server: a page may move a real robot, so other sites and other users must not.

Three locks: the name that the browser believes to talk to (against DNS rebinding), the page that opens a
connection (Origin), and a secret in the printed address, kept as a cookie that other sites cannot send.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs

from robot_windows.addresses import is_loopback, place

__all__ = ["Guard", "kept_token"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24


class Guard:
    """Checks requests."""

    def __init__(self, host: str, port: int, token: str, names: Sequence[str] = ()) -> None:
        """
        Args:
            host: the address that the server listens at.
            port: its port.
            token: the secret.
            names: further names, each with or without a port, under which a proxy offers the server.
        """
        self._is_open, self._port = not is_loopback(host), port
        own = {place(name, port) for name in (*LOOPBACK, host)}
        named = {one.lower() for one in names}
        self.hosts = own | named | {f"{one}:{port}" for one in named if ":" not in one}
        self.origins = {f"http://{one}" for one in self.hosts} | {f"https://{one}" for one in named}
        self.cookie = f"wbridge-{port}"
        self._token = token

    def is_host(self, host: str | None, local: str = "") -> bool:
        """True when the request is meant for this server.

        Args:
            host: of the request.
            local: the address of this machine that the request has come to. A browser names it by its number
                only when the user has opened that address: no foreign name can stand for it.
        """
        return host is not None and (host.lower() in self.hosts or self._is_own(host, local))

    def is_origin(self, origin: str | None, local: str = "") -> bool:
        """True for a page of this server; programs that are no browsers send none."""
        if origin is None or origin in self.origins:
            return True
        return origin.startswith("http://") and self._is_own(origin.removeprefix("http://"), local)

    def _is_own(self, host: str, local: str) -> bool:
        return self._is_open and bool(local) and host == place(local, self._port)

    def is_token(self, token: str | None) -> bool:
        """True for the secret."""
        return token is not None and hmac.compare_digest(token.encode(), self._token.encode())

    def knows(self, cookies: str | None, query: str) -> bool:
        """True when a request carries the secret, as a cookie or in its address."""
        return self.is_token(token_of(query)) or self.is_token(self._cookie(cookies))

    def _cookie(self, cookies: str | None) -> str | None:
        try:
            found = SimpleCookie(cookies or "").get(self.cookie)
        except CookieError:
            return None
        return found.value if found is not None else None

    @property
    def set_cookie(self) -> str:
        """The header that lets the browser keep the secret."""
        return f"{self.cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"


def token_of(query: str) -> str | None:
    """The token in the query of an address."""
    try:
        found = parse_qs(query, max_num_fields=20).get("token")
    except ValueError:
        return None
    return found[0] if found else None


def kept_token(port: int, folder: Path) -> str:
    """The secret of a port, the same in each run of this user, so that open pages find back after a restart.

    It is kept in a file that only the user may read; where none can be written, it is another one each time.
    """
    file = folder / f"windows-{port}.token"
    with suppress(OSError, UnicodeDecodeError):
        status = file.stat()
        kept = file.read_text("ascii").strip()
        if len(kept) >= TOKEN_BYTES and status.st_uid == os.getuid() and not status.st_mode & 0o077:
            return kept
    made = secrets.token_urlsafe(TOKEN_BYTES)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(made)
    return made
