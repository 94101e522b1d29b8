"""`wbridge run`: what it says, what it writes, how it fails."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.physics.worlds import FLOOR, NEW, box
from wbridge.main import main

LIGHT = "mass 1 density -1"
BODY = f"WorldInfo {{ basicTimeStep 8 }}\nViewpoint {{ }}\n{FLOOR}" + box(
    "A", "translation 0 0 2", physics=LIGHT
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "test.wbt"
    file.write_text(NEW + BODY, encoding="utf-8")
    return file


def run(path: Path, *options: str) -> int:
    return main(["run", str(path), "--no-controllers", *options])


def test_it_says_what_was_chosen_and_what_came_out(path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(path, "--duration", "0.8", "--seed", "5") == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[0].endswith("100 steps of 8 ms, seed 5, no controllers; 0 robots, 1 moving body")
    assert out.startswith("0.8 s simulated in ")
    assert " times real time; state hash " in out


def test_the_hash_is_that_of_the_api(path: Path, capsys: pytest.CaptureFixture[str]):
    from wbridge.wbcore import Simulation

    run(path, "--steps", "77")
    simulation = Simulation(path)
    simulation.step(77)
    assert capsys.readouterr().out.split()[-1] == simulation.hash()


def test_ten_seconds_are_the_default(path: Path, capsys: pytest.CaptureFixture[str]):
    run(path)
    assert capsys.readouterr().out.startswith("10 s simulated")


def test_json_is_one_object(path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(path, "--steps", "10", "--json") == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["steps"], result["time"], result["step_ms"], result["findings"]) == (10, 0.08, 8, [])
    assert len(result["hash"]) == 16
    assert err == ""


def test_what_is_doubtful_in_the_text_of_the_world_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Their number with the command that lists them, one line of each kind; and all of it in JSON."""
    monkeypatch.chdir(path.parent)
    start = f"{NEW}{BODY}".count("\n") + 1
    wrong = "".join(f'Solid {{ name "{number}" nane "x" }}\n' for number in range(12))
    Path("my test.wbt").write_text(NEW + BODY + wrong, encoding="utf-8")
    assert run(Path("my test.wbt"), "--steps", "1") == 0
    count, _, kind = capsys.readouterr().err.splitlines()
    assert count == "my test.wbt: 12 warnings; for details: wbridge check 'my test.wbt'"
    first = f"my test.wbt:{start}:18: warning: Solid has no field 'nane'; ignored; did you mean 'name'?"
    assert kind == f"{first} (and 11 more of this kind)"
    assert run(Path("my test.wbt"), "--steps", "1", "--json", "--quiet") == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [one["line"] for one in found] == list(range(start, start + 12))


