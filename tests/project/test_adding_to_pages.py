"""docs/adding-a-panel.md and docs/adding-a-message.md, followed in a copy of the repository."""

from __future__ import annotations

import pytest
import quickjs

from tests.project.recipes import Copy, changes_of, files_of
from wbridge.robot_windows.bundles import bundle

PANEL = files_of("adding-a-panel.md")
CHANGES = changes_of("adding-a-message.md")
DOCUMENT = """
class Element {
  constructor(name) { this.name = name; this.parts = []; this.attributes = {}; }
  append(...parts) { this.parts.push(...parts); }
  setAttribute(key, value) { this.attributes[key] = value; }
  get textContent() { return this.parts.map((one) => one.textContent ?? one).join(''); }
  set textContent(text) { this.parts = [text]; }
}
var document = {createElement: (name) => new Element(name)};
"""
SCRIPT = """import {panels} from './clock_panel.js';
const [kind] = panels;
const panel = kind.make({});
panel.take({run: {time: 1.5}});
said = [kind.kind, String(kind.isPossible({})), panel.root.textContent].join(' ');
"""
HANDLER = """
from wbridge.robot_windows.requests import read_command
from wbridge.wbcore.windows.request_handler import RequestHandler

class Subscribers:
    has_commands, is_watched = True, False
    def say(self, text, kind="info", robot=""):
        print(text)

command = read_command({"do": "note", "text": "hello"})
RequestHandler(Subscribers(), lambda: [command]).poll()
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the panel and the message of the pages."""
    repository = Copy(tmp_path_factory.mktemp("repository"))
    for name, text in PANEL.items():
        repository.write(name, text)
    for name, difference in CHANGES:
        repository.change(name, difference)
    return repository


def test_one_file_makes_a_panel(copy: Copy):
    assert list(PANEL) == ["robot_windows/pages/workbench/clock_panel.js"]
    copy.run("scripts/generate_panels.py")
    pages = copy.folder / "robot_windows" / "pages"
    assert "./clock_panel.js" in (pages / "workbench" / "panels.js").read_text(encoding="utf-8")
    assert "new ClockPanel()" in bundle(pages, "workbench/main.js")


def test_the_panel_shows_what_it_takes(copy: Copy):
    """Judge: an engine for JavaScript, with the part of a document that the panel uses."""
    copy.write("robot_windows/pages/workbench/trial.js", SCRIPT)
    engine = quickjs.Context()
    engine.eval(f"{DOCUMENT}\nvar said;")
    engine.eval(bundle(copy.folder / "robot_windows" / "pages", "workbench/trial.js"))
    assert engine.eval("said") == "clock true 1.500 s"


def test_a_declared_request_is_checked_and_carried_out(copy: Copy):
    assert copy.run("-c", HANDLER) == "hello\n"


def test_editors_know_the_request(copy: Copy):
    copy.run("scripts/generate_page_messages.py")
    types = (copy.folder / "robot_windows" / "messages.d.ts").read_text(encoding="utf-8")
    assert "interface NoteRequest {\n  do: 'note';\n  text: string;\n}" in types
