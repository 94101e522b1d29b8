-- The world of a Lua template: what it can see beside the language itself, and the writing of its text.
-- Runs once for each rendering, in a fresh state. Everything the template can reach is a copy made here; what
-- this file needs later it keeps in locals, because the template may change all that it sees.

local program, data, seed, clock, steps, limit = ...
local module_sources = {select(7, ...)}

local error, getmetatable, ipairs, load, next, pcall = error, getmetatable, ipairs, load, next, pcall
local rawequal, rawget, rawlen, select, setmetatable = rawequal, rawget, rawlen, select, setmetatable
local tostring, tonumber, type, xpcall = tostring, tonumber, type, xpcall
local concat, sort, unpack = table.concat, table.sort, table.unpack
local byte, find, gsub, match, sub = string.byte, string.find, string.gsub, string.match, string.sub
local floor, log = math.floor, math.log
local getinfo, sethook = debug.getinfo, debug.sethook
local co_create, co_resume, co_status = coroutine.create, coroutine.resume, coroutine.status
local real_date, real_time = os.date, os.time

local parts, trace, out, err = {}, {}, {}, {}
local chars = 0
local G = {}

local function copy(from, names)
  local to = {}
  for name in names:gmatch("%w+") do to[name] = from[name] end
  return to
end

-- Writing
-- ----------------------------------------------------------------------------------------------------------

