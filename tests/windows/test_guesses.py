"""Guesses of the token of the windows: at most ten per second and address."""

from __future__ import annotations

import pytest

from wbridge.hal.link.guesses import GUESSES_PER_SECOND, GuessLimit
from wbridge.robot_windows import guard
from wbridge.robot_windows.guard import Guard

TOKEN = "the-token-of-these-tests"


def test_a_guesser_is_refused_even_with_the_right_token(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    own = Guard("127.0.0.1", 8765, TOKEN)
    for k in range(GUESSES_PER_SECOND):
        assert not own.knows(None, f"token=wrong{k}", "10.0.0.1")
    assert not own.knows(None, f"token={TOKEN}", "10.0.0.1")
    assert own.knows(None, f"token={TOKEN}", "10.0.0.2")


def test_requests_without_a_token_are_no_guesses(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    own = Guard("127.0.0.1", 8765, TOKEN)
    for _ in range(2 * GUESSES_PER_SECOND):
        assert not own.knows(None, "", "10.0.0.1")
    assert own.knows(f"wbridge-8765={own.cookies.make()}", "", "10.0.0.1")


def test_who_guesses_tokens_shuts_out_no_page_with_a_cookie(monkeypatch: pytest.MonkeyPatch):
    """A page of another site can load addresses of this server with wrong tokens, without a cookie
    (RFC 6265bis, SameSite)."""
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    own = Guard("127.0.0.1", 8765, TOKEN)
    for k in range(GUESSES_PER_SECOND):
        assert not own.knows(None, f"token=wrong{k}", "127.0.0.1")
        assert not own.redeems(f"once=wrong{k}", "127.0.0.1", lambda: True)
    assert own.knows(f"wbridge-8765={own.cookies.make()}", "", "127.0.0.1")


def test_a_page_with_the_cookie_of_another_server_is_opened_by_the_token(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "GuessLimit", lambda: GuessLimit(lambda: 5.0))
    own = Guard("127.0.0.1", 8765, TOKEN)
    for _ in range(GUESSES_PER_SECOND):
        assert not own.knows("wbridge-8765=1.x.former", "", "127.0.0.1")
    assert own.knows("wbridge-8765=1.x.former", f"token={TOKEN}", "127.0.0.1")
