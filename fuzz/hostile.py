"""Template statements that try to escape the sandbox, block, exhaust memory, or confuse the parser."""

from __future__ import annotations


def _lines(text: str) -> list[str]:
    """One statement per line; <NUL> is replaced with the character."""
    return text.strip().replace("<NUL>", "\0").split("\n")


LUA = _lines(
    r"""
os.execute('touch canary')
io.open('canary', 'w'):write('x')
os.remove('main.wbt')
os.exit(0)
io.popen('touch canary'):read('a')
require('os').execute('touch canary')
dofile('main.wbt')
loadfile('main.wbt')()
package.loadlib('libc.so.6', 'system')
debug.getregistry()
os.getenv('HOME')
print(os.getenv('WBRIDGE_FUZZ_SECRET'))
python.eval('1')
python.builtins.open('canary', 'w')
while true do end
for i = 1, 1e9 do local x = i * i end
local s = 'x' while true do s = s .. s end
local t = {} for i = 1, 1e9 do t[i] = {i} end
string.rep('x', 1e10)
local function f() return f() end f()
local function f() f() end f()
error({})
error(nil)
error(setmetatable({}, {__tostring = error}))
setmetatable(_G, {__index = error})
string.gsub(('a'):rep(1e5), '.-b', '')
load('while true do end')()
('a'):rep(30000):find(('.-'):rep(30000) .. 'b')
getmetatable('').__index = nil
collectgarbage('stop')
coroutine.wrap(function() while true do coroutine.yield() end end)()
fields = nil
fields.x.value = 1
local n = 1 for i = 1, 200 do n = {n} end
print(('x'):rep(1e7))
io.stderr:write(('x'):rep(1e7))
goto a ::a:: goto a
return
return return
end
do
--[[
]]
local }%
x =
<NUL>
pcall(function() while true do end end)
string.dump(load)
table.concat(setmetatable({}, {__len = math.huge}))
"""
)

LUA_VALUES = _lines(
    r"""
1
1/0
0/0
nil
{}
print
fields
context
'x'
('x'):rep(1e6)
'\0'
'}'
'Group { '
'"'
'# '
context.world
context.proto
('Group { children [ '):rep(1e5)
1e308
fields.a.value
fields.nothing.value
'%{ }%'
'%< >%'
('{ '):rep(1e6)
'USE A'
'\xff\xfe'
"""
)

JAVASCRIPT = _lines(
    r"""
while (true) {}
for (;;);
let s = 'x'; while (true) s += s;
new Array(1e9).fill(0)
throw undefined
throw {toString() { while (true) {} }}
(function f() { f(); })()
import * as fs from 'fs';
import('os')
import {exec} from 'child_process';
require('fs').writeFileSync('canary', '')
std.open('canary', 'w')
os.exec(['touch', 'canary'])
eval('while(true){}')
new Function('return this')().process.exit()
globalThis.constructor.constructor('return process')()
/(a+)+$/.test('a'.repeat(40) + 'b')
'x'.repeat(2 ** 30)
JSON.stringify(new Proxy({}, {ownKeys() { throw 1; }}))
Object.freeze(Object.prototype)
Object.prototype.toString = null
String.prototype.concat = () => { while (true) {} }
fields = 1
Array.prototype.push = function () { throw 1; }
async function f() { await f(); } f();
debugger
Promise.resolve().then(function f() { Promise.resolve().then(f); })
console.log('x'.repeat(1e7))
const a = []; a[0] = a; console.log(a)
new Uint8Array(1e10)
new SharedArrayBuffer(1e9)
return
}
`
/*
//
let
import
import * as
<NUL>
label: for (;;) continue label
Symbol()
null.x
Date.now = () => { while (true) {} }
new WeakRef({})
BigInt(2) ** BigInt(1e9)
class A extends A {}
import * as wbrandom from 'wbrandom.js'; wbrandom.seed(NaN)
print(std.getenv('WBRIDGE_FUZZ_SECRET'))
import * as g from 'wbgeometry.js'; g.circle(0, 1e9, {x: 0, y: 0}, 0)
wbfile.readTextFile('main.wbt')
import * as g from 'wbgeometry.js'; g.bSpline2([], 1e9)
wbfile.writeTextFile('canary', 'x')
"""
)

JAVASCRIPT_VALUES = _lines(
    r"""
1
NaN
undefined
null
{}
[]
fields
context
() => 1
'x'.repeat(1e6)
Symbol()
1n
'Group { '
'\u0000'
'\ud800'
'"'
fields.a.value
fields.nothing.value
'{ '.repeat(1e6)
'Group { children [ '.repeat(1e5)
new Proxy({}, {})
({toString() { throw 1; }})
'%< >%'
'USE A'
"""
)
