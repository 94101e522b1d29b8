"""A plugin of pytest for runs under Wine: it skips tests of what Windows lacks, with a reason from a list."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "REASONS",
    "START",
    "pytest_collection_modifyitems",
    "pytest_pycollect_makemodule",
    "reason_for",
]

START = "Windows: "
"""With this begin the reasons of skips that stand in the list."""
LIST = Path(__file__).with_name("reasons.toml")
REASONS: Mapping[str, Sequence[str]] = tomllib.loads(LIST.read_text(encoding="utf-8"))
"""Files and starts of names of tests, by the reason for which Windows cannot run them."""


def reason_for(name: str, reasons: Mapping[str, Sequence[str]] = REASONS) -> str:
    """Return why a test is left out on Windows; "" if it is to run there.

    Args:
        name: of the test, such as tests/hal/test_ready.py::test_numbers.
        reasons: the list.
    """
    return next((reason for reason, starts in reasons.items() if name.startswith(tuple(starts))), "")


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Skip what the list names."""
    for item in items:
        if reason := reason_for(item.nodeid):
            item.add_marker(pytest.mark.skip(reason=START + reason))


class LeftOut(pytest.Module):
    """A file that Windows cannot even import; it counts as one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Skip the file."""
        pytest.skip(START + reason_for(self.nodeid), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Leave out files that the list names as a whole."""
    name = module_path.relative_to(parent.config.rootpath).as_posix()
    return LeftOut.from_parent(parent, path=module_path) if reason_for(name) else None
