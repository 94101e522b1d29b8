"""Tests that run under Wine are counted, and left out for reasons that stand in a list.

Judge: what the tests do.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.windows.library import class_definitions, class_forwards, definitions, forwards
from scripts.windows.listed import BEGUN, ENDED, REASONS, RESULTS, START, reason_for
from scripts.windows.suite import Outcome, outcomes, share, table
from tests.project.files import CHECKOUT

TESTS = f"""
import os
import pytest

def test_passes(): pass
def test_fails(): assert 1 == 2
@pytest.fixture
def broken(): raise OSError
def test_cannot_begin(broken): pass
@pytest.mark.skip(reason="{START}pseudo terminals")
def test_is_left_out(): pass
def test_ends_its_process(): os._exit(1)
def test_is_skipped(): pytest.skip("no tool")
def test_reads_lines(capfd):
    os.write(1, b"a\\r\\nb\\n")
    os.write(2, b"c\\r\\n")
    assert capfd.readouterr() == ("a\\nb\\n", "c\\n")
"""


def written(folder: Path, text: str = TESTS) -> list[str]:
    """What is written about tests; a second call goes on behind the last test of the first."""
    (folder / "test_a.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "scripts.windows.listed"]
    variables = {**os.environ, RESULTS: str(folder / "out"), "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([*command, "test_a.py"], cwd=folder, env=variables, capture_output=True, check=False)
    return (folder / "out").read_text().splitlines()


def test_outcomes_are_written_and_a_second_process_goes_on_behind_a_lost_one(tmp_path: Path):
    assert json.loads(written(tmp_path)[-1])[1] == BEGUN
    lines = written(tmp_path)
    assert json.loads(lines[-1])[1] == ENDED
    results = {each.name: each for each in outcomes(lines)}
    assert {name: result.kind for name, result in results.items()} == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_cannot_begin": "failed",
        "test_is_left_out": "left out",
        "test_ends_its_process": "failed",
        "test_is_skipped": "skipped",
        "test_reads_lines": "passed",
    }
    assert "assert 1 == 2" in results["test_fails"].text


def test_a_file_that_cannot_be_imported_is_a_failure(tmp_path: Path):
    (result,) = outcomes(written(tmp_path, "import no_such_module"))
    assert (result.place, result.kind) == ("test_a.py", "failed")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"passed": 9, "failed": 1}, 0.9),
        ({"passed": 8, "left out": 1, "skipped": 1}, 0.9),
        ({}, 0.0),
    ],
)
def test_a_skip_without_a_reason_in_the_list_counts_as_a_failure(counts: dict[str, int], expected: float):
    assert share(Counter(counts)) == expected


def test_the_table_has_a_row_for_each_folder_and_the_sum():
    found = [
        Outcome("tests/scene/test_a.py", "test_b", "passed", ""),
        Outcome("tests/scene/test_a.py", "TestC::test_d", "failed", ""),
        Outcome("tests/hal/test_e.py", "", "failed", "not imported"),
    ]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(found).splitlines()]
    assert rows[2:] == [
        ["tests/scene", "1", "1", "0", "0", "50.0%"],
        ["tests/hal", "0", "1", "0", "0", "0.0%"],
        ["all", "1", "2", "0", "0", "33.3%"],
    ]


def test_a_test_is_left_out_by_its_file_or_its_name():
    reasons = {"signals": ["tests/a/test_b.py::test_c", "tests/d/"]}
    assert reason_for("tests/a/test_b.py::test_c[1]", reasons) == "signals"
    assert reason_for("tests/d/test_e.py::test_f", reasons) == "signals"
    assert reason_for("tests/a/test_b.py::test_g", reasons) == ""


def test_the_list_names_tests_that_exist():
    for start in (start for starts in REASONS.values() for start in starts):
        file, _, name = start.partition("::")
        assert (CHECKOUT / file).exists(), start
        assert not name or f"def {name.partition('[')[0]}" in (CHECKOUT / file).read_text("utf-8"), start


def test_the_library_of_controllers_exports_the_api_alone():
    """Judge: what nm prints (its manual), and what linkers for Windows read (module definition files)."""
    symbols = "00 T wb_robot_init\n10 T helper\n20 t wb_local\n\na.o:\n00 D wbr_robots\n30 B wbu_b\n"
    lines = definitions(symbols).splitlines()
    assert lines == ["LIBRARY Controller.dll", "EXPORTS", "wb_robot_init", "wbr_robots", "wbu_b"]
    exports = "EXPORTS\nwb_robot_init\nwbu_car_init\nwbu_driver_step\n"
    lines = forwards("driver.dll", exports).splitlines()
    assert lines == ["LIBRARY driver.dll", "EXPORTS", "wbu_driver_step = Controller.wbu_driver_step"]


def test_the_library_of_classes_exports_them_as_programs_of_webots_name_them():
    """Judge: names in programs for Windows that others have published, and what linkers read."""
    name = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
    symbols = "00 T _ZNK6webots5Robot11createMotorEt\n10 t _ZN6webots5local\n20 T _ZSt4move\n"
    symbols += "30 T _ZN6webots3Car10getTypeEv\n40 V _ZTVN6webots3CarE\n50 T _ZN6webots10SupervisorD1Ev\n"
    lines = class_definitions(symbols).splitlines()
    assert lines == [
        "LIBRARY CppController.dll",
        "EXPORTS",
        "_ZN6webots10SupervisorD1Ev",
        "_ZN6webots3Car10getTypeEv",
        "_ZNK6webots5Robot11createMotorEt",
        "_ZTVN6webots3CarE",
        f"_ZNK6webots5Robot11createMotorE{name} = _ZNK6webots5Robot11createMotorEt",
        "_ZN6webots10SupervisorD2Ev = _ZN6webots10SupervisorD1Ev",
    ]
    for each in class_forwards("CppCar.dll", "\n".join(lines)).splitlines()[2:]:
        assert each.split(" = CppController.")[0] in ("_ZN6webots3Car10getTypeEv", "_ZTVN6webots3CarE")
