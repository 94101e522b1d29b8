"""The command line itself: finding verbs, exit codes, messages."""

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import ModuleType

import pytest

from wbridge import main as command_line
from wbridge.failures import InputError, RunError
from wbridge.main import main, verbs


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A command `probe` whose outcome the test decides by setting `run`."""
    module = ModuleType("wbridge.commands.probe")
    module.HELP = "a command for tests"
    module.add_arguments = lambda parser: parser.add_argument("--number", type=int, default=0)
    module.run = lambda args: args.number
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(command_line, "verbs", lambda: ["check", "probe"])
    return module


def raising(error: BaseException):
    def run(args: Namespace) -> int:
        raise error

    return run


def test_every_command_file_is_a_verb():
    assert {"check", "devices"} <= set(verbs())


def test_each_command_has_a_one_line_help_and_its_two_functions():
    for name in verbs():
        module = __import__(f"wbridge.commands.{name}", fromlist=["HELP"])
        assert module.HELP and "\n" not in module.HELP, name
        module.add_arguments(ArgumentParser())
        assert callable(module.run), name


def test_the_exit_code_is_the_command_s(verb: ModuleType):
    assert main(["probe", "--number", "1"]) == 1
    assert main(["probe"]) == 0


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("no such robot"), 2, "wbridge: no such robot\n"),
        (RunError("it fell over"), 1, "wbridge: it fell over\n"),
        (KeyboardInterrupt(), 130, "wbridge: interrupted\n"),
    ],
)
def test_failures_are_one_line_and_an_exit_code(verb, capsys, error, code, message):
    verb.run = raising(error)
    assert main(["probe"]) == code
    assert capsys.readouterr() == ("", message)


def test_a_wrong_verb_names_the_nearest(verb: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert main(["prob"]) == 2
    assert capsys.readouterr().err == (
        "wbridge: unknown command 'prob'; did you mean 'probe'?; known commands: check, probe\n"
    )


def test_a_path_is_never_taken_for_a_verb(capsys: pytest.CaptureFixture[str]):
    assert main(["../main"]) == 2
    assert "unknown command" in capsys.readouterr().err


def test_a_wrong_argument_is_a_usage_error(verb: ModuleType, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main(["probe", "--number", "many"])
    assert stop.value.code == 2
    assert "--number" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["run"], ["run", "a.wbt", "--durration", "3"], ["grade"]])
def test_errors_do_not_hide_behind_a_long_usage(words: list[str], capsys: pytest.CaptureFixture[str]):
    """`wbridge run` has 40 options; its usage alone would fill a terminal."""
    with pytest.raises(SystemExit):
        main(words)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(f"usage: wbridge {words[0]} [OPTIONS] ")
    assert lines[1] == f"all options: wbridge {words[0]} --help"


@pytest.mark.parametrize("words", [["--quiet", "probe"], ["probe", "-q"], ["-q", "probe", "--quiet"]])
def test_quiet_is_understood_before_and_after_the_verb(verb: ModuleType, words: list[str]):
    verb.run = lambda args: 7 if args.quiet else 8
    assert main(words) == 7


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n  {name} " in shown for name in verbs())


def test_no_arguments_at_all_is_a_usage_error_that_shows_the_help(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("wbridge 0.")


def test_a_reader_that_goes_away_is_no_traceback():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "wbridge", "--help"],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["probe", "--nubmer", "1"], "unrecognized arguments: --nubmer 1; did you mean '--number'?"),
        (["firmware", "bild"], "did you mean 'build'?"),
        (
            ["firmware", "new", "a.wbt", "--bord", "x"],
            "unrecognized arguments: --bord x; did you mean '--board'?",
        ),
        (["firmware", "build", "--pinz", "x"], "unrecognized arguments: --pinz\n"),
        (["firmware"], "allowed: board, build, emulate, flash, monitor, new, test, verify, wiring"),
    ],
)
def test_the_nearest_argument_is_named(
    arguments: list[str],
    said: str,
    verb: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(command_line, "verbs", lambda: ["check", "firmware", "probe"])
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
