"""The documentation as a site: its navigation, its links, and the reference of nodes.

`make docs` builds it and reports every broken link and anchor; these tests need no MkDocs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import tomllib

from scripts import site_access, site_links
from scripts.generate_nodes_doc import example
from tests.project.files import CHECKOUT
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.schema import schema

DOCS = CHECKOUT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
NAVIGATION = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def test_every_page_is_in_the_navigation_once():
    """A new page belongs into mkdocs.yml: learn, solve, look up, or understand."""
    named = re.findall(r"([\w-]+\.md)$", NAVIGATION, re.MULTILINE)
    assert sorted(named) == [page.name for page in PAGES]


@pytest.mark.parametrize("part", ["Tutorials", "How-to guides", "Reference", "Explanation"])
def test_the_navigation_has_the_four_kinds_of_pages(part: str):
    assert f"\n  - {part}:\n" in "\n" + NAVIGATION


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.name)
def test_links_between_files_lead_somewhere(page: Path):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [link.partition("#")[0] for link in LINK.findall(text) if "://" not in link]
    assert [one for one in targets if one and not (DOCS / one).exists()] == []


def test_links_out_of_the_documentation_lead_to_copies():
    page = type("Page", (), {"file": type("File", (), {"src_uri": "index.md"})})
    change = site_links.on_page_markdown
    assert change("[a](../worlds/README.md#b)", page, None, None) == "[a](source/worlds/README.md#b)"
    page.file.src_uri = "source/CONTRIBUTING.md"
    text = "[a](docs/cli.md) [b](worlds/README.md) [c](https://example.org)"
    expected = "[a](../cli.md) [b](worlds/README.md) [c](https://example.org)"
    assert change(text, page, None, None) == expected


def test_screen_readers_get_names_and_no_empty_headers():
    page = '<div class="md-search" data-md-component="search" role="dialog"><th></th><th>a</th>'
    expected = page.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    assert site_access.on_post_page(page) == expected.replace("<th></th>", "<td></td>")
    part = '<nav class="md-nav" aria-label="Node">'
    names = [part.replace("Node", f"{name}, on this page") for name in ("Node", "Node 2")]
    assert site_access.on_post_page(part * 2) == "".join(names)
    assert site_access.on_post_template(page) == site_access.on_post_page(page)


def test_files_that_copies_link_to_are_copied_too():
    files = site_links.linked_files([DOCS / "index.md"])
    assert "CONTRIBUTING.md" in files
    assert [name for name in files if name.startswith("docs/") or not (CHECKOUT / name).is_file()] == []


def test_the_packages_of_the_site_are_an_extra():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[>=\[]", one)[0] for one in project["optional-dependencies"]["docs"]}
    assert {"mkdocs", "mkdocs-material", "mkdocstrings"} <= names


def parents() -> dict[str, tuple[str, str]]:
    """Return for each node type a field that may hold it, as (type, field), on a way from the root."""
    known = schema()
    found: dict[str, tuple[str, str]] = {}
    waiting = ["Robot", "Solid", "Pose", "Shape"]
    while waiting:
        name = waiting.pop(0)
        spec = known.node(name)
        for field in spec.fields.values() if spec else ():
            for child in known.names():
                node = known.node(child)
                if child not in found and node and any(node.is_a(one) for one in field.allowed):
                    found[child] = (name, field.name)
                    waiting.append(child)
    return found


PARENTS = parents()


@pytest.mark.parametrize("name", [name for name in schema().names() if not schema().node(name).abstract])
def test_the_example_of_a_node_is_valid_where_the_node_may_be(name: str, tmp_path: Path):
    """The judge is the reader of worlds, which reports unknown fields and wrong types and values."""
    spec = schema().node(name)
    text = "\n".join(example(spec))
    while name in PARENTS and name not in ("Robot", "Solid", "Pose"):
        name, field = PARENTS[name]
        text = f"{name} {{ {field} {text} }}"
    world = tmp_path / "example.wbt"
    world.write_text(f"#VRML_SIM R2025a utf8\nWorldInfo {{ }}\nViewpoint {{ }}\n{text}\n")
    report = load_world(world).report
    assert [one for one in report.errors if "field" in str(one) or "value" in str(one)] == []
