"""Comparing this version with a former one: building it, and its table."""

import importlib.metadata
import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import against, former
from benchmarks.case import Case, Reading, compare

NAME = "wbridge-robotics"
PYPROJECT = f"""[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "{NAME}"
version = "0.0.7"
[tool.setuptools]
py-modules = ["probe"]
"""
CASE = Case("probe", lambda: compare(1.0, 1.0), 1.0, "ms", "a loop")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a module, changed in the working tree after its only commit."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "probe.py").write_text("VERSION = 'former'\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "A commit")
    (folder / "probe.py").write_text("VERSION = 'present'\n")
    return folder


def printed(version: former.Version, code: str) -> str:
    command = [str(version.python), "-c", code]
    done = subprocess.run(command, env=version.environment(), capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_former_version_is_built_with_the_packages_of_this_one(repository: Path, tmp_path: Path):
    version = former.build(repository, "HEAD", tmp_path / "against")
    assert printed(version, "import probe; print(probe.VERSION)") == "former"
    assert printed(version, "import numpy; print(numpy.__version__)")
    assert (
        printed(version, "from importlib.metadata import version as v; print(v('wbridge-robotics'))")
        == "0.0.7"
    )
    # The build leaves the installation of this version alone.
    assert importlib.metadata.version(NAME) != "0.0.7"


def test_a_built_version_is_used_again(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    version = former.build(repository, "HEAD", tmp_path / "against")
    monkeypatch.setattr(former, "_run", lambda *_: pytest.fail("it was built again"))
    assert former.build(repository, "HEAD", tmp_path / "against") == version


def test_an_unknown_reference_is_reported(repository: Path, tmp_path: Path):
    with pytest.raises(former.BuildFailed, match="git knows no commit 'v9' in .*git log --oneline"):
        former.build(repository, "v9", tmp_path / "against")


def test_a_version_that_cannot_be_built_says_why_and_is_not_kept(repository: Path, tmp_path: Path):
    (repository / "pyproject.toml").write_text(PYPROJECT.replace("setuptools.build_meta", "absent_backend"))
    git(repository, "commit", "--quiet", "--all", "-m", "Break it")
    for _ in range(2):
        with pytest.raises(former.BuildFailed, match="(?s)cannot build in .*make build.*absent_backend"):
            former.build(repository, "HEAD", tmp_path / "against")


BENCH = """
from typing import NamedTuple, Callable

class Reading(NamedTuple):
    ratio: float
    own: float
    yardstick: float

class Unavailable(Exception):
    pass

class Case(NamedTuple):
    name: str
    measure: Callable
    unit: str

def absent():
    raise Unavailable("no browser")

def cases():
    print("a case may print")
    return [
        Case("probe", lambda: Reading(2.0, 4.0, 2.0), "ms"), Case("none", absent, "ms"), Case("old", lambda:
        3.0, "s"), Case("seconds", lambda: Reading(2.0, 4.0, 2.0), "s"), Case("broken", lambda: 1 / 0, "ms"),
    ]
"""


@pytest.fixture
def side(tmp_path: Path) -> against.Side:
    """A version with benchmarks of its own."""
    package = tmp_path / "version" / "benchmarks"
    package.mkdir(parents=True)
    package.with_name("scripts").symlink_to(against.CHECKOUT / "scripts")
    (package / "__init__.py").touch()
    (package / "bench_probe.py").write_text(BENCH)
    version = former.Version("v1", Path(sys.executable), package.parent)
    return against.Side(version, version.checkout)


def test_a_worker_measures_with_the_benchmarks_of_a_version(side: against.Side):
    assert side.measure("probe", CASE) == Reading(2.0, 4.0, 2.0)


@pytest.mark.parametrize(
    ("file", "name", "reason"),
    [
        ("probe", "none", "no browser"),
        ("probe", "old", "its benchmarks give no cost and yardstick"),
        ("probe", "seconds", "its unit is s, not ms"),
        ("probe", "broken", "ZeroDivisionError: division by zero"),
        ("probe", "new", "it has no such case"),
        ("other", "probe", "ModuleNotFoundError: No module named 'benchmarks.bench_other'"),
    ],
)
def test_a_worker_says_why_it_cannot_measure(side: against.Side, file: str, name: str, reason: str):
    with pytest.raises(against.NotMeasured) as problem:
        side.measure(file, CASE._replace(name=name))
    assert str(problem.value) == reason


def test_cases_of_the_other_version_alone_are_listed(side: against.Side):
    names = against.missing_cases([("probe", CASE), ("other", CASE)], side)
    assert names == ["none", "old", "seconds", "broken"]


def test_the_benchmarks_of_this_version_measure_the_other_one(tmp_path: Path, side: against.Side):
    this = former.present(against.CHECKOUT)
    _, other, itself = against.sides(this, side.version, tmp_path / "overlay")
    assert [path.name for path in other.benchmarks.iterdir()] == ["benchmarks"]
    assert "probe" not in other.ask("ranges")["names"]
    assert itself.ask("probe")["names"][0] == "probe"


class FakeSide:
    """Costs by turn; an exception is raised."""

    def __init__(self, order: list[str], title: str, costs: list[float | Exception]) -> None:
        self._order, self._costs = order, iter(costs)
        self.version = former.Version(title, Path(), Path())

    def measure(self, file: str, case: Case) -> Reading:
        self._order.append(self.version.title)
        cost = next(self._costs)
        if isinstance(cost, Exception):
            raise cost
        return Reading(cost / 10, cost, 10.0)


ABSENT = against.NotMeasured("ImportError: no wheels")


def compared(
    this: list[float | Exception],
    other: list[float | Exception],
    itself: list[float | Exception],
    rounds: int,
) -> tuple[against.Comparison, list[str]]:
    order: list[str] = []
    parties = tuple(
        FakeSide(order, title, costs)
        for title, costs in (("this", this), ("v1", other), ("v1 alone", itself))
    )
    return against.compare_case("probe", CASE, parties, rounds), order  # type: ignore[arg-type]


def test_versions_are_measured_by_turns():
    comparison, order = compared([3.0, 2.0, 8.0], [1.0, 2.0, 2.0], [], rounds=3)
    assert order == ["v1", "this", "this", "v1", "v1", "this"]
    assert comparison.ratios == [3.0, 1.0, 4.0]
    assert (comparison.ratio, comparison.machine) == (3.0, 1.0)
    assert (comparison.exceeds(2.9), comparison.exceeds(3.0), comparison.exceeds(None)) == (
        True,
        False,
        False,
    )
    cells = comparison.row(2.9)
    assert cells == ["probe", "3.000", "1.000 to 4.000", "3 ms", "2 ms", "1.00", "ABOVE"]


def test_its_own_benchmarks_measure_a_version_that_ours_cannot():
    comparison, order = compared([3.0, 3.0], [ABSENT], [2.0, 2.0], rounds=2)
    assert comparison.ratio == 1.5
    assert comparison.note == "measured by the benchmarks of v1"
    assert order == ["v1", "v1 alone", "this", "this", "v1 alone"]


@pytest.mark.parametrize(
    ("this", "other", "itself", "note"),
    [
        ([1.0], [ABSENT], [against.NotMeasured("it has no such case")], "in v1: ImportError: no wheels"),
        ([against.NotMeasured("no browser")], [1.0], [], "no browser"),
    ],
)
def test_what_cannot_be_compared_is_said(
    this: list[float | Exception], other: list[float | Exception], itself: list[float | Exception], note: str
):
    comparison, _ = compared(this, other, itself, rounds=1)
    assert comparison.row(1.0) == ["probe", "-", "", "", "", "", f"not compared: {note}"]
    assert not comparison.exceeds(0.1)


def test_costs_of_zero_are_equal():
    comparison, _ = compared([0.0, 1.0], [0.0, 0.0], [], rounds=2)
    assert comparison.ratios == [1.0, float("inf")]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, side: against.Side) -> Iterator[against.Side]:
    """Both versions have fixed costs: 3 ms and 2 ms."""
    pair = (Reading(3.0, 3.0, 1.0), Reading(2.0, 2.0, 1.0))
    monkeypatch.setattr(against, "compare_case", lambda *_: against.Comparison(CASE, (pair,)))
    return side


@pytest.mark.parametrize(("threshold", "code"), [(None, 0), (1.5, 0), (1.4, 1)])
def test_a_case_above_the_threshold_is_exit_code_1(
    measured: against.Side, capsys: pytest.CaptureFixture[str], threshold: float | None, code: int
):
    args = Namespace(against="v1", threshold=threshold, rounds=1, json=False)
    assert against.compare_versions([("probe", CASE)], args, lambda *_: measured.version) == code
    header, row, *only = capsys.readouterr().out.splitlines()
    assert header.split() == ["benchmark", "this/v1", "spread", "this", "v1", "machine"]
    assert row.split()[:2] == ["probe", "1.500"]
    assert ("ABOVE" in row) == bool(code)
    assert only[0] == "only in v1: none"


def test_json_holds_the_costs_of_both(measured: against.Side, capsys: pytest.CaptureFixture[str]):
    args = Namespace(against="v1", threshold=None, rounds=1, json=True)
    against.compare_versions([("probe", CASE)], args, lambda *_: measured.version)
    row = json.loads(capsys.readouterr().out)["benchmarks"][0]
    assert (row["ratio"], row["this"], row["ref"], row["above"]) == (1.5, [3.0], [2.0], False)


def test_a_version_that_cannot_be_built_is_exit_code_2(capsys: pytest.CaptureFixture[str]):
    args = Namespace(against="no-such-reference", threshold=None, rounds=1, json=False)
    assert against.compare_versions([], args) == 2
    assert "error: git knows no commit 'no-such-reference'" in capsys.readouterr().err
