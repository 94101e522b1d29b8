"""docs/adding-a-command.md, followed in a copy of the repository."""

from __future__ import annotations

import json
import re

import pytest

from tests.project.recipes import Copy, files_of

PAGE = files_of("adding-a-command.md")
COMMAND = "wbridge/commands/nodes.py"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the command of the page."""
    made = Copy(tmp_path_factory.mktemp("repository"))
    for name, text in PAGE.items():
        made.write(name, text)
    return made


def test_one_file_makes_a_command(copy: Copy):
    assert [name for name in PAGE if not name.startswith("worlds/")] == [COMMAND]
    assert copy.wbridge("nodes", "worlds/lights.wbt").splitlines()[0].split() == ["2", "PointLight"]


def test_it_prints_its_result_as_json(copy: Copy):
    assert json.loads(copy.wbridge("nodes", "worlds/lights.wbt", "--json"))["PointLight"] == 2


def test_help_and_the_generated_page_list_it(copy: Copy):
    assert re.search(r"^  nodes +count the nodes of a world by type$", copy.wbridge("--help"), re.MULTILINE)
    copy.run("scripts/generate_cli_doc.py")
    assert "## wbridge nodes\n" in (copy.folder / "docs" / "cli.md").read_text(encoding="utf-8")


def test_wrong_input_is_reported_as_the_page_says(copy: Copy):
    copy.write("worlds/broken.wbt", "#VRML_SIM R2025a utf8\nPointLihgt { }\n")
    program = (
        "from wbridge.main import main\n"
        "print(main(['nodes', 'worlds/broken.wbt']), main(['nodes', 'none.wbt']))\n"
    )
    told = copy.run("-c", program)
    assert told.startswith("2 2\n")
    assert "worlds/broken.wbt has errors; list them with: wbridge check worlds/broken.wbt" in told
    assert "none.wbt" in told
