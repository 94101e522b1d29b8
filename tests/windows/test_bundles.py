"""Modules of pages in one file. Judge: an engine for JavaScript runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
import quickjs

from wbridge.robot_windows.bundles import bundle, modules
from wbridge.robot_windows.files import PAGES

MODULES = {
    "main.js": """// The first one.
import {a, b as other} from './part/a.js';
import {Thing} from './part/b.js';

const late = async () => (await import('./part/late.js')).late;
other().then(async (b) => console.log(a, b, new Thing().name, await late()));
""",
    "part/a.js": "export const a = 'A';\nexport async function b() {\n  return a;\n}\n",
    "part/b.js": "import {\n  a,\n} from './a.js';\nexport class Thing {\n  name = `${a}!`;\n}\n",
    "part/late.js": "import {a} from './a.js';\nimport {c} from './c.js';\nexport const late = a + c;\n",
    "part/c.js": "export const c = 'C';\n",
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_each_module_is_in_it_once_after_those_that_it_imports(pages: Path):
    assert list(modules(pages, ["main.js"])) == ["part/a.js", "part/b.js", "main.js"]
    text = bundle(pages, "main.js")
    assert text.count("'A'") == text.count("'C'") == 1
    assert "import {" not in text and "export " not in text


def test_it_does_what_the_modules_do(pages: Path):
    said: list[str] = []
    engine = quickjs.Context()
    engine.add_callable("say", lambda *texts: said.extend(texts))
    engine.eval(bundle(pages, "main.js").replace("console.log", "say"))
    while engine.execute_pending_job():
        pass
    assert said == ["A", "A", "A!", "AC"]


def test_a_missing_module_is_named(pages: Path):
    (pages / "part" / "c.js").unlink()
    with pytest.raises(FileNotFoundError, match=r"c\.js"):
        bundle(pages, "main.js")


@pytest.mark.parametrize("name", ["workbench/main.js", "js/generic.js"])
def test_all_modules_of_the_pages_are_understood(name: str):
    """Nothing is left that only a module in a file of its own may contain."""
    lines = bundle(PAGES, name).splitlines()
    left = [one for one in lines if one.startswith(("import ", "export "))]
    assert all(one.startswith("import * as vendor_") for one in left)
    assert not any("from './" in one or "from '../" in one for one in lines)
