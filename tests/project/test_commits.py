"""Subjects of commits are short enough for every tool that shows them."""

import pytest

from scripts import commits


@pytest.mark.parametrize("subject", ["Add a driver", "A" * 72])
def test_a_short_imperative_is_fine(subject: str):
    assert commits.problems([subject]) == []


@pytest.mark.parametrize("subject", ["A" * 73, "add a driver", "Add a driver.", ""])
def test_another_subject_is_named(subject: str):
    (message,) = commits.problems([subject])
    assert message.startswith(f"{subject}: ")
