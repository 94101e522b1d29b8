"""Hostile templates: nothing of the machine is reachable, and nothing one template does reaches the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wbridge.wbcore.scene.templates import Rendered, TemplateError

Run = Callable[..., Rendered]
Fails = Callable[..., TemplateError]

LUA_REFUSED = [
    ("os.execute('true')", "os.execute: templates cannot reach files or programs"),
    ("os.remove('x')", "os.remove"),
    ("os.rename('x', 'y')", "os.rename"),
    ("os.getenv('HOME')", "os.getenv"),
    ("os.exit()", "os.exit"),
    ("os.tmpname()", "os.tmpname"),
    ("io.open('x', 'w')", "io.open: templates cannot reach files or programs"),
    ("io.popen('true')", "io.popen"),
    ("io.lines('x')", "io.lines"),
    ("io.read()", "io.read"),
    ("package.loadlib('libc.so.6', 'system')", "package.loadlib"),
    ("package.searchers[1]('io')", "package.searchers"),
    ("debug.getregistry()", "debug.getregistry"),
    ("debug.getlocal(1, 1)", "debug.getlocal"),
    ("dofile('x.lua')", "global 'dofile' (a nil value)"),
    ("loadfile('x.lua')", "global 'loadfile' (a nil value)"),
    ("assert(loadstring('\\27Lua'))", "bytecode cannot be loaded"),
    ("python.eval('1')", "global 'python' (a nil value)"),
    ("string.dump(function() end)", "field 'dump' (a nil value)"),
    ("('').dump(function() end)", "field 'dump' (a nil value)"),
    ("getmetatable(require('gd')).__index", "attempt to index a boolean value"),
    ("require('lfs')", "no module 'lfs'; allowed: wbcore, "),
    ("require('../secret')", "no module '../secret'"),
    ("require('python')", "no module 'python'"),
    ("getmetatable(io).__index", "attempt to index a boolean value"),
    ("setmetatable(io, {})", "cannot change a protected metatable"),
    ("setmetatable({}, {__gc = function() end})", "__gc is not allowed"),
    ("assert(load('\\27Lua'))", "bytecode cannot be loaded"),
    (
        "assert(load(coroutine.wrap(function() coroutine.yield('\\27') coroutine.yield('Lua') end)))",
        "bytecode",
    ),
    ("load('return io.open')()('x', 'a')", "io.open"),
    ("load('return python.eval')()", "global 'python' (a nil value)"),
    ("load('return dofile', 'n', 'bt', nil)()()", "attempt to call a nil value"),
    ("math.randomseed(0/0)", "finite number expected"),
]


@pytest.mark.parametrize(("code", "message"), LUA_REFUSED)
def test_lua_reaches_nothing(code: str, message: str, fails: Fails) -> None:
    assert message in fails("lua", f"%{{ local x = {code} }}%").message


def test_a_template_that_draws_a_picture_goes_on_without_it(lua: Run) -> None:
    """The pattern of Webots' guide: no file is there to read, and nothing tells of this machine."""
    output = lua(
        """%{ local gd = require('gd'); local image = gd.createTrueColor(128, 128)
    image:filledRectangle(0, 0, 127, 127, image:colorAllocate(255, 0, 0))
    local name, i = debug.getinfo(1, 'S').source, 0
    local file = io.open(name .. i .. '.png', 'r')
    while file do i = i + 1; file = io.open(name .. i .. '.png', 'r') end
    image:png(name .. i .. '.png')
    rawset(gd, 'left', 1) }%%{= tostring(io.open('/etc/passwd')) .. name }%"""
    )
    assert output.text == "niltemplate"
    assert "draws nothing" in str(output)
    assert lua("%{= type(rawget(require('gd'), 'left')) }%").text == "nil"


