"""Suggestions of names.

Judge: the distance of each two names, by hand.
"""

from __future__ import annotations

import pytest

from wbridge.wbcore.scene.diagnostics import nearest_name

MANY = [f"Part{number:05}" for number in range(2000)]
"""As many as models, and of about the same length."""


@pytest.mark.parametrize("place", [0, 1000, 2000])
def test_the_nearest_of_many_names_is_found_in_whatever_order_they_are(place: int):
    known = [*MANY[:place], "SolidBox", *MANY[place:], "Solid"]
    assert nearest_name("SolidBx", known, 0.8) == "SolidBox"
    assert nearest_name("SolidBx", reversed(known), 0.8) == "SolidBox"


@pytest.mark.parametrize(("name", "nearest"), [("uno", "board-uno-a"), ("WoodenBox", "WoodenBix")])
def test_of_equally_near_names_the_order_does_not_decide(name: str, nearest: str):
    known = ["board-uno-b", "board-uno-a", "WoodenBix", "WoodenBax"]
    assert nearest_name(name, known) == nearest_name(name, reversed(known)) == nearest
