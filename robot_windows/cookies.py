"""Cookies of browsers that have shown the token: each login gets another one, which expires."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable

LIFETIME_S = 7 * 24 * 3600
"""How long a page that is not loaded again can reconnect."""
RENEWED_S = 3600
"""Age from which a page that is loaded gets another cookie."""
FUTURE_S = 60
"""How far the clock may have been set back since a cookie was made."""
NONCE_BYTES = 12


class CookieSigner:
    """Makes cookies and knows them again, also after a restart with the same token."""

    def __init__(self, token: str, port: int, clock: Callable[[], float] = time.time) -> None:
        """
        Args:
            token: the secret, which cannot be derived from cookies.
            port: of the server, whose cookies are of no use at other ports.
            clock: in s since 1970.
        """
        self._key, self._clock = hmac.digest(token.encode(), b"cookie %d" % port, "sha256"), clock

    def make(self) -> str:
        """Return a new cookie: the time, a random part, and a signature of both."""
        text = f"{int(self._clock())}.{secrets.token_urlsafe(NONCE_BYTES)}"
        return f"{text}.{self._signature(text)}"

    def age_s(self, cookie: str) -> float | None:
        """Return the age of a cookie that this server has made; None for others."""
        text, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(text).encode()):
            return None
        return self._clock() - int(text.partition(".")[0])

    def is_valid(self, cookie: str) -> bool:
        """Return True for a cookie of this server that has not expired."""
        age = self.age_s(cookie)
        return age is not None and -FUTURE_S <= age < LIFETIME_S

    def is_due(self, cookie: str) -> bool:
        """Return True for a valid cookie that should be replaced."""
        return self.is_valid(cookie) and (self.age_s(cookie) or 0.0) >= RENEWED_S

    def _signature(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "replace"), "sha256").hexdigest()
