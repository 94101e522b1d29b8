"""`wbridge check`: what it reads, what it prints, its exit codes."""

import json
import os
from pathlib import Path

import pytest

from wbridge.main import main

GOOD = "#VRML_SIM R2023b utf8\nWorldInfo {\n}\nViewpoint {\n}\n"
BAD = GOOD + "Robot {\n  colour 1\n  name 3\n}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with `good.wbt`, and `bad.wbt` that has an error and a warning."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.wbt").write_text(GOOD)
    (tmp_path / "bad.wbt").write_text(BAD)
    return tmp_path


def test_a_good_world_is_one_line_and_code_0(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "good.wbt"]) == 0
    assert capsys.readouterr() == ("good.wbt: 0 errors, 0 warnings\n", "")


def test_what_macos_keeps_beside_a_world_is_none(folder: Path, capsys: pytest.CaptureFixture[str]):
    """AppleDouble files (RFC 1740) are binary and have the world's ending."""
    (folder / "bad.wbt").unlink()
    (folder / "._good.wbt").write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X")
    assert main(["check", str(folder)]) == 0
    assert "._good" not in capsys.readouterr().out


def test_findings_have_their_place_errors_before_warnings(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "bad.wbt"]) == 2
    first, second, summary = capsys.readouterr().out.splitlines()
    assert first.startswith("bad.wbt:8:8: error: ")
    assert second.startswith("bad.wbt:7:3: warning: ")
    assert summary == "bad.wbt: 1 error, 1 warning"


def test_several_worlds_end_with_a_total(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "good.wbt", "bad.wbt"]) == 2
    assert capsys.readouterr().err == "2 files, 1 without errors: 1 error, 1 warning\n"


def test_quiet_prints_errors_only(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--quiet", "good.wbt", "bad.wbt"]) == 2
    captured = capsys.readouterr()
    assert [line[:16] for line in captured.out.splitlines()] == ["bad.wbt:8:8: err"]
    assert captured.err == ""


def test_json_holds_every_finding_of_every_file(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--json", "good.wbt", "bad.wbt"]) == 2
    captured = capsys.readouterr()
    good, bad = json.loads(captured.out)["files"]
    assert good == {"file": "good.wbt", "errors": [], "warnings": [], "dropped": 0, "printed": []}
    assert (bad["errors"][0]["line"], bad["errors"][0]["column"]) == (8, 8)
    assert bad["warnings"][0]["code"] == "unknown-field"
    assert captured.err == ""


def test_a_folder_stands_for_all_worlds_and_protos_below_it(folder: Path, capsys: pytest.CaptureFixture[str]):
    below = folder / "project" / "protos"
    below.mkdir(parents=True)
    (below / "Thing.proto").write_text("#VRML_SIM R2023b utf8\nPROTO Thing [\n]\n{\n  Solid {\n  }\n}\n")
    (below.parent / "one.wbt").write_text(GOOD)
    (below.parent / "notes.txt").write_text("not a world")
    assert main(["check", "project"]) == 0
    checked = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert checked == [f"project{os.sep}one.wbt", f"project{os.sep}protos{os.sep}Thing.proto"]


def test_a_file_named_twice_is_checked_once(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "good.wbt", ".", "--allow-missing"]) == 2
    assert capsys.readouterr().out.count("good.wbt:") == 1


@pytest.mark.parametrize(
    ("argument", "message"),
    [("empty", "no .wbt or .proto file"), ("bad.txt", ".wbt"), ("absent.wbt", "absent.wbt")],
)
def test_what_cannot_be_read_is_an_input_error(folder: Path, capsys, argument: str, message: str):
    (folder / "empty").mkdir()
    (folder / "bad.txt").write_text(GOOD)
    assert main(["check", argument]) == 2
    captured = capsys.readouterr()
    assert message in captured.out + captured.err


def test_a_missing_model_is_an_error_unless_stand_ins_are_allowed(folder: Path, capsys):
    (folder / "lacking.wbt").write_text(GOOD + "NobodyHasThisModel {\n}\n")
    assert main(["check", "lacking.wbt"]) == 2
    assert "NobodyHasThisModel" in capsys.readouterr().out
    assert main(["check", "--allow-missing", "lacking.wbt"]) == 0
    assert "NobodyHasThisModel" in capsys.readouterr().out
