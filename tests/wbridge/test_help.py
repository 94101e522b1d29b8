"""`wbridge help`, `wbridge doctor` and `wbridge completion`, colors and --json."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.colors import RED, colored, highlighted
from wbridge.commands import doctor
from wbridge.completion import commands
from wbridge.completion.scripts import INSTALLATION, SCRIPTS
from wbridge.doctor import checks
from wbridge.doctor.check import Check
from wbridge.main import main, parser_of, verbs
from wbridge.topics import topics
from wbridge.topics.bundled import model_files, model_text
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.schema import schema


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_help_lists_commands_and_topics(capsys: pytest.CaptureFixture[str]):
    text = output(capsys, "help")
    for name in (*verbs(), *topics()):
        assert f"\n  {name} " in text


@pytest.mark.parametrize("topic", topics())
def test_a_topic_has_a_title_and_short_lines(topic: str, capsys: pytest.CaptureFixture[str]):
    title, empty, *lines = output(capsys, "help", topic).splitlines()
    assert title and empty == "" and lines
    assert max(map(len, [title, *lines])) <= 100


def test_help_of_a_command_and_of_its_action_is_that_of_the_option(capsys: pytest.CaptureFixture[str]):
    assert output(capsys, "help", "run") == parser_of("run").format_help()
    assert output(capsys, "help", "firmware", "build") == parser_of("firmware", "build").format_help()


def test_help_of_a_node_lists_its_fields_with_defaults(capsys: pytest.CaptureFixture[str]):
    """The judge is the manual, chapter 3 (LED)."""
    text = output(capsys, "help", "LED")
    assert "color                MFColor     [ 1 0 0 ]" in text
    assert "gradual              SFBool      FALSE" in text


@pytest.mark.parametrize("name", list(schema().names()))
def test_every_node_has_help(name: str, capsys: pytest.CaptureFixture[str]):
    text = output(capsys, "help", name)
    assert text.startswith(name)
    assert " None" not in text and " object at " not in text


@pytest.mark.parametrize("name", ["E-puck", "WoodenBox", "TexturedBackground", "Asphalt"])
def test_help_of_a_model_lists_what_its_file_declares(name: str, capsys: pytest.CaptureFixture[str]):
    """Judge: the lines `field` of the file."""
    (file,) = (CHECKOUT / "protos").rglob(f"{name}.proto")
    text = file.read_text()
    declared = re.findall(r"^ +(?:vrmlField|field) +(\w+)(?: *\{[^}]*\})? +(\w+)", text, re.MULTILINE)
    what = text.splitlines()[2].removeprefix("# ").split(".")[0]
    said = output(capsys, "help", name.lower())
    assert what in said and declared
    for kind, field in declared:
        assert re.search(rf"^{field} +{kind} ", said, re.MULTILINE) or field.startswith("hidden")


def test_every_model_has_help():
    for name in model_files():
        text = model_text(name)
        assert text.startswith(f"{name} (a model") and " object at " not in text


def test_help_lists_the_boards(capsys: pytest.CaptureFixture[str]):
    assert "arduino-uno  " in output(capsys, "help", "boards")


def test_help_explains_a_board(capsys: pytest.CaptureFixture[str]):
    text = output(capsys, "help", "arduino-uno")
    assert (
        text.startswith("arduino-uno: Arduino Uno")
        and "wbridge firmware new WORLD --board arduino-uno" in text
    )


@pytest.mark.parametrize(
    ("name", "first"), [("motor", "Motor"), ("PICO", "pico: "), ("Run", "usage: wbridge run")]
)
def test_capital_letters_of_names_do_not_matter(name: str, first: str, capsys: pytest.CaptureFixture[str]):
    assert output(capsys, "help", name).startswith(first)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["help", "DistanceSensr"], "did you mean 'DistanceSensor'?"),
        (["help", "firmware", "nwe"], "did you mean 'new'?"),
        (["help", "uno"], "no topic 'uno'; did you mean 'arduino-uno'?"),
        (["help", "run", "fast"], "it has no actions"),
        (["firmware", "new", "worlds/arm.wbt", "--board", "uno"], 'did you mean "arduino-uno"?'),
        (["firmware", "board", "mine", "--like", "nano"], 'did you mean "arduino-nano"?'),
        (["hlep"], "did you mean 'help'?"),
    ],
)
def test_wrong_names_get_the_nearest(words: list[str], advice: str, capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "known", "nearest"),
    [
        ("uno", ["nao", "arduino-uno"], "arduino-uno"),
        ("arena", ["are", "epuck_arena"], "epuck_arena"),
        ("UNO", ["arduino-uno"], "arduino-uno"),
        ("epuck", ["e-puck", "epuck_arena"], "epuck_arena"),
        ("translaton", ["rotation", "translation"], "translation"),
    ],
)
def test_a_part_of_a_name_is_nearer_than_similar_letters(name: str, known: list[str], nearest: str):
    assert did_you_mean(name, known) == f"; did you mean '{nearest}'?"


def test_short_parts_do_not_count():
    assert did_you_mean("to", ["way-to-go-far-away"]) == ""


def test_every_command_with_a_result_prints_it_as_json():
    interactive = ("firmware", "test")  # it needs a terminal
    for one in commands():
        if one.actions or one.words == interactive:
            continue
        assert any("--json" in option.names for option in one.options), one.words


@pytest.mark.parametrize("words", [["help", "LED"], ["samples"], ["completion", "bash"]], ids=" ".join)
def test_json_is_one_object(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert isinstance(json.loads(output(capsys, *words, "--json")), dict)


URDF = """<robot name="block"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>
"""


def test_commands_that_write_files_name_them_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "block.urdf").write_text(URDF)
    command = ["convert", str(tmp_path / "block.urdf"), "--output", str(tmp_path), "--json"]
    files = json.loads(output(capsys, *command))["files"]
    assert [Path(one).suffix for one in files] == [".proto"] and Path(files[0]).is_file()
    project = json.loads(output(capsys, "new", str(tmp_path / "mine"), "--json"))
    assert all((tmp_path / "mine" / one).is_file() for one in project["files"])
    sample = json.loads(output(capsys, "samples", "arm", str(tmp_path / "arm"), "--json"))
    assert Path(sample["world"]).is_file() and sample["controllers"] == ["arm"]
    map_file = tmp_path / "map.toml"
    board = [
        "firmware",
        "new",
        str(tmp_path / "arm/worlds/arm.wbt"),
        "--board",
        "pico",
        "--out",
        str(map_file),
    ]
    assert json.loads(output(capsys, *board, "--json")) == {"file": str(map_file)}


def test_the_inputs_of_an_emulator_as_json(capsys: pytest.CaptureFixture[str]):
    result = json.loads(output(capsys, "emulate", "epuck", "--list", "--json"))
    assert result["robot"] == "epuck" and "ps0" in result["values"]


def test_the_doctor_says_that_this_computer_can_simulate(capsys: pytest.CaptureFixture[str]):
    result = json.loads(output(capsys, "doctor", "--json"))
    assert result["can_run"]
    by_name = {one["name"]: one for one in result["checks"]}
    assert by_name["physics engine"]["is_ok"] and by_name["[windows]"]["is_ok"]
    assert all(one["is_ok"] or one["advice"] or one["name"] == "display" for one in result["checks"])


def test_the_doctor_names_the_command_for_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(checks, "requirements", lambda extra: ["websockets>=14.0", f"{extra}>=1"])
    monkeypatch.setattr(checks, "_is_installed", lambda name: name != "websockets")
    assert main(["doctor"]) == 0
    text, advice = capsys.readouterr()
    lines = [line.split() for line in text.splitlines()]
    assert ["missing", "[windows]", "not", "installed:", "websockets"] in lines
    assert "sudo apt install gcc-avr avr-libc" in advice
    assert "[windows]" in advice and "pip install" in advice
    assert "can run simulations; try: wbridge demo" in advice


def test_the_doctor_fails_if_simulations_cannot_run(monkeypatch: pytest.MonkeyPatch):
    broken = Check("physics engine", "simulation", False, "cannot be loaded", "make build", is_needed=True)
    monkeypatch.setattr(doctor, "all_checks", lambda: [Check("wbridge", "", True, "1"), broken])
    assert main(["doctor", "--quiet"]) == doctor.FAILED


def test_the_extras_of_the_doctor_are_those_of_the_distribution():
    from tests.project.files import CHECKOUT

    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    assert set(checks.EXTRAS) == set(project["optional-dependencies"]) - {"dev", "docs"}


COMPLETE = """source {script}
COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 )); _wbridge
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("wbridge sw", ["sweep"]),
        ("wbridge run --mod", ["--mode"]),
        ("wbridge run --mode ''", ["fast", "realtime"]),
        ("wbridge firmware wi", ["wiring"]),
        ("wbridge firmware new --board arduino-u", ["arduino-uno"]),
        ("wbridge samples epu", ["epuck_arena"]),
        ("wbridge completion f", ["fish"]),
        ("wbridge run wor", ["worlds"]),
    ],
)
def test_bash_completes(words: str, expected: list[str], tmp_path: Path):
    (tmp_path / "worlds").mkdir()
    script = tmp_path / "completion.bash"
    script.write_text(SCRIPTS["bash"]() + "\n")
    program = COMPLETE.format(script=script, words=words)
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (expected, "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_accept_their_scripts(shell: str, tmp_path: Path):
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell]() + "\n")
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_name_every_command_and_option(shell: str):
    text = SCRIPTS[shell]()
    assert shell in INSTALLATION
    for one in commands():
        assert one.words[-1] in text
        for option in one.options:
            for name in option.names:
                assert name.lstrip("-") in text


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "variables", "is_colored"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colors_are_for_terminals(
    stream: io.StringIO, variables: dict[str, str], is_colored: bool, monkeypatch: pytest.MonkeyPatch
):
    """The judge is https://no-color.org: NO_COLOR counts when it is not empty."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (colored("x", RED, stream) == "\x1b[1;31mx\x1b[0m") is is_colored
    finding = "a.wbt:1:2: error: wrong"
    assert (highlighted(finding, stream) != finding) is is_colored


def test_every_command_is_importable_for_help():
    assert all(import_module(f"wbridge.commands.{verb}").HELP for verb in verbs())
