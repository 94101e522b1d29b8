"""Import statements of JavaScript templates, wherever they stand and whatever surrounds them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.wbcore.scene.templates import Rendered, TemplateError
from wbridge.wbcore.scene.templates.imports import MODULES, extract

Run = Callable[..., Rendered]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("import * as wbrandom from 'wbrandom.js'; >%%<= wbrandom.integer(0, 10)", "4"),
        ("import {integer} from 'wbrandom.js'; >%%<= integer(0, 10)", "4"),
        ('import {integer as pick, real} from "wbrandom.js"\n >%%<= pick(0, 10)', "4"),
        (
            "import {\n  integer, // whole\n  real /* , nothing */,\n} from 'wbrandom.js';\n>%%<="
            " integer(0, 10)",
            "4",
        ),
        ("import * as r from './modules/webots/wbrandom.js'; >%%<= r.integer(0, 10)", "4"),
        ("import * as r from 'wbrandom'; >%%<= r.integer(0, 10)", "4"),
        ("import 'wbutility.js'; >%%<= 7", "7"),
        ("import*as r from'wbrandom.js';>%%<=r.integer(0, 10)", "4"),
        ("let a = 3; import * as u from 'wbutility.js'; >%%<= u.isScalar(a)", "true"),
        (
            "import * as u from 'wbutility.js'; import * as v from 'wbvector2.js'; >%%<="
            " v.norm({x: 3, y: 4})",
            "5",
        ),
    ],
)
def test_forms_of_imports(code: str, text: str, javascript: Run) -> None:
    assert javascript(f"%< {code} >%").text.strip() == text


def test_import_serves_the_whole_template(javascript: Run) -> None:
    assert javascript("%<= norm({x: 3, y: 4}) >% %< import {norm} from 'wbvector2.js'; >%").text == "5 "


def test_modules_have_the_functions_of_the_list(javascript: Run) -> None:
    for module, names in MODULES.items():
        body = f"%< import * as m from '{module}.js'; >%%<= Object.keys(m).sort() >%"
        assert javascript(body).text == ",".join(sorted(names))


@pytest.mark.parametrize(
    "code",
    [
        "let s = \"import * as x from 'nope.js';\";",
        "let s = 'import {a} from \"nope.js\"';",
        "let s = `import * as x from 'nope.js'; ${1 + `}${'}'}`} import`;",
        "// import * as x from 'nope.js';\n",
        "/* import * as x from 'nope.js'; */",
        "let o = {import: 1}; let i = o.import;",
        "let r = /import * as x from 'nope'/g, q = 4 / 2 / 1;",
        "let r = 'a'.split(/[/'import]/);",
        "let importance = 1, reimport = 2, $import = 3;",
    ],
)
def test_the_word_elsewhere_is_left_alone(code: str) -> None:
    assert extract(code, 1) == (code, [])


def test_taking_an_import_out_keeps_the_lines() -> None:
    code, found = extract("let a;\nimport {\n  real\n} from 'wbrandom.js';\nlet b;", 10)
    assert code == "let a;\n\n\n\nlet b;"
    assert [entry.line for entry in found] == [11]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import * as x from 'fs';", "no module 'fs'; allowed: wbgeometry, "),
        ("import * as x from 'wbrandon.js';", "did you mean 'wbrandom'?"),
        ("import * as x from '/etc/passwd';", "no module '/etc/passwd'"),
        ("import {intger} from 'wbrandom.js';", "no function 'intger', did you mean 'integer'?"),
        ("import x from 'wbrandom.js';", "no default export; write import * as x"),
        ("import * as wbfile from 'wbfile.js';", "wbfile is always available"),
        ("import {a b} from 'wbrandom.js';", "'a b' is not a name"),
        ("import from;", "this import is not understood"),
    ],
)
def test_imports_that_cannot_be_served(code: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        extract(f"\n{code}", 4)
    assert message in caught.value.message
    assert caught.value.line == 5


def test_dynamic_import_finds_nothing(javascript: Run) -> None:
    body = (
        "%< let got = 'nothing'; import('wbrandom.js').then(() => { got = 'module'; }, () =>"
        " {}); >%%<= got >%"
    )
    assert javascript(body).text == "nothing"


def test_changes_of_a_module_are_refused(fails: Callable[..., TemplateError]) -> None:
    body = "%< import * as r from 'wbrandom.js'; r.seed = 3; >%"
    assert "read-only" in fails("javascript", body).message