def test_lua_globals_are_the_listed_ones(lua: Run) -> None:
    names = lua("%{ for k in pairs(_G) do }%%{= k }% %{ end }%").text.split()
    assert sorted(names) == sorted(
        "_G _VERSION assert bit32 collectgarbage context coroutine debug error fields"
        " getmetatable io ipairs load loadstring math"
        " next os package pairs pcall print rawequal rawget rawlen rawset require select"
        " setmetatable string table"
        " tonumber tostring type unpack xpcall".split()
    )


def test_lua_finds_no_foreign_value_by_walking_through_everything(lua: Run) -> None:
    body = """%{
    local seen, found = {}, {}
    local function walk(value, path)
      if type(value) == 'userdata' then found[#found + 1] = path end
      if type(value) ~= 'table' or seen[value] then return end
      seen[value] = true
      for k, v in pairs(value) do walk(k, path) walk(v, path .. '.' .. tostring(k)) end
      local meta = getmetatable(value)
      if type(meta) == 'table' then walk(meta, path .. '!') end
    end
    walk(_G, '') walk(getmetatable(''), 'text')
    }%%{= #found }% %{= tostring(getmetatable('')) }%"""
    assert lua(body).text == "0 false"


JAVASCRIPT_REFUSED = [
    ("wbfile.readTextFile('/etc/passwd')", "wbfile.readTextFile: templates cannot read or write files"),
    ("wbfile.writeTextFile('x', 'y')", "wbfile.writeTextFile"),
    ("wbfile.fileExists('/')", "wbfile.fileExists"),
    ("require('fs')", "require is not defined"),
    ("process.exit()", "process is not defined"),
    ("std.open('x')", "std is not defined"),
    ("os.exec(['true'])", "os is not defined"),
    ("new SharedArrayBuffer(1)", "SharedArrayBuffer is not defined"),
    ("Atomics.wait()", "Atomics is not defined"),
    ("setTimeout(() => {}, 1)", "setTimeout is not defined"),
    ("__wb.modules.x()", "is not defined"),
    ("[].constructor.constructor('return std')()", "std is not defined"),
    ("new Function('return process')()", "process is not defined"),
    ("(0, eval)('import.meta')", "SyntaxError"),
]


@pytest.mark.parametrize(("code", "message"), JAVASCRIPT_REFUSED)
def test_javascript_reaches_nothing(code: str, message: str, fails: Fails) -> None:
    assert message in fails("javascript", f"%< {code}; >%").message


def test_javascript_globals_beyond_the_language_are_the_listed_ones(javascript: Run) -> None:
    body = """%< const g = [].constructor.constructor('return this')();
    const own = Object.getOwnPropertyNames(g).filter((n) => !/^[A-Z]/.test(n));
    >%%<= own.sort().join(' ') >%"""
    assert javascript(body).text.split() == sorted(
        "console decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval"
        " globalThis isFinite isNaN parseFloat"
        " parseInt stderr stdout undefined unescape wbfile".split()
    )


PERSISTING = [
    (
        "lua",
        "%{ leaked = 1; string.upper = nil; math.pi = 3; _G.tostring = nil }%",
        "%{= tostring(leaked) .. ('a'):upper() .. math.floor(math.pi * 100) }%",
        "nilA314",
    ),
    (
        "lua",
        "%{ local s = require('wbrandom') s.seed(5) s.real = nil }%",
        "%{= require('wbrandom').integer(0, 10) }%",
        "4",
    ),
    ("lua", "%{ local m = getmetatable('') if m then m.__index = nil end }%", "%{= ('x'):rep(2) }%", "xx"),
    ("lua", "%{ package.loaded.math = 5; fields.a = 1 }%", "%{= require('math').max(1, 2) }%", "2"),
    (
        "javascript",
        "%< globalThis.leaked = 1; Object.prototype.bad = 1; Array.prototype.join = null; >%",
        "%<= typeof leaked + ({}).bad + [1, 2].join('-') >%",
        "undefinedundefined1-2",
    ),
    (
        "javascript",
        "%< JSON.stringify = () => '{}'; String.prototype.toJSON = () => 'x'; Object.freeze = null; >%",
        "%<= JSON.stringify({a: 'b'}) >%",
        '{"a":"b"}',
    ),
    (
        "javascript",
        "%< import * as r from 'wbrandom.js'; r.integer(3); Math.max = null; >%",
        "%< import * as r from 'wbrandom.js'; >%%<= r.integer(0, 10) + Math.max(1, 2) >%",
        "6",
    ),
]


