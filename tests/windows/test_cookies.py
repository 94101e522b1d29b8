"""Cookies and the address for a browser that is started here.

Judge: OWASP's cheat sheet on sessions (a new value at each login, expiry); proc(5): all users can read
command lines.
"""

from __future__ import annotations

import logging
import webbrowser
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import pytest

from tests.windows.conftest import TOKEN, Served
from wbridge.hal.link.guesses import GUESSES_PER_SECOND, GuessLimit
from wbridge.robot_windows import guard, server
from wbridge.robot_windows.cookies import LIFETIME_S, RENEWED_S, CookieSigner
from wbridge.robot_windows.guard import CODE_LIFETIME_S, Guard
from wbridge.running.windows import Windows

HERE = "127.0.0.1"


class Clock:
    """Is set by the test."""

    now = 1e9

    def __call__(self) -> float:
        return self.now


def test_each_login_gets_another_cookie_that_does_not_contain_the_token(served: Served):
    cookies = set()
    for _ in range(3):
        header = served.get(f"/?token={TOKEN}", Cookie="").headers["Set-Cookie"]
        (morsel,) = SimpleCookie(header).values()
        cookies.add(morsel.value)
        assert TOKEN not in header
        assert served.get("/", Cookie=f"{morsel.key}={morsel.value}").status == 200
    assert len(cookies) == 3


def test_cookies_expire_and_are_renewed_when_a_page_is_loaded():
    clock = Clock()
    signer = CookieSigner(TOKEN, 8765, clock)
    cookie = signer.make()
    assert signer.is_valid(cookie) and not signer.is_due(cookie)
    clock.now += RENEWED_S
    assert signer.is_valid(cookie) and signer.is_due(cookie)
    clock.now += LIFETIME_S - RENEWED_S
    assert not signer.is_valid(cookie) and not signer.is_due(cookie)
    clock.now = 1e9 - 3600
    assert not signer.is_valid(cookie), "from the future"


def test_a_page_that_is_loaded_with_an_old_cookie_gets_a_new_one(served: Served):
    clock = Clock()
    served.server.guard.cookies = CookieSigner(TOKEN, served.server.port, clock)
    cookie = f"{served.server.guard.cookie}={served.server.guard.cookies.make()}"
    assert served.get("/", Cookie=cookie).headers["Set-Cookie"] is None
    clock.now += RENEWED_S
    renewed = served.get("/", Cookie=cookie).headers["Set-Cookie"].split(";")[0]
    assert renewed != cookie
    clock.now += LIFETIME_S - 1
    assert served.get("/", Cookie=cookie).status == 403
    assert served.get("/", Cookie=renewed).status == 200


def test_cookies_are_good_after_a_restart_but_not_elsewhere():
    cookie = CookieSigner(TOKEN, 8765).make()
    assert CookieSigner(TOKEN, 8765).is_valid(cookie)
    assert not CookieSigner(TOKEN, 8766).is_valid(cookie)
    assert not CookieSigner(f"{TOKEN}x", 8765).is_valid(cookie)
    for changed in (cookie[:-1], f"9{cookie}", cookie.replace(".", "", 1), "", "..", "a.b.c", "\ud800.x.y"):
        assert not CookieSigner(TOKEN, 8765).is_valid(changed.encode("utf-8", "replace").decode())


def test_an_expired_cookie_is_no_guess(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    clock = Clock()
    own = Guard(HERE, 8765, TOKEN, clock=clock)
    cookie = f"wbridge-8765={own.cookies.make()}"
    clock.now += LIFETIME_S
    for _ in range(2 * GUESSES_PER_SECOND):
        assert not own.knows(cookie, "", HERE)
    assert own.knows(None, f"token={TOKEN}", HERE)


def test_a_browser_that_is_started_here_gets_a_code_that_works_once(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", opened.append)
    hub = served.hub
    hub.url, hub.url_once = served.server.url, served.server.url_once  # type: ignore[attr-defined]
    with caplog.at_level(logging.INFO, "wbridge"):
        Windows(hub, True).announce()  # type: ignore[arg-type]
    (address,) = opened
    assert TOKEN not in address and TOKEN in caplog.text
    parts = urlsplit(address)
    welcome = served.get(f"/?{parts.query}&x=1", Cookie="")
    assert (welcome.status, welcome.headers["Location"]) == (302, "/?x=1")
    assert served.get("/", Cookie=welcome.headers["Set-Cookie"].split(";")[0]).status == 200
    assert served.get(f"/?{parts.query}", Cookie="").status == 403, "once"


def test_a_code_that_another_user_has_read_is_of_no_use(served: Served, monkeypatch: pytest.MonkeyPatch):
    query = urlsplit(served.server.url_once).query
    with monkeypatch.context() as patch:
        patch.setattr(server, "is_own_user", lambda connection: False)
        assert served.get(f"/?{query}", Cookie="").status == 403
    assert served.get(f"/?{query}", Cookie="").status == 302, "it still works for the user"


def test_a_code_expires_and_guesses_of_it_are_limited(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    clock = Clock()
    own = Guard(HERE, 8765, TOKEN, clock=clock)
    for k in range(GUESSES_PER_SECOND):
        assert not own.redeems(f"once={k}", "10.0.0.1", lambda: True)
    assert not own.redeems(f"once={own.code}", "10.0.0.1", lambda: True)
    clock.now += CODE_LIFETIME_S + 1
    assert not own.redeems(f"once={own.code}", HERE, lambda: True)
