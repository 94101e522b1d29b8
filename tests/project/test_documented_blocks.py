"""Every block of the documentation runs as it is printed, or says why not.

Commands run in a copy of the sample project, page by page; one that several pages show runs once.
"""

from __future__ import annotations

import configparser
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import tomllib

from tests.project.blocks import PAGES, REASONS, SHELL, TESTS, Block, blocks
from tests.project.files import CHECKOUT
from wbridge.main import make_parser, verbs
from wbridge.wbcore.engine.ode_build import plugin_environment

LIMIT_S = 600
"""A guard against commands that do not end."""
FOLDERS = ("controllers", "protos", "motions", "plugins", "firmware_templates")
YOURS = ("names stand for yours", "part of a program")


def where(block: Block) -> str:
    return f"{block.page}:{block.line}"


def runnable(is_slow: bool) -> list[str]:
    """Pages with blocks to run here."""
    return sorted({one.page for one in blocks() if _is_run(one, is_slow)})


def _is_run(block: Block, is_slow: bool) -> bool:
    kinds = (*SHELL, "python")
    return not block.own_test and block.language in kinds and block.reason == ("slow" if is_slow else "")


@pytest.mark.parametrize("block", [one for one in blocks() if one.reason], ids=where)
def test_reasons_are_known(block: Block):
    assert block.reason in REASONS


@pytest.mark.parametrize(
    ("page", "test"), [*PAGES.items(), *((page, file) for (page, _), file in TESTS.items())]
)
def test_pages_with_own_tests_are_named_in_them(page: str, test: str):
    text = (CHECKOUT / test).read_text(encoding="utf-8")
    assert Path(page).name in text


@pytest.mark.parametrize("block", [one for one in blocks() if one.commands], ids=where)
def test_commands_have_known_options_and_samples(block: Block):
    """Also those that are not run."""
    for verb, *arguments in block.commands:
        assert verb in verbs(), verb
        with contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                make_parser(verb, import_module(f"wbridge.commands.{verb}")).parse_args(arguments)
            except SystemExit as end:
                assert end.code in (0, None), f"wbridge {verb} {arguments}: {said.getvalue()}"
        samples = [one for one in arguments if one.startswith("worlds/")]
        if block.reason not in YOURS and not block.own_test:
            assert [one for one in samples if not (CHECKOUT / one).exists()] == []


def options_in_text() -> list[tuple[str, str, str]]:
    """Page, command and option of the calls that sentences name, such as `wbridge run --inline`."""
    hits = []
    for page in sorted((CHECKOUT / "docs").glob("*.md")):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for verb, rest in re.findall(r"`wbridge (\w+)([^`]*)`", text):
            hits += [(page.name, verb, option) for option in re.findall(r"(?<=\s)--[a-z-]+", rest)]
    return sorted(set(hits))


def test_sentences_name_known_options():
    """Those of `wbridge firmware` belong to its own commands."""
    wrong = []
    for page, verb, option in options_in_text():
        if verb != "firmware" and verb in verbs():
            parser = make_parser(verb, import_module(f"wbridge.commands.{verb}"))
            if option not in parser.format_help():
                wrong.append(f"{page}: wbridge {verb} {option}")
    assert wrong == []


@pytest.mark.parametrize("block", [one for one in blocks() if one.language == "python"], ids=where)
def test_python_compiles(block: Block):
    compile(block.text, where(block), "exec")


@pytest.mark.parametrize("block", [one for one in blocks() if one.language == "toml"], ids=where)
def test_toml_is_valid(block: Block):
    assert tomllib.loads(block.text)


@pytest.mark.parametrize("block", [one for one in blocks() if one.language == "ini"], ids=where)
def test_ini_is_valid(block: Block):
    parser = configparser.ConfigParser()
    parser.read_string(block.text)
    assert parser.sections()


@pytest.mark.parametrize(
    "block",
    [one for one in blocks() if one.language in ("c", "cpp") and not (one.own_test or one.reason)],
    ids=where,
)
def test_c_compiles(block: Block, tmp_path: Path):
    source = tmp_path / f"block.{block.language}"
    source.write_text(block.text + "\n", encoding="utf-8")
    compiler = {"c": ["cc", "-std=gnu11"], "cpp": ["c++", "-std=c++17"]}[block.language]
    headers = [f"-I{CHECKOUT / 'libcontroller' / one}" for one in ("include", "cpp/include")]
    command = [*compiler, "-fsyntax-only", "-Wall", *headers, str(source)]
    around = {**os.environ, **plugin_environment()}
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the samples; what commands write beside worlds stays in it."""
    shutil.copytree(
        CHECKOUT / "worlds", tmp_path / "worlds", ignore=shutil.ignore_patterns("firmware*", "*.sweep")
    )
    for name in FOLDERS:
        (tmp_path / name).symlink_to(CHECKOUT / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


_runs: set[str] = set()
"""Blocks that have run in another page."""


def run_blocks(page: str, project: Path, is_slow: bool) -> None:
    """Run the blocks of a page in their order."""
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    around = {**os.environ, "PATH": programs}
    for block in (one for one in blocks() if one.page == page):
        if block.file and not block.own_test:
            (project / block.file).write_text(block.text, encoding="utf-8")
        if not _is_run(block, is_slow) or block.text in _runs:
            continue
        _runs.add(block.text)
        is_python = block.language == "python"
        command = [sys.executable, "-c", block.text] if is_python else ["bash", "-ec", block.text]
        done = subprocess.run(
            command, cwd=project, env=around, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        assert done.returncode == 0, f"{where(block)}\n{done.stdout}{done.stderr}"


# Ten whole programs; test_ten_tasks.py runs one of them and compares what it answers.
TEN_TASKS = "docs/ten-tasks.md"


@pytest.mark.parametrize(
    "page",
    [pytest.param(one, marks=[pytest.mark.slow] * (one == TEN_TASKS)) for one in runnable(is_slow=False)],
)
def test_the_blocks_of_a_page_run(page: str, project: Path):
    run_blocks(page, project, is_slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", runnable(is_slow=True))
def test_the_slow_blocks_of_a_page_run(page: str, project: Path):
    run_blocks(page, project, is_slow=True)


def test_the_glossary_names_files_that_exist():
    page = (CHECKOUT / "docs" / "glossary.md").read_text(encoding="utf-8")
    named = [
        one for one in page.split("`") if "/" in one and one.endswith((".py", ".c", ".h", ".md", ".json"))
    ]
    assert named and [one for one in named if not (CHECKOUT / one).exists()] == []
