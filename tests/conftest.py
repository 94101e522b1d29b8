"""What all tests share: tools and input worlds that a machine may lack."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import tools
from tests.compilers import keep_results
from tests.engine_build import take_named_build
from tests.forks import IDLE, SECONDS, pytest_addoption, pytest_runtestloop, shared_folder
from tests.slowest import print_slowest, write_seconds
from wbridge.wbcore.scene import template_results
from wbridge.wbcore.visual import kept_skies

__all__ = ["CHECKOUT", "absent", "pytest_addoption", "pytest_runtestloop", "require_tool"]

CHECKOUT = Path(__file__).resolve().parent.parent

take_named_build()
keep_results()

# What an example takes by the clock says more about the machine than about the code.
settings.register_profile("wbridge", deadline=None)
settings.load_profile("wbridge")

# Where tests run in the background, SIGINT is ignored, also by the programs that they interrupt by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def absent(what: str) -> None:
    """Skip the running test because `what` is absent; in continuous integration (CI is set) fail it."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage: tests stay, and looking takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Hold each test to the programs that its make target installs."""
    with tools.running(frozenset(marker.name for marker in item.iter_markers())):
        return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Run the tests of a file in one process, also with `-n` alone: they share what they have built."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell which files took longest."""
    print_slowest(terminalreporter, terminalreporter.config.stash.get(IDLE, None))
    if terminalreporter.config.option.write_seconds:
        write_seconds(terminalreporter, SECONDS)


def pytest_unconfigure() -> None:
    """Remove what holding tests to their programs has made."""
    tools.clean_up()


def require_tool(name: str, why: str) -> str:
    """Path of a program that the running test needs, or the test ends here with the reason `why`.

    The test fails on every machine if neither `make test` nor the target of its marker installs the program.
    """
    tools.check(name)
    path = shutil.which(name)
    if path is None:
        absent(f"{name} is not installed: {why}")
    return str(path)


@pytest.fixture(autouse=True, scope="session")
def _template_results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep generated texts and skies out of the user's cache folder, in one that all processes share."""
    folder = shared_folder(tmp_path_factory.getbasetemp()) / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template_results, "optional_cache_folder", lambda: folder)
        patch.setattr(kept_skies, "optional_cache_folder", lambda: folder)
        yield


@pytest.fixture(autouse=True)
def _logging_as_at_the_start() -> Iterator[None]:
    """`wbridge` writes to standard error what is logged, with -q less: in its process, so here in ours."""
    _forget_logging()
    yield
    _forget_logging()


def _forget_logging() -> None:
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.handlers[:] = [one for one in root.handlers if type(one) is not logging.StreamHandler]
