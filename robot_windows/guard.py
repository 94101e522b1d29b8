"""Access control of the server: a page may move a real robot, so other sites and other users are refused.

There are three checks: the host name used by the browser (against DNS rebinding), the page that opens a
connection (Origin), and a secret in the printed address, in whose place the browser gets a cookie that other
sites cannot send. The command line of a browser, which other users can read, has a code that works once.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs

from wbridge.hal.link.guesses import GuessLimit
from wbridge.robot_windows.addresses import is_loopback, place
from wbridge.robot_windows.cookies import CookieSigner

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24
TOKEN_LIFETIME_S = 30 * 24 * 3600
"""Age from which a stored token is replaced when a server starts."""
CODE_LIFETIME_S = 600
"""How long a browser may take to open."""
TOKEN, CODE = "token", "once"
"""Names in the query of an address."""


class Guard:
    """Checks requests."""

    def __init__(
        self,
        host: str,
        port: int,
        token: str,
        names: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """
        Args:
            host: the address that the server listens on.
            port: its port.
            token: the secret.
            names: further host names, with or without port, at which a proxy provides the server.
            clock: in s since 1970.
        """
        self._is_open, self._port = not is_loopback(host), port
        own = {place(name, port) for name in (*LOOPBACK, host)}
        named = {name.lower() for name in names}
        self.hosts = own | named | {f"{name}:{port}" for name in named if ":" not in name}
        self.origins = {f"http://{host}" for host in self.hosts} | {f"https://{name}" for name in named}
        self.cookie = f"wbridge-{port}"
        self._token = token
        self.cookies = CookieSigner(token, port, clock)
        # Each secret has its own limit: a page of another site can send wrong tokens from the user's browser,
        # but no cookies, so that it does not shut out pages that have one.
        self._tokens, self._cookies, self._codes = GuessLimit(), GuessLimit(), GuessLimit()
        self._clock, self._start = clock, clock()
        self.code: str | None = secrets.token_urlsafe(TOKEN_BYTES)
        """Opens the pages once, for a browser that this user's run starts; None: it was used."""

    def is_host(self, host: str | None, local: str = "") -> bool:
        """Return True if the request is meant for this server.

        Args:
            host: the request's host.
            local: the address of this machine that received the request. A browser uses the numeric address
                only if the user has opened it, so DNS rebinding cannot fake it.
        """
        return host is not None and (host.lower() in self.hosts or self._is_own(host, local))

    def is_origin(self, origin: str | None, local: str = "") -> bool:
        """Return True for a page of this server; programs other than browsers send no origin."""
        if origin is None or origin in self.origins:
            return True
        return origin.startswith("http://") and self._is_own(origin.removeprefix("http://"), local)

    def _is_own(self, host: str, local: str) -> bool:
        return self._is_open and bool(local) and host == place(local, self._port)

    def is_token(self, token: str | None) -> bool:
        """Return True for the secret."""
        return token is not None and hmac.compare_digest(
            token.encode("utf-8", "replace"), self._token.encode()
        )

    def knows(self, cookies: str | None, query: str, address: str = "") -> bool:
        """Return True if a request contains the secret, as a cookie or in its address.

        Args:
            cookies: the request's cookies.
            query: the query in its address.
            address: of the client; each one may guess `GUESSES_PER_SECOND` times per second and secret.
        """
        return self._knows_cookie(self.cookie_in(cookies), address) or self._knows_token(
            token_of(query), address
        )

    def _knows_cookie(self, cookie: str | None, address: str) -> bool:
        if cookie is None or not self._cookies.allows(address):
            return False
        is_valid = self.cookies.is_valid(cookie)
        # A cookie that has expired is no guess.
        if not is_valid and self.cookies.age_s(cookie) is None:
            self._cookies.note_wrong(address)
        return is_valid

    def _knows_token(self, token: str | None, address: str) -> bool:
        if token is None or not self._tokens.allows(address):
            return False
        is_right = self.is_token(token)
        if not is_right:
            self._tokens.note_wrong(address)
        return is_right

    def redeems(self, query: str, address: str, is_own_user: Callable[[], bool]) -> bool:
        """Return True for the code in an address, which has no further use then.

        Args:
            query: the query in the address.
            address: of the client.
            is_own_user: False if another user of this computer has read the code and asks with it.
        """
        code = value_of(query, CODE)
        if code is None or not self._codes.allows(address):
            return False
        is_right = self.code is not None and hmac.compare_digest(
            code.encode("utf-8", "replace"), self.code.encode()
        )
        if not is_right:
            self._codes.note_wrong(address)
        if not is_right or not is_own_user() or self._clock() - self._start > CODE_LIFETIME_S:
            return False
        self.code = None
        return True

    def cookie_in(self, cookies: str | None) -> str | None:
        """Return this server's cookie among those of a request; None: there is none."""
        try:
            morsel = SimpleCookie(cookies or "").get(self.cookie)
        except CookieError:
            return None
        return morsel.value if morsel is not None else None

    def set_cookie(self) -> str:
        """Return the header that stores a new cookie in the browser."""
        return f"{self.cookie}={self.cookies.make()}; HttpOnly; SameSite=Strict; Path=/"


def token_of(query: str) -> str | None:
    """Return the token in the query of an address."""
    return value_of(query, TOKEN)


def value_of(query: str, name: str) -> str | None:
    """Return the first value of a name in the query of an address."""
    try:
        values = parse_qs(query, max_num_fields=20).get(name)
    except ValueError:
        return None
    return values[0] if values else None


def _is_private(status: os.stat_result) -> bool:
    """Return True for a file that only this user can read."""
    if sys.platform == "win32":
        return True  # as in the user's folder, from which files there have their rights
    return status.st_uid == os.getuid() and not status.st_mode & 0o077


def kept_token(port: int, folder: Path) -> str:
    """Return the secret of a port, the same in this user's runs for `TOKEN_LIFETIME_S`, so that open pages
    reconnect after a restart.

    It is stored in a file that only the user can read; if the file cannot be written, it changes in each run.
    """
    file = folder / f"windows-{port}.token"
    with suppress(OSError, UnicodeDecodeError):
        status = file.stat()
        kept = file.read_text("ascii").strip()
        is_new = abs(time.time() - status.st_mtime) < TOKEN_LIFETIME_S
        if len(kept) >= TOKEN_BYTES and _is_private(status) and is_new:
            return kept
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(token)
    return token