def test_what_templates_print_is_said(path: Path, capsys: pytest.CaptureFixture[str]):
    template = "# template language: javascript\nPROTO Odd [ field SFInt32 n 3 ]\n{\n"
    template += "%< if (fields.n.value > 2) console.error('at most 2, please'); >%\nSolid { }\n}\n"
    (path.parent / "Odd.proto").write_text(f"{NEW}{template}", encoding="utf-8")
    path.write_text(f'{NEW}EXTERNPROTO "Odd.proto"\n{BODY}Odd {{ }}\n', encoding="utf-8")
    assert run(path, "--steps", "1") == 0
    assert "Odd: at most 2, please" in capsys.readouterr().err.splitlines()
    assert main(["check", str(path)]) == 0
    assert "Odd: at most 2, please" in capsys.readouterr().out.splitlines()
    assert main(["check", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["printed"] == ["Odd: at most 2, please"]


def test_quiet_says_nothing(path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(path, "--steps", "10", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_a_table_has_a_row_per_step(path: Path, tmp_path: Path):
    target = tmp_path / "poses.csv"
    assert run(path, "--steps", "20", "--record", str(target), "--quiet") == 0
    with target.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["time", *(f"a.{one}" for one in ("x", "y", "z", "qw", "qx", "qy", "qz"))]
    assert len(rows) == 21
    assert [float(one) for one in rows[0]] == [0, 0, 0, 2, 1, 0, 0, 0]
    assert float(rows[20][0]) == 0.16
    assert float(rows[20][3]) == pytest.approx(2 - 9.81 * 0.16 * 0.168 / 2)


def test_an_archive_holds_arrays(path: Path, tmp_path: Path):
    target = tmp_path / "poses.npz"
    assert run(path, "--steps", "20", "--record", str(target), "--quiet") == 0
    with np.load(target) as archive:
        assert archive["names"].tolist() == ["a"]
        assert archive["positions"].shape == (21, 1, 3)
        assert archive["quaternions"].shape == (21, 1, 4)
        assert archive["time"][20] == pytest.approx(0.16)


def test_recording_changes_nothing_about_the_motion(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run(path, "--steps", "200")
    run(path, "--steps", "200", "--record", str(tmp_path / "a.csv"))
    first, second = capsys.readouterr().out.splitlines()
    assert first.split()[-1] == second.split()[-1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--record", "poses.txt"], "a .html, .mcap, .csv or .npz file, for example poses.html"),
        (["--record", ""], "a .html, .mcap, .csv or .npz file, for example trace.html"),
        (["--record", "absent/poses.csv"], "folder absent does not exist"),
        (
            ["--record", "wrlds/of mine/a.csv"],
            "is one; did you mean 'worlds'?); create it: mkdir -p 'wrlds/of mine'",
        ),
        (["--record", "/nowhere/poses.npz"], "folder /nowhere does not exist (/ is one"),
        (["--record", "file/poses.csv"], "file is not a folder"),
        (["--record", "folder.csv"], "it is a folder; name a file in it, for example folder.csv/trace.html"),
        (["--record", f"{'x' * 300}.csv"], "File name too long"),
    ],
)
def test_a_recording_that_cannot_be_written_is_said(
    path: Path,
    options: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    (tmp_path / "worlds").mkdir(exist_ok=True)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    assert run(path, *options) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "cannot record to" in err
    assert "Errno" not in err


@pytest.mark.parametrize(
    "options", [["--duration", "-1"], ["--duration", "x"], ["--steps", "1.5"], ["--seed", "-3"]]
)
def test_numbers_are_checked(path: Path, options: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        run(path, *options)
    assert caught.value.code == 2
    assert options[1] in capsys.readouterr().err


def test_a_world_with_errors_is_refused_with_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "bad.wbt"
    file.write_text(NEW + "Nothing { }", encoding="utf-8")
    assert run(file) == 2
    assert f"{file}:2:1" in capsys.readouterr().err


def test_a_folder_is_answered_with_its_worlds(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "worlds").mkdir()
    for name in "abcdef":
        (tmp_path / "worlds" / f"{name}.wbt").touch()
    assert run(tmp_path) == 2
    said = capsys.readouterr().err
    assert f"; available: {tmp_path}/worlds/a.wbt, " in said
    assert said.rstrip().endswith("e.wbt, ...")


def test_other_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path / "a.txt") == 2
    assert "expected a world (.wbt)" in capsys.readouterr().err


def test_a_breakdown_ends_with_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "fast.wbt"
    file.write_text(
        NEW + "WorldInfo { }" + box("A", "linearVelocity 1e9 0 0", physics=LIGHT), encoding="utf-8"
    )
    assert run(file) == 1
    assert 'A "a" is too far' in capsys.readouterr().err


def test_overlaps_are_warned_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "deep.wbt"
    file.write_text(NEW + FLOOR + box("A", physics=LIGHT), encoding="utf-8")
    assert run(file, "--steps", "1") == 0
    assert 'warning: A "a" overlaps FLOOR "floor" by 0.5 m' in capsys.readouterr().err


def test_overlaps_take_one_line_per_pair_of_objects_and_a_few_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Both feet of each table are in the floor, the deeper one by 0.5 - 0.4 + 0.2 m."""
    feet = "".join(
        f"HingeJoint {{ jointParameters HingeJointParameters {{ anchor {2 * k} 0 0 }} endPoint "
        + box(f"F{k}", f"translation {2 * k} 0 {-0.1 * k}", physics=LIGHT).removeprefix(f"DEF F{k} ")
        + "}\n"
        for k in (1, 2)
    )
    leg = f"physics Physics {{ {LIGHT} }}"
    tables = "".join(
        f'Robot {{ name "t{k}" translation 0 {9 * k} 0.4 children [ {feet} ] {leg} }}\n' for k in range(7)
    )
    file = tmp_path / "tables.wbt"
    file.write_text(NEW + FLOOR + tables, encoding="utf-8")
    assert run(file, "--steps", "1") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if " overlap" in line]
    assert len(lines) == 6
    assert '> Solid "f2" overlaps FLOOR "floor" by 0.3 m' in lines[0]
    assert lines[0].endswith("(and 1 more of their parts)")
    assert lines[5] == f"and 2 more pairs of objects overlap less; all: wbridge run {file} --steps 1 --json"


def test_an_engine_that_is_not_built_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "wbridge.wbcore.simulation", None)
    for module in ("physics_only", "with_controllers"):  # earlier tests may have loaded them
        monkeypatch.delitem(sys.modules, f"wbridge.running.{module}", raising=False)
    assert run(path) == 1
    assert "build it with: make build" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["run", "check", "devices"])
def test_the_nearest_world_is_named(verb: str, path: Path, capsys: pytest.CaptureFixture[str]):
    missing = path.with_name("tset.wbt")
    assert main([verb, str(missing)]) == 2
    assert capsys.readouterr().err == f"wbridge: {missing}: no such file; did you mean '{path}'?\n"
    missing = path.with_name("something_else.wbt")
    assert main([verb, str(missing)]) == 2
    assert capsys.readouterr().err == f"wbridge: {missing}: no such file; available: {path}\n"


def test_pages_of_other_machines_change_no_controllers(path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(path, "--edit-controllers", "--host-windows", "0.0.0.0") == 2
    assert "leave out --host-windows 0.0.0.0" in capsys.readouterr().err
