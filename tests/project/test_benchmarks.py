"""The benchmark runner: its table, its verdicts, its exit codes."""

import json
import sys
from functools import partial
from types import ModuleType

import pytest

from benchmarks import __main__ as runner
from benchmarks.case import Case, Reading, Unavailable, alternate, best_seconds, compare, fastest, of_turns

UNITS = {"ns", "us", "ms", "s", "MB", "steps"}


def unavailable() -> Reading:
    raise Unavailable("no such robot here")


def case(name: str, own: float, limit: float) -> Case:
    return Case(name, lambda: compare(own, 2.0), limit, "s", "a loop")


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A benchmark file `bench_probe` with one case that holds and one that cannot be measured."""
    module = ModuleType("benchmarks.bench_probe")
    module.cases = lambda: [case("low", 3.0, 2.0), Case("none", unavailable, 1.0, "s", "a loop")]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(runner, "names", lambda: ["probe"])
    return module


def test_the_table_shows_ratio_limit_verdict_and_what_was_measured(
    probe: ModuleType, capsys: pytest.CaptureFixture[str]
):
    assert runner.main([]) == 0
    assert [line.split(maxsplit=5) for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["low", "1.5", "<=", "2", "pass", "3 s; a loop: 2 s"],
        ["none", "-", "<=", "1", "absent", "no such robot here"],
    ]


@pytest.mark.parametrize(("own", "code"), [(4.0, 0), (4.1, 1)])
def test_a_limit_that_does_not_hold_is_exit_code_1(probe: ModuleType, own: float, code: int):
    probe.cases = lambda: [case("x", own, 2.0)]
    assert runner.main(["probe"]) == code


def test_a_case_that_breaks_fails_and_the_others_still_run(
    probe: ModuleType, capsys: pytest.CaptureFixture[str]
):
    broken_case = Case("broken", lambda: compare(1.0, 0.0), 2.0, "s", "a loop")
    probe.cases = lambda: [broken_case, case("low", 3.0, 2.0)]
    assert runner.main([]) == 1
    broken, low = capsys.readouterr().out.splitlines()[1:]
    assert "FAIL  ZeroDivisionError" in broken
    assert "pass" in low


def test_json_holds_what_the_table_shows(probe: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert runner.main(["--json"]) == 0
    low, none = json.loads(capsys.readouterr().out)["benchmarks"]
    assert (low["ratio"], low["limit"], low["verdict"]) == (1.5, 2.0, "pass")
    assert (low["own"], low["unit"], low["yardstick"], low["yardstick_cost"]) == (3.0, "s", "a loop", 2.0)
    assert (none["ratio"], none["verdict"]) == (None, "absent")


def test_a_wrong_name_is_a_usage_error(probe: ModuleType, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        runner.main(["prob"])
    assert stop.value.code == 2
    assert "unknown benchmark prob; available: probe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--threshold", "1.1"], "--threshold needs --against, and a ratio above 0"),
        (["--against", "main", "--threshold", "0"], "--threshold needs --against, and a ratio above 0"),
        (["--against", "main", "--rounds", "0"], "--rounds needs a number of at least 1"),
    ],
)
def test_wrong_options_are_usage_errors(
    probe: ModuleType, capsys: pytest.CaptureFixture[str], options: list[str], message: str
):
    with pytest.raises(SystemExit) as stop:
        runner.main(options)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def all_cases() -> list[Case]:
    files = runner.names()
    assert "scene" in files
    return [case for _, case in runner.cases_of(files)]


def test_every_case_has_a_name_of_its_own():
    cases = all_cases()
    assert len({case.name for case in cases}) == len(cases)


def test_every_case_is_a_ratio_to_a_yardstick():
    """A limit in seconds fails on slow machines and proves nothing on fast ones."""
    for case in all_cases():
        function = case.measure.func if isinstance(case.measure, partial) else case.measure
        assert function.__annotations__["return"] == "Reading", case.name
        assert case.yardstick, case.name
        assert case.unit in UNITS, case.name


def test_a_reading_is_the_median_of_turns():
    # Costs in seconds of two steps, the yardstick's of one: 1, 2 and 4 times that of the yardstick per step.
    turns = [(2.0, 1.0), (8.0, 2.0), (0.8, 0.1)]
    assert of_turns(turns, per=2.0, yardstick_per=1.0) == pytest.approx(Reading(2.0, 1.0, 1.0))


def test_the_fastest_turns_are_compared():
    own, yardstick = iter([9.0, 4.0, 2.0, 8.0]), iter([1.0, 6.0, 5.0, 1.0])
    reading = fastest(partial(next, own), partial(next, yardstick), 3, per=2.0)
    assert reading == Reading(2.0, 1.0, 0.5)


def test_turns_alternate_after_one_of_each():
    order = []

    def turn(name: str) -> float:
        order.append(name)
        return 1.0

    assert alternate(partial(turn, "own"), partial(turn, "yardstick"), 3) == Reading(1.0, 1.0, 1.0)
    assert order == ["own", "yardstick", "yardstick", "own", "own", "yardstick", "yardstick", "own"]


def test_the_best_of_several_runs_counts(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    assert best_seconds(lambda: None, repeats=3) == 2.0
