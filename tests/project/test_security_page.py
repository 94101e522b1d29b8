"""SECURITY.md names the tests of its promises; they exist."""

from __future__ import annotations

import re

from tests.conftest import CHECKOUT


def test_the_named_tests_exist():
    named = set(re.findall(r"`((?:tests|fuzz)/[^`]*)`", (CHECKOUT / "SECURITY.md").read_text()))
    assert named
    assert not [pattern for pattern in named if not list(CHECKOUT.glob(pattern))]


def test_a_promise_has_a_test():
    rows = (CHECKOUT / "SECURITY.md").read_text().splitlines()
    cells = [row.strip("|").split(" | ") for row in rows if row.startswith("| ") and "---" not in row][1:]
    assert len(cells) >= 8
    for _, promise, tests, *_ in cells:
        assert tests.strip() or promise.strip().startswith("Nothing")
