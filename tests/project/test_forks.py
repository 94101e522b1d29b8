"""Tests run in forked processes: each once, whatever some of them do to their process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.forks import idle, known_seconds, units

HOOKS = "from tests.forks import pytest_addoption, pytest_runtestloop\n"
CRASHES = """
import os
def test_first(): pass
def test_abort(): os.abort()
def test_middle(): pass
def test_exit(): os._exit(3)
def test_last(): pass
"""
MIXED = """
import os, pytest, warnings
def test_fail(tmp_path):
    print('printed in', tmp_path)
    os.system('echo by sh')
    assert 0
def test_skip():
    pytest.skip('a reason')
def test_warn():
    warnings.warn('a warning')
@pytest.fixture(scope='module')
def pid():
    yield os.getpid()
    assert 0, 'end of the file'
@pytest.mark.parametrize('k', range(40))
def test_many(k, pid):
    assert pid == os.getpid()
"""


def test_files_stay_whole_and_the_longest_comes_first():
    names = ["a.py::one", "b.py::one", "a.py::two[x::y]", "c.py::one", "b.py::two", "b.py::three"]
    assert units(names, {}) == [[1, 4, 5], [0, 2], [3]]
    assert units(names, {"c.py": 7.5, "a.py": 1.0}) == [[3], [0, 2], [1, 4, 5]]


def test_what_processes_wait_for_the_last_is_counted():
    assert idle([7.0, 10.0, 9.5]) == 3.5
    assert idle([]) == 0


def test_the_files_whose_seconds_are_known_exist():
    seconds = known_seconds()
    assert [name for name in seconds if not (CHECKOUT / name).is_file()] == []
    assert sorted(seconds.values(), reverse=True) == list(seconds.values())


def forked(folder: Path, files: dict[str, str], *options: str) -> tuple[int, str]:
    """Exit status and output of tests in two processes."""
    for name, text in {"conftest.py": HOOKS, **files}.items():
        (folder / name).write_text(text)
    words = [sys.executable, "-m", "pytest", "--forks", "2", "-p", "no:cacheprovider", "-ra", *options]
    words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "INTERNALERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    other = "def test_it():\n    pass\n"
    folder = tmp_path_factory.mktemp("mixed")
    return forked(folder, {"test_mixed.py": MIXED, "test_crash.py": CRASHES, "test_other.py": other})


def test_all_tests_run_once(mixed: tuple[int, str]):
    status, printed = mixed
    assert re.search(r"3 failed, 45 passed, 1 skipped, 1 warning, 1 error in", printed), printed
    assert status == 1


def test_a_test_that_ends_its_process_has_failed(mixed: tuple[int, str]):
    assert "FAILED test_crash.py::test_abort - the process ended with -6" in mixed[1]
    assert "FAILED test_crash.py::test_exit - the process ended with 3" in mixed[1]


def test_what_tests_print_and_warn_is_shown(mixed: tuple[int, str]):
    assert re.search(r"^printed in .*/fork\d+/test_fail0\nby sh$", mixed[1], re.MULTILINE)
    assert "UserWarning: a warning" in mixed[1] and "a reason" in mixed[1]


def test_fixtures_of_a_file_end_with_it(mixed: tuple[int, str]):
    assert "ERROR test_mixed.py::test_many[39] - AssertionError: end of the file" in mixed[1]


def test_the_first_failure_can_end_all(tmp_path: Path):
    text = "def test_fail(): assert 0\n" + "".join(f"def test_{k}(): pass\n" for k in range(9))
    status, printed = forked(tmp_path, {"test_one.py": text}, "-x")
    assert status == 1 and "stopping after 1 failures" in printed and "1 failed in" in printed


def test_a_process_that_cannot_begin_is_an_error(tmp_path: Path):
    text = HOOKS + "import os\nfrom tests import tools\ntools.leave_folders = lambda: os._exit(5)\n"
    with pytest.raises(AssertionError, match="ended with 5 before its first test"):
        forked(tmp_path, {"conftest.py": text, "test_one.py": "def test_it(): pass\n"})
