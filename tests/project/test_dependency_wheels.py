"""A required package without a file for a system is named, unless the reason is known."""

import pytest

from scripts.dependency_wheels import COMPILED, SYSTEMS, Wanted, problems, wanted

NUMPY = Wanted("numpy>=1.24", "Windows", "3.12")
KNOWN = next(Wanted(f"{name}==1.0", system, "3.12") for name, system in COMPILED)


@pytest.mark.parametrize(
    ("each", "has_file", "message"),
    [
        (NUMPY, True, None),
        (NUMPY, False, "numpy for Windows, Python 3.12: no wheel"),
        (KNOWN, False, None),
        (KNOWN, True, "has a wheel now"),
    ],
)
def test_what_has_no_file_is_named(each: Wanted, has_file: bool, message: str | None):
    messages = problems([each], lambda _: has_file)
    assert len(messages) == (message is not None)
    assert message is None or message in messages[0]


def test_all_systems_and_requirements_are_asked_for():
    names = {each.name for each in wanted()}
    assert {"numpy", "quickjs-ng"} <= names
    assert {each.system for each in wanted()} == set(SYSTEMS)
