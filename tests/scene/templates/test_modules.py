"""The helper modules of both languages against known values."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from wbridge.wbcore.scene.templates import Rendered, TemplateError

Run = Callable[..., Rendered]


def generator(seed: float, count: int) -> list[float]:
    """The sequence of the linear congruential generator, in doubles as the engines compute it."""
    values = []
    for _ in range(count):
        seed = math.fmod(1140671485.0 * seed + 12820163.0, 2.0**24)
        values.append(seed)
    return values


def test_wbrandom_follows_the_generator_from_seed_0_in_both_languages(lua: Run, javascript: Run) -> None:
    expected = " ".join(f"{value:.0f}" for value in generator(0, 50))
    assert (
        lua("%{ r = require('wbrandom') for i = 1, 50 do }%%{= r.integer() }% %{ end }%").text.strip()
        == expected
    )
    body = "%< import * as r from 'wbrandom.js'; for (let i = 0; i < 50; ++i) { >%%<= r.integer() >% %< } >%"
    assert javascript(body).text.strip() == expected


def test_wbrandom_intervals(javascript: Run, lua: Run) -> None:
    a, b, c, d = generator(7, 4)
    top = 2.0**24 - 1
    expected = [-2 + a * 5 / top, b * 3 / top, 1 + c % 6, 5 + d % 5]
    script = "r.seed(7); let v = [r.real(-2, 3), r.real(3), r.integer(6), r.integer(5, 9)]; >%%<= v >%"
    values = [
        float(text) for text in javascript(f"%< import * as r from 'wbrandom.js'; {script}").text.split(",")
    ]
    assert values == expected
    script = (
        "r.seed(7) v = {r.real(-2, 3), r.real(3), r.integer(6), r.integer(5, 9)} }%%{="
        " table.concat(v, ',') }%"
    )
    values = [float(text) for text in lua("%{ r = require('wbrandom') " + script).text.split(",")]
    assert values == pytest.approx(expected, rel=1e-12)


# (module, JavaScript, Lua, expected numbers)
NUMBERS = [
    ("wbvector2", "m.add(u, v)", "m.add(u, v)", {"x": 4, "y": 6}),
    ("wbvector2", "m.minus(u, v)", "m.minus(u, v)", {"x": -2, "y": -2}),
    ("wbvector2", "m.multiply(u, 3)", "m.multiply(u, 3)", {"x": 3, "y": 6}),
    ("wbvector2", "m.norm(v)", "m.norm(v)", 5),
    ("wbvector2", "m.distance(u, v)", "m.distance(u, v)", math.sqrt(8)),
    ("wbvector2", "m.cross(u, v)", "m.cross(u, v)", -2),
    ("wbvector2", "m.dot(u, v)", "m.dot(u, v)", 11),
    ("wbvector2", "m.normalize(v)", "m.normalize(v)", {"x": 0.6, "y": 0.8}),
    ("wbvector2", "m.angle({x: 0, y: 2}, {x: 0, y: 0})", None, math.pi / 2),
    ("wbvector2", None, "m.angle({x = 0, y = 2}, {x = 0, y = 0})", 0),
    ("wbvector2", None, "m.atan2({x = 2, y = 0})", math.pi / 2),
    ("wbvector3", "m.add(u, w)", "m.add(u, w)", {"x": 4, "y": 6, "z": 12}),
    ("wbvector3", "m.minus(u, w)", "m.minus(u, w)", {"x": -2, "y": -2, "z": -12}),
    ("wbvector3", "m.multiply(w, 2)", "m.multiply(w, 2)", {"x": 6, "y": 8, "z": 24}),
    ("wbvector3", "m.norm(w)", "m.norm(w)", 13),
    ("wbvector3", "m.distance(w, w)", "m.distance(w, w)", 0),
    ("wbvector3", "m.cross(u, w)", "m.cross(u, w)", {"x": 24, "y": -12, "z": -2}),
    ("wbvector3", "m.dot(u, w)", "m.dot(u, w)", 11),
    ("wbvector3", "m.normalize(w)", "m.normalize(w)", {"x": 3 / 13, "y": 4 / 13, "z": 12 / 13}),
    (
        "wbrotation",
        "m.toQuaternion(r)",
        "m.toquaternion(r)",
        {"w": math.sqrt(0.5), "x": 0, "y": 0, "z": math.sqrt(0.5)},
    ),
    (
        "wbrotation",
        "m.fromQuaternion(m.toQuaternion(r))",
        "m.fromquaternion(m.toquaternion(r))",
        {"x": 0, "y": 0, "z": 1, "a": math.pi / 2},
    ),
    (
        "wbrotation",
        "m.fromMatrix3(m.toMatrix3(r))",
        "m.frommatrix3(m.tomatrix3(r))",
        {"x": 0, "y": 0, "z": 2, "a": math.pi / 2},
    ),
    ("wbrotation", "m.combine(r, r)", "m.combine(r, r)", {"x": 0, "y": 0, "z": 1, "a": math.pi}),
    (
        "wbrotation",
        "m.rotateVector3ByRotation(r, u)",
        "m.rotatevector3byrotation(r, u)",
        {"x": -2, "y": 1, "z": 0},
    ),
    (
        "wbrotation",
        "m.rotateVector3ByMatrix3(m.toMatrix3(r), u)",
        "m.rotatevector3bymatrix3(m.tomatrix3(r), u)",
        {"x": -2, "y": 1, "z": 0},
    ),
    (
        "wbrotation",
        "m.rotateVector3ByQuaternion(m.toQuaternion(r), u)",
        "m.rotatevector3byquaternion(m.toquaternion(r), u)",
        {"x": -2, "y": 1, "z": 0},
    ),
    (
        "wbrotation",
        "m.normalize({x: 0, y: 3, z: 4, a: 5 * Math.PI})",
        "m.normalize({x = 0, y = 3, z = 4, a = 5 * math.pi})",
        {"x": 0, "y": 0.6, "z": 0.8, "a": math.pi},
    ),
    (
        "wbrotation",
        "m.fromQuaternion({w: 1, x: 0, y: 0, z: 0})",
        "m.fromquaternion({w = 1, x = 0, y = 0, z = 0})",
        {"x": 0, "y": 1, "z": 0, "a": 0},
    ),
    ("wbgeometry", "m.circle(2, 4, u, 0)[1]", "m.circle(2, 4, 1, 2, 0)[2]", {"x": 1, "y": 4}),
    ("wbgeometry", "m.circle(2, 4, u, 0).length", "#m.circle(2, 4, 1, 2, 0)", 5),
    (
        "wbgeometry",
        "m.findClosestPoint2InArray(u, square)",
        "m.findclosest2Dpointinarray(u, square)",
        {"x": 0, "y": 4},
    ),
    # Four collinear points: the spline stays on the line, the first segment ends on a control point.
    ("wbgeometry", "m.bSpline2(line(), 2)[4]", "m.bspline2D(line(), 2)[5]", {"x": 1, "y": 1}),
    ("wbgeometry", "m.bSpline2(line(), 2).length", "#m.bspline2D(line(), 2)", 9),
    ("wbgeometry", "m.bSpline3(line(), 2)[2]", "m.bspline3D(line(), 2)[3]", {"x": 1, "y": 1, "z": 1}),
    ("wbgeometry", "m.bSpline3(line(), 2).length", "#m.bspline3D(line(), 2)", 7),
    ("wbutility", "m.degreesToRadians(180)", None, math.pi),
    ("wbutility", "m.radiansToDegrees(Math.PI / 2)", None, 90),
    ("wbutility", "m.deepCopy({x: 1, y: [2]})", None, {"x": 1, "y": 2}),
    ("wbmath", None, "m.round(2.5)", 3),
    # Webots' resources/lua/modules/webots/wbmath.lua has these two since 2019.
    ("wbmath", None, "m.degrees2radians(180)", math.pi),
    ("wbmath", None, "m.radians2degrees(math.pi / 2)", 90),
    ("wblimits", None, "m.maxdouble + m.mindouble", 0),
    ("wbcore", None, "m.tablelength({1, 2, nil, 4})", 2),
    ("wbcore", None, "m.deepcopy({x = 1, y = 2})", {"x": 1, "y": 2}),
]

JAVASCRIPT = """%< import * as m from 'MODULE.js';
const u = {x: 1, y: 2, z: 0}, v = {x: 3, y: 4}, w = {x: 3, y: 4, z: 12};
const r = {x: 0, y: 0, z: 1, a: Math.PI / 2};
const square = [{x: 0, y: 0}, {x: 4, y: 0}, {x: 4, y: 4}, {x: 0, y: 4}].reverse();
const line = () => [0, 1, 2, 3].map((i) => ({x: i, y: i, z: i}));
const result = CODE;
>%%<= typeof result === 'number' ? result
  : Object.keys(result).map((k) => k + '=' + result[k]).join(' ') >%"""

LUA = """%{ local m = require('MODULE')
local u, v, w = {x = 1, y = 2, z = 0}, {x = 3, y = 4}, {x = 3, y = 4, z = 12}
local r = {x = 0, y = 0, z = 1, a = math.pi / 2}
local square = {{x = 0, y = 4}, {x = 4, y = 4}, {x = 4, y = 0}, {x = 0, y = 0}}
local function line()
  local points = {}
  for i = 0, 3 do points[i + 1] = {x = i, y = i, z = i} end
  return points
end
local result = CODE
if type(result) == 'table' then
  local texts = {}
  for k, item in pairs(result) do texts[#texts + 1] = k .. '=' .. item end
  result = table.concat(texts, ' ')
end
}%%{= result }%"""


def parsed(text: str) -> float | dict[str, float]:
    """A number, or the numbers of an object written as name=value."""
    if "=" not in text:
        return float(text)
    return {name: float(value) for name, value in (entry.split("=") for entry in text.split())}


@pytest.mark.parametrize(("module", "code", "_", "expected"), [row for row in NUMBERS if row[1]])
def test_numbers_in_javascript(
    module: str, code: str, _: str, expected: float | dict[str, float], javascript: Run
) -> None:
    text = javascript(JAVASCRIPT.replace("MODULE", module).replace("CODE", code)).text
    assert parsed(text) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("module", "_", "code", "expected"), [row for row in NUMBERS if row[2]])
def test_numbers_in_lua(module: str, _: str, code: str, expected: float | dict[str, float], lua: Run) -> None:
    text = lua(LUA.replace("MODULE", module).replace("CODE", code)).text
    assert parsed(text) == pytest.approx(expected, abs=1e-12)


FACTS = [
    ("wbvector2", "m.equal(v, {x: 3, y: 4})", "m.equal(v, {x = 3, y = 4})", "true"),
    ("wbvector3", "m.equal(u, w)", "m.equal(u, w)", "false"),
    ("wbrotation", "m.equal(r, r)", "m.equal(r, r)", "true"),
    (
        "wbrotation",
        "m.isIdentity({x: 1, y: 0, z: 0, a: 0})",
        "m.isidentity({x = 1, y = 0, z = 0, a = 0})",
        "true",
    ),
    ("wbrotation", None, "m.isvalid({x = 0, y = 0, z = 0, a = 1})", "false"),
    ("wbgeometry", "m.isPoint2InPolygon(u, square)", "m.ispointinpolygon(1, 2, square)", "true"),
    ("wbgeometry", "m.isPoint2InPolygon({x: 5, y: 2}, square)", "m.ispointinpolygon(5, 2, square)", "false"),
    ("wbgeometry", "m.isPoint2ArrayClockwise(square)", "m.islistclockwise2D(square)", "false"),
    ("wbutility", "m.isVector2(v) && !m.isVector3(v)", None, "true"),
    ("wbutility", "m.isAxisAngle(r) && !m.isQuaternion(r)", None, "true"),
    ("wbutility", "m.isMatrix3([0, 1, 2, 3, 4, 5, 6, 7, 8])", None, "true"),
    ("wbutility", "m.isMatrix3([0, 1, 2])", None, "false"),
    (
        "wbutility",
        "m.isArrayOfPoints([v], 2) && !m.isArrayOfPoints([v], 3) && !m.isArrayOfPoints(v, 2)",
        None,
        "true",
    ),
    ("wbutility", "m.isScalar('1')", None, "false"),
    ("wbvector2", "m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 0, y: 2}, {x: 2, y: 0}).x", None, "1"),
    ("wbvector2", "m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 1, y: 0}, {x: 1, y: 9}).y", None, "1"),
    ("wbvector2", "m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 3, y: 2}, {x: 5, y: 0})", None, "null"),
    ("wbvector2", "m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 0, y: 1}, {x: 2, y: 3})", None, "null"),
    ("wbvector2", None, "m.intersection({x=0, y=0}, {x=2, y=2}, {x=0, y=2}, {x=2, y=0}).y", "1"),
    ("wbvector2", None, "m.intersection({x=0, y=0}, {x=0, y=0}, {x=0, y=2}, {x=2, y=0})", "nil"),
    ("wbstring", None, "table.concat(m.split('a, b,, c,', ', ?'), '|')", "a|b||c"),
    ("wbfile", None, "m.getpathwithoutfilename('C:\\\\a\\\\b/c.proto')", "C:/a/b"),
]


@pytest.mark.parametrize(("module", "code", "_", "expected"), [row for row in FACTS if row[1]])
def test_facts_in_javascript(module: str, code: str, _: str, expected: str, javascript: Run) -> None:
    script = (
        JAVASCRIPT.replace("MODULE", module).replace("CODE", f"({code}) + 0 * 0").split("const result")[0]
    )
    assert javascript(f"{script}>%%<= {code} >%").text == expected


@pytest.mark.parametrize(("module", "_", "code", "expected"), [row for row in FACTS if row[2]])
def test_facts_in_lua(module: str, _: str, code: str, expected: str, lua: Run) -> None:
    script = LUA.replace("MODULE", module).split("local result")[0]
    assert lua(f"{script}}}%%{{= {code} }}%").text == expected


def test_wrong_parameters_are_reported_and_the_template_goes_on(javascript: Run) -> None:
    body = (
        "%< import * as m from 'wbvector2.js'; import {assert, info} from 'wbutility.js';"
        " const n = m.norm({x: 3}); assert(1 > 2, 'no'); assert(true, 'yes'); info('so'); >%%<= n >%"
    )
    result = javascript(body)
    assert result.errors_output == ("wbvector2.norm: expected objects with keys x and y", "no")
    assert (result.output, result.text) == (("so",), "NaN")


def test_vector_without_length_has_no_direction(javascript: Run, fails: Callable[..., TemplateError]) -> None:
    result = javascript("%< import * as m from 'wbvector3.js'; >%%<= m.normalize({x: 0, y: 0, z: 0}) >%")
    assert (result.text, len(result.errors_output)) == ("null", 1)
    assert "no length" in fails("lua", "%{= require('wbvector2').normalize({x = 0, y = 0}) }%").message


def test_normalizing_an_endless_angle_ends(javascript: Run, lua: Run) -> None:
    body = "%< import * as m from 'wbrotation.js'; >%%<= m.normalize({x: 0, y: 1, z: 0, a: 1e300}).y >%"
    assert javascript(body).text == "1"
    assert lua("%{= require('wbrotation').normalize({x = 0, y = 1, z = 0, a = -1e300}).y }%").text == "1"