@pytest.mark.parametrize(("language", "first", "second", "text"), PERSISTING)
def test_nothing_persists_between_renderings(
    language: str, first: str, second: str, text: str, lua: Run, javascript: Run
) -> None:
    run = {"lua": lua, "javascript": javascript}[language]
    run_and_forget(run, first)
    assert run(second).text == text


def run_and_forget(run: Run, body: str) -> None:
    """Render a template that may damage its own result."""
    try:
        run(body)
    except TemplateError as error:
        assert "damaged" in error.message


@pytest.mark.parametrize(
    "code",
    [
        "Array.prototype.push = () => 1; Array.prototype.join = () => 5",
        "Object.defineProperty(Array.prototype, '0', {set() { throw 1; }})",
        "Object.prototype.toJSON = () => 7",
        "Object.prototype.toJSON = () => ({text: 1, out: [], trace: {}})",
        "Object.prototype.toJSON = () => ({text: '', out: '', err: '', trace: '99:1,-1:2,x,1:99999999999'})",
        "Object.prototype.toJSON = () => ({failed: 5, line: 'x'})",
        "Object.prototype.toJSON = () => ({failed: [], line: -1e9, late: 1, over: {}})",
        "Object.prototype.toJSON = () => ({text: '', out: '', err: '', trace: '0:' + '9'.repeat(9000)})",
        "let d = []; for (let i = 0; i < 1500; ++i) d = [d]; Object.prototype.toJSON = () => d",
        "String.prototype.indexOf = () => 0; String.prototype.trim = null",
        "throw {toString() { for (;;) throw this; }}",
        "throw Object.assign(new Error('x'), {stack: {toString: null}})",
        "throw new Proxy({}, {getPrototypeOf() { throw 1; }})",
    ],
)
def test_meddling_harms_only_the_template_itself(code: str, javascript: Run) -> None:
    try:
        assert isinstance(javascript(f"a %< {code}; >% b\n").text, str)
    except TemplateError as error:
        assert error.message
    assert javascript("%<= [1].join() >%").text == "1"


@pytest.mark.parametrize(
    "code",
    [
        "table.concat = nil string.find = nil string.gsub = nil",
        "error(setmetatable({}, {__tostring = function() error('again') end}))",
        "error(setmetatable({}, {__tostring = function() return {} end}))",
        "local s = setmetatable({}, {__tostring = function() return nil end}) print(s)",
        "coroutine.yield(1)",
        "error(nil)",
        "local t = setmetatable({}, {__pairs = function() error('p') end}) for k in pairs(t) do end",
        "fields, context, print, _G, _ENV = nil, nil, nil, nil, nil",
    ],
)
def test_meddling_in_lua_harms_only_the_template_itself(code: str, lua: Run) -> None:
    try:
        assert isinstance(lua(f"a %{{ {code} }}% b\n").text, str)
    except TemplateError as error:
        assert error.message
    assert lua("%{= ('a'):find('a') }%").text == "1"


def test_engine_cannot_open_or_write_files_even_when_left(tmp_path: Path) -> None:
    """The process itself gave up these rights; shown by running Python in the worker's place."""
    import subprocess
    import sys

    from wbridge.wbcore.scene.templates import worker

    target = tmp_path / "written"
    script = (
        f"import sys, os; sys.path.insert(0, {str(Path(worker.__file__).parent)!r}); import"
        f" worker; worker.lock_down()\n"
        "for attempt in (lambda: open('/etc/passwd'), lambda: open(sys.argv[1], 'w'), lambda: os.pipe(),"
        " lambda: os.dup(1)):\n"
        "    try: attempt()\n"
        "    except OSError: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["refused"] * 4
    assert not target.exists()