local function emit(text)
  chars = chars + #text
  if chars > limit then
    parts = {}
    error("output limit", 0)
  end
  parts[#parts + 1] = text
end

-- The trace has an entry for what breaks lines and for what comes first on a line.
local fresh = true
local function emit_lines(number, text)
  local count, after, at = 0, 1, find(text, "\n", 1, true)
  while at do
    count, after = count + 1, at + 1
    at = find(text, "\n", after, true)
  end
  if count > 0 or fresh then trace[#trace + 1] = number .. ":" .. count end
  fresh = (fresh or count > 0) and not find(text, "%S", after)
  emit(text)
end

-- Names for tables and functions that do not depend on where they lie in memory.
local ordinals, last = setmetatable({}, {__mode = "k"}), 0
local function stable(value)
  local text = tostring(value)
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" and kind ~= "thread" then return text end
  if not match(text, "^%a+: 0x%x+$") and not match(text, "^builtin: %x+$") then return text end
  if not ordinals[value] then
    last = last + 1
    ordinals[value] = last
  end
  return kind .. ": " .. ordinals[value]
end
G.tostring = function(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'tostring' (value expected)", 2) end
  return stable((...))
end

G.print = function(...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = stable((select(i, ...))) end
  out[#out + 1] = concat(words, "\t") .. "\n"
end

local function stream(lines)
  local file = {}
  function file.write(self, ...)
    for i = 1, select("#", ...) do lines[#lines + 1] = stable((select(i, ...))) end
    return self
  end
  file.flush = function(self) return self end
  return file
end

-- A library whose other functions say that they are not there.
local function guarded(library, name, reason)
  return setmetatable(library, {
    __index = function(_, key) error(name .. "." .. stable(key) .. ": " .. reason, 2) end,
    __metatable = false,
  })
end

-- Base

for _, name in ipairs({
  "_VERSION", "assert", "error", "getmetatable", "ipairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
  "select", "tonumber", "type", "xpcall",
}) do G[name] = _G[name] end
G._G = G
G.unpack = unpack
G.collectgarbage = function() return 0 end

-- No finalizers: they would run outside the limit of steps.
G.setmetatable = function(value, meta)
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
    error("__gc is not allowed in templates", 2)
  end
  return setmetatable(value, meta)
end

-- Traversal in an order that is the same in every run: the array part, numbers, texts, then the rest.
local rank = {number = 1, string = 2, boolean = 3}
local function before(a, b)
  local ra, rb = rank[type(a)] or 4, rank[type(b)] or 4
  if ra ~= rb then return ra < rb end
  if ra < 3 then return a < b end
  return ra == 3 and a and not b
end
local orders = setmetatable({}, {__mode = "k"})
local function order_of(value)
  local length, keys, others = rawlen(value), {}, {}
  for key in next, value do
    if not (type(key) == "number" and key >= 1 and key <= length and key == floor(key)) then
      local known = rank[type(key)]
      if known then keys[#keys + 1] = key else others[#others + 1] = key end
    end
  end
  sort(keys, before)
  for _, key in ipairs(others) do keys[#keys + 1] = key end
  local positions = {}
  for i = 1, #keys do positions[keys[i]] = i end
  local order = {length = length, keys = keys, positions = positions}
  orders[value] = order
  return order
end
local function step(value, key)
  if type(value) ~= "table" then
    error("bad argument #1 to 'next' (table expected, got " .. type(value) .. ")", 3)
  end
  local order = orders[value]
  if key == nil or not order then order = order_of(value) end
  local length, at = order.length, 0
  if key ~= nil then at = order.positions[key] end
  if key == nil or not at then
    if key ~= nil and not (type(key) == "number" and key <= length) then error("invalid key to 'next'", 3) end
    for i = (key or 0) + 1, length do
      local item = rawget(value, i)
      if item ~= nil then return i, item end
    end
    at = 0
  end
  for i = at + 1, #order.keys do
    local item = rawget(value, order.keys[i])
    if item ~= nil then return order.keys[i], item end
  end
  return nil
end
G.next = function(value, key) return step(value, key) end
G.pairs = function(value)
  local meta = getmetatable(value)
  if type(meta) == "table" and rawget(meta, "__pairs") then
    local a, b, c = meta.__pairs(value)
    return a, b, c
  end
  if type(value) ~= "table" then
    error("bad argument #1 to 'pairs' (table expected, got " .. type(value) .. ")", 2)
  end
  return step, value, nil
end

-- Source text only: prepared bytecode could break the engine.
G.load = function(chunk, name, _, env)
  if type(chunk) == "function" then
    local texts = {}
    repeat
      local text = chunk()
      if text ~= nil and type(text) ~= "string" then return nil, "reader function must return a string" end
      texts[#texts + 1] = text
    until text == nil or text == ""
    chunk = concat(texts)
  end
  if type(chunk) ~= "string" then error("bad argument #1 to 'load' (string expected)", 2) end
  if byte(chunk, 1) == 27 then return nil, "bytecode cannot be loaded in templates" end
  if env == nil then env = G end
  return load(chunk, type(name) == "string" and name or "=load", "t", env)
end

-- Libraries
-- --------------------------------------------------------------------------------------------------------

G.string = string
string.dump = nil
getmetatable("").__metatable = false
G.table = copy(table, "concat insert pack remove sort unpack")
G.bit32 = bit32

-- What Lua 5.2 keeps of 5.1 when it is built as it comes; not every build has it.
G.loadstring = G.load
G.table.maxn = function(list)
  local most = 0
  for key in next, list do
    if type(key) == "number" and key > most then most = key end
  end
  return most
end
G.math = copy(math, "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log max"
  .. " min modf pi pow rad sin sinh sqrt tan tanh")
G.math.log10 = function(x) return log(x, 10) end

-- The multiplicative generator of Park and Miller (factor 48271, modulus 2^31 - 1).
local state
local function draw()
  state = state * 48271 % 2147483647
  return (state - 1) / 2147483646
end
local function set_seed(value)
  state = floor(value) % 2147483646 + 1
  for _ = 1, 4 do draw() end
end
set_seed(seed)
G.math.randomseed = function(value)
  value = tonumber(value)
  if not value or value ~= value or value == 1 / 0 or value == -1 / 0 then
    error("bad argument #1 to 'randomseed' (finite number expected)", 2)
  end
  set_seed(value)
end
G.math.random = function(low, high)
  local r = draw()
  if low == nil then return r < 1 and r or 0 end
  if high == nil then low, high = 1, low end
  low, high = tonumber(low), tonumber(high)
  if not low or not high then error("bad argument to 'random' (number expected)", 2) end
  if low > high then error("bad argument to 'random' (interval is empty)", 2) end
  local value = low + floor(r * (floor(high) - low + 1))
  return value > high and high or value
end

local no_files = "templates cannot reach files or programs"
G.io = guarded({stdout = stream(out), stderr = stream(err)}, "io", no_files)
G.io.write = function(...) return G.io.stdout:write(...) end
-- No file is there: templates that draw pictures look whether a name is free.
G.io.open = function(name, mode)
  if mode == nil or find(mode, "^r[b]?$") then return nil, tostring(name) .. ": no such file", 2 end
  error("io.open: " .. no_files, 2)
end
G.os = guarded({}, "os", no_files)
G.os.clock = function() return 0 end
G.os.difftime = function(a, b) return a - (b or 0) end
G.os.time = function(fields) return fields == nil and clock or real_time(fields) end
G.os.date = function(format, time)
  format = format == nil and "%c" or tostring(format)
  if find(gsub(format, "%%[aAbBcdHIjmMpSUwWxXyYZ%%]", ""), "%%") then
    error("bad argument #1 to 'date' (unknown conversion in '" .. format .. "')", 2)
  end
  return real_date(sub(format, 1, 1) == "!" and format or "!" .. format, time or clock)
end
G.debug = guarded({}, "debug", "not available in templates")
G.debug.getinfo = function() return {source = "template", short_src = "template", currentline = 0} end

-- Errors that the template catches, except that of too many steps.
local late = false
local function caught(...)
  if late then error("step limit", 0) end
  return ...
end
G.pcall = function(...) return caught(pcall(...)) end
G.xpcall = function(...) return caught(xpcall(...)) end

-- Coroutines: their steps count as those of the template.
local hook
local block = 10000 -- steps that are counted at once
G.coroutine = copy(coroutine, "isyieldable resume running status yield")
G.coroutine.create = function(body)
  local thread = co_create(body)
  sethook(thread, hook, "", block)
  return thread
end
G.coroutine.wrap = function(body)
  local thread = G.coroutine.create(body)
  local function results(ok, ...)
    if not ok then error((...), 0) end
    return ...
  end
  return function(...) return results(co_resume(thread, ...)) end
end

-- Modules: the standard libraries and our own; nothing is looked for on disk.
local sources, names = {}, {}
for i = 1, #module_sources, 2 do
  sources[module_sources[i]] = module_sources[i + 1]
  names[#names + 1] = module_sources[i]
end
local loaded = {}
for _, name in ipairs({"bit32", "coroutine", "debug", "io", "math", "os", "string", "table", "_G"}) do
  loaded[name] = G[name]
end
G.package = guarded({loaded = loaded}, "package", "not available in templates")

-- What the module gd, its pictures and its colors are here: each call gives another of them, and draws nothing.
local drawing = {}
setmetatable(drawing, {
  __index = function() return function() return drawing end end,
  __newindex = function() end,
  __metatable = false,
})
G.require = function(name)
  name = stable(name)
  if loaded[name] ~= nil then return loaded[name] end
  if name == "gd" then
    G.io.stderr:write("module 'gd' draws nothing here; use a ready-made texture file\n")
    loaded.gd = drawing
    return drawing
  end
  if not sources[name] then
    sort(names)
    error("no module '" .. name .. "'; allowed: " .. concat(names, ", "), 2)
  end
  loaded[name] = load(sources[name], "=" .. name, "t", G)()
  return loaded[name]
end

-- Running
-- ----------------------------------------------------------------------------------------------------------

local function template_line()
  for level = 2, 200 do
    local info = getinfo(level, "Sl")
    if not info then return 0 end
    if info.source == "=template" and info.currentline > 0 then return info.currentline end
  end
  return 0
end

local failed_line, taken = 0, 0
hook = function()
  taken = taken + block
  if taken > steps then
    if not late then failed_line = template_line() end
    late = true
    error("step limit", 0)
  end
end

local function described(problem)
  if failed_line == 0 then failed_line = template_line() end
  if type(problem) == "string" then return problem end
  local ok, text = pcall(stable, problem)
  return ok and text or "an error that cannot be shown"
end

local function run()
  local build = load(data, "=fields", "t", {})
  G.fields, G.context = build()
  local template, problem = load(program, "=template", "t", G)
  if not template then error(problem, 0) end
  sethook(hook, "", block)
  template(emit_lines, function(number, value) emit_lines(number, stable(value)) end)
end

local ok, problem = xpcall(run, described)
sethook()
return ok, ok and "" or tostring(problem), failed_line, late, chars > limit,
  concat(parts), concat(trace, ","), concat(out), concat(err)
