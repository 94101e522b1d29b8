"""`wbridge samples`, `wbridge new` and `wbridge demo`: from nothing to a running robot."""

from __future__ import annotations

import json
import logging
import sys
import sysconfig
import webbrowser
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.main import main
from wbridge.projects.empty_project import WORLD
from wbridge.projects.samples import Sample, samples
from wbridge.running.browser import open_page
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import load_world

SAMPLES = samples()


def test_samples_lists_every_sample_world_in_one_line_each(capsys: pytest.CaptureFixture[str]):
    assert main(["samples"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(one.stem for one in CHECKOUT.glob("worlds/*.wbt"))
    assert all(line.endswith(".") for line in lines), "each has a sentence"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_a_copied_sample_has_all_that_its_world_names(sample: Sample, tmp_path: Path):
    assert main(["samples", sample.name, str(tmp_path / "copy"), "--quiet"]) == 0
    world = load_checked(tmp_path / "copy" / "worlds" / f"{sample.name}.wbt")
    assert [*world.report.errors, *world.report.warnings] == []
    for node in world.walk():
        for field, folder in (("controller", "controllers"), ("window", "plugins/robot_windows")):
            name = node.get(field) if field in node.spec.fields else ""
            if name and (CHECKOUT / folder / name).is_dir():
                assert any((tmp_path / "copy" / folder / name).iterdir())


def test_a_copied_sample_has_its_textures(tmp_path: Path):
    assert main(["samples", "line_following", str(tmp_path), "--quiet"]) == 0
    assert (tmp_path / "worlds" / "textures" / "oval_line.png").is_file()


def test_a_copied_sample_moves_as_the_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The judge is the state hash of the same run in the checkout."""
    hashes = []
    assert main(["samples", "nao", str(tmp_path), "--quiet"]) == 0
    for project in (CHECKOUT, tmp_path):
        capsys.readouterr()
        assert main(["run", str(project / "worlds" / "nao.wbt"), "--steps", "20", "--json", "--inline"]) == 0
        hashes.append(json.loads(capsys.readouterr().out)["hash"])
    assert hashes[0] == hashes[1]


def test_a_copy_overwrites_nothing(tmp_path: Path):
    assert main(["samples", "arm", str(tmp_path), "--quiet"]) == 0
    own = tmp_path / "worlds" / "arm.wbt"
    own.write_text("mine")
    assert main(["samples", "arm", str(tmp_path)]) == 2
    assert own.read_text() == "mine"
    assert main(["samples", "car", str(tmp_path), "--quiet"]) == 0, "another sample may be added"


def test_an_unknown_sample_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]):
    assert main(["samples", "epuck_arean"]) == 2
    assert "did you mean 'epuck_arena'?; list all samples with: wbridge samples" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["new"], ["samples", "arm"]], ids=" ".join)
def test_nothing_is_written_into_installed_packages(command: list[str], capsys: pytest.CaptureFixture[str]):
    folder = Path(sysconfig.get_path("purelib"), "my_project")
    assert main([*command, str(folder)]) == 2
    assert "installed packages" in capsys.readouterr().err and not folder.exists()


def test_a_new_project_runs_without_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "my project"
    assert main(["new", str(folder)]) == 0
    written = capsys.readouterr().out.splitlines()
    assert sorted(written) == sorted(str(one) for one in folder.rglob("*") if one.is_file())
    assert "# my project" in (folder / "README.md").read_text()
    world = str(folder / WORLD)
    assert main(["check", world]) == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out
    run = ["run", world, "--duration", "6", "--json", "--inline", "--fail-on-controller-error"]
    assert main(run) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["findings"], result["physics_warnings"]) == ([], [])


def test_the_new_controller_drives_and_turns_away_from_the_box(tmp_path: Path):
    from wbridge.wbcore.controllers.runner import Runner, RunOptions

    assert main(["new", str(tmp_path), "--quiet"]) == 0
    with Runner(load_world(tmp_path / WORLD), RunOptions(inline=True)) as runner:
        robot, box = runner.simulation.node("ROBOT"), runner.simulation.node("BOX")
        place = box.translation.copy()
        start = robot.translation.copy()
        runner.limit = 600
        runner.run()
        assert float(abs(robot.translation - start).sum()) > 0.1
        assert float(abs(box.translation - place).max()) < 1e-3, "the box has not been pushed"


@pytest.mark.parametrize("there", ["notes.txt", "worlds/arena.wbt"])
def test_new_refuses_a_folder_with_files(there: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("mine")
    assert main(["new", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert Path(there).parts[0] in message and "does not exist yet" in message
    assert [one.read_text() for one in tmp_path.rglob("*") if one.is_file()] == ["mine"]


def test_new_accepts_a_folder_that_git_has_created(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    assert main(["new", str(tmp_path), "--quiet"]) == 0


def test_type_checkers_know_the_classes_in_a_new_project(tmp_path: Path):
    """With the paths of the editor's settings; the judge is mypy."""
    assert main(["new", str(tmp_path), "--quiet"]) == 0
    settings = json.loads((tmp_path / ".vscode" / "settings.json").read_text())
    assert settings["python.defaultInterpreterPath"] == sys.executable
    (stubs,) = settings["python.analysis.extraPaths"]
    assert Path(stubs, "controller", "py.typed").is_file()


def test_demo_runs_a_sample_and_says_where_its_page_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert main(["demo", "two_wheels", "--duration", "0.1"]) == 0
    text = capsys.readouterr().err
    assert "view: http://127.0.0.1:" in text
    assert "this machine has no display; open the address above in a browser" in text
    assert "ssh -L " in text


def test_a_page_opens_where_a_display_is(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    with caplog.at_level(logging.INFO):
        open_page("http://127.0.0.1:8765/")
    assert opened == ["http://127.0.0.1:8765/"] and caplog.text == ""


def test_a_browser_that_does_not_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    with caplog.at_level(logging.INFO):
        open_page("http://127.0.0.1:8765/")
    assert "no browser could be started" in caplog.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["samples", "epuk"], "did you mean 'epuck_arena'?"),
        (["run", "epuck_arena.wbt"], "to work on the sample of this name: wbridge samples epuck_arena"),
        (["run", "nothing.wbt"], "nothing.wbt: no such file; sample worlds: wbridge samples, a new project"),
        (["samples", "nothing"], "no sample 'nothing'; list all"),
    ],
)
def test_names_that_are_nearly_samples_are_explained(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert said in capsys.readouterr().err
