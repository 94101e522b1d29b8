"""The C library, built once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.c.calling import IN_PYTHON, Implementation, in_c, write_caller
from tests.c.sanitizing import build_library
from tests.conftest import require_tool
from tests.forks import shared_folder
from wbridge.hal.folders import sole_builder
from wbridge.libcontroller import compiling


@pytest.fixture(scope="session")
def c_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with the library, in a cache of the tests' own, which all processes share."""
    require_tool("cc", "the C library is compiled with it")
    require_tool("c++", "controllers in C++ are compiled with it")
    folder = shared_folder(tmp_path_factory.getbasetemp()) / "c-cache"
    folder.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "cache_folder", lambda: folder)
        compiling.home_path.cache_clear()
        yield compiling.home_path()
    compiling.home_path.cache_clear()


@pytest.fixture(scope="session")
def program(c_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A controller in C that makes the calls of a file."""
    return write_caller(tmp_path_factory.mktemp("caller"))


@pytest.fixture(params=["python", "c"])
def implementation(request: pytest.FixtureRequest) -> Implementation:
    """Each implementation of the API."""
    if request.param == "c":
        return in_c(request.getfixturevalue("program"))
    return IN_PYTHON


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The objects of the library with checks of memory and behavior in them; one process compiles them."""
    require_tool("cc", "the C library is compiled with it")
    place = shared_folder(tmp_path_factory.getbasetemp()) / "sanitized"
    with sole_builder(place) as is_missing:
        if is_missing:
            draft = tmp_path_factory.mktemp("objects")
            build_library(draft)
            draft.rename(place)
    return sorted(map(str, place.iterdir()))
