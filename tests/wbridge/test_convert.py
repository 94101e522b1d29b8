"""`wbridge convert`: its page followed to a robot that moves, its output, and its errors."""

import csv
import sys
from pathlib import Path

import pytest

from tests.project.recipes import files_of
from wbridge.main import main

ROVER = Path(__file__).parents[1] / "importers" / "rover.urdf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_leads_to_a_robot_that_drives(folder: Path, capsys: pytest.CaptureFixture[str]):
    """4 rad/s on wheels of 0.05 m for 5 s: 1 m."""
    for name, text in files_of("convert.md").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert main(["convert", "cart.urdf", "--output", "protos", "--world", "worlds/cart.wbt"]) == 0
    assert capsys.readouterr().out.split() == ["protos/Cart.proto", "worlds/cart.wbt"]
    run = ["run", "worlds/cart.wbt", "--controller", "drive", "--duration", "5", "--inline"]
    assert main(["-q", *run, "--record", "run.csv"]) == 0
    columns, *rows = csv.reader((folder / "run.csv").read_text().splitlines())
    assert float(rows[-1][columns.index("cart.x")]) == pytest.approx(1, rel=0.03)


def test_the_counts_are_on_stderr_and_the_files_on_stdout(capsys: pytest.CaptureFixture[str]):
    assert main(["convert", str(ROVER)]) == 0
    out, err = capsys.readouterr()
    assert out == "Rover.proto\n"
    assert err == "rover: 7 links, 6 moving joints, 6 sensors, 2.84 kg\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nothing.urdf"], "nothing.urdf: no such file"),
        (["."], "is a folder; name a .urdf,"),
        ([str(ROVER), "--world", "x.txt"], "expected a file that ends in .wbt"),
        ([str(ROVER), "--translation", "1 2"], "expected 3 numbers"),
        ([str(ROVER), "--rotation", "0 0 1 x"], "'x' is not a number"),
        ([str(ROVER), "--init-pos", "tilt=no"], "'no' is not a number"),
        ([str(ROVER), "--tool-slot", "heat"], "did you mean 'head'?"),
        ([str(ROVER), "-o", "1st.proto"], "a PROTO cannot be named '1st'"),
        ([str(ROVER), "-o", "Robot.proto"], "a PROTO cannot be named 'Robot'"),
    ],
)
def test_wrong_arguments_are_input_errors(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
):
    assert main(["convert", *arguments]) == 2
    assert problem in capsys.readouterr().err


def test_a_xacro_file_without_the_library_names_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "xacro", None)
    (folder / "arm.urdf.xacro").write_text("<robot name='arm'/>")
    assert main(["convert", "arm.urdf.xacro"]) == 2
    message = capsys.readouterr().err
    assert "pip install xacro" in message and "xacro arm.urdf.xacro -o arm.urdf" in message


@pytest.mark.parametrize(("name", "kind"), [("a.wbt", "a world"), ("a.proto", "a model in Webots' format")])
def test_files_of_webots_need_no_conversion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str
):
    (tmp_path / name).write_text("#VRML_SIM R2025a utf8\n")
    assert main(["convert", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert f"file is {kind}, not a URDF or MJCF file" in said and "wbridge check " in said
