"""The same template with the same data gives the same text: random numbers, clocks, order of traversal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.wbcore.scene.templates import Rendered, process

Run = Callable[..., Rendered]

BODIES = [
    ("lua", "%{ for i = 1, 5 do }%%{= math.random() }% %{= math.random(10) }% %{ end }%"),
    (
        "lua",
        "%{= os.time() }% %{= os.date('%Y-%m-%d %H:%M:%S') }% %{= os.clock() }% %{= os.date('*t').year }%",
    ),
    (
        "lua",
        "%{ for k, v in pairs({b = 1, a = 2, [3] = 3, c = 4, d = 5, 9, 8, [0.5] = 1, [true] = 1}) do }%"
        "%{= tostring(k) .. v }% %{ end }%",
    ),
    ("lua", "%{= tostring({}) .. tostring(print) .. tostring(function() end) }%"),
    ("javascript", "%< for (let i = 0; i < 5; ++i) { >%%<= Math.random() >% %< } >%"),
    (
        "javascript",
        "%<= Date.now() >% %<= new Date() >% %<= Date() >% %<= new Date(2020, 1, 1).getHours() >%",
    ),
]


@pytest.mark.parametrize(("language", "body"), BODIES)
def test_same_instance_same_text_in_every_process(
    language: str, body: str, lua: Run, javascript: Run
) -> None:
    run = {"lua": lua, "javascript": javascript}[language]
    texts = set()
    for _ in range(3):
        texts.add(run(body, context={"id": "17"}).text)
        process.close()
    assert len(texts) == 1


@pytest.mark.parametrize("number", [0, 1, 4, 5])
def test_other_instances_have_other_random_numbers_and_clocks(number: int, lua: Run, javascript: Run) -> None:
    language, body = BODIES[number]
    run = {"lua": lua, "javascript": javascript}[language]
    texts = {run(body, context={"id": str(id_)}).text for id_ in range(20)}
    assert len(texts) == 20


def test_seed_and_time_of_the_caller_win(lua: Run, javascript: Run) -> None:
    assert (
        lua("%{= math.random() }%", context={"id": "1"}, seed=4).text
        == lua("%{= math.random() }%", seed=4).text
    )
    assert javascript("%<= Date.now() >%", now=1_000_000).text == "1000000000"
    assert javascript("%<= new Date().toISOString() >%", now=0).text == "1970-01-01T00:00:00.000Z"
    assert lua("%{= os.time() }%", now=1_000_000).text == "1000000"
    assert (
        lua(
            "%{= os.date('%Y', 0) .. os.difftime(5, 3) .. os.time({year = 1970, month = 1, day ="
            " 2, hour = 0}) }%"
        ).text
        == "1970286400"
    )


def test_random_numbers_lie_in_their_intervals(lua: Run, javascript: Run) -> None:
    body = (
        "%{ math.randomseed(3) for i = 1, 2000 do local a, b, c = math.random(),"
        " math.random(6), math.random(-2, 2)"
        " assert(a >= 0 and a < 1) assert(b >= 1 and b <= 6 and b % 1 == 0) assert(c >= -2"
        " and c <= 2) end }%ok"
    )
    assert lua(body).text == "ok"
    body = (
        "%< let n = 0; for (let i = 0; i < 2000; ++i) { const r = Math.random(); if (r < 0 ||"
        " r >= 1) throw r; n += r; }"
        " >%%<= n > 900 && n < 1100 >%"
    )
    assert javascript(body).text == "true"


def test_traversal_is_sorted_and_complete(lua: Run) -> None:
    body = (
        "%{ local t = {10, 20, nil, 40, z = 1, a = 2, [2.5] = 3, [-1] = 4} for k, v in pairs(t) do }%"
        "%{= k .. '=' .. v }% %{ end }%%{= tostring(next({})) }%"
    )
    assert lua(body).text == "1=10 2=20 4=40 -1=4 2.5=3 a=2 z=1 nil"


def test_traversal_allows_clearing_and_next(lua: Run) -> None:
    body = """%{ local t = {1, 2, 3, a = 4, b = 5, [{}] = 6} local n = 0
    for k in pairs(t) do n = n + 1 t[k] = nil end
    local u, m, k = {5, x = 6, y = 7}, 0, nil
    repeat k = next(u, k) if k ~= nil then m = m + 1 end until k == nil
    for k, v in next, u do m = m + v end }%%{= n }% %{= tostring(next(t)) }% %{= m }%"""
    assert lua(body).text == "6 nil 21"


def test_pairs_obeys_its_metamethod(lua: Run) -> None:
    body = (
        "%{ local t = setmetatable({}, {__pairs = function(t) return ipairs({7, 8}) end})"
        " for k, v in pairs(t) do }%%{= v }%%{ end }%"
    )
    assert lua(body).text == "78"
