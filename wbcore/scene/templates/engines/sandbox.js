// The world of a JavaScript template: what it can see beside the language itself, and the writing of its
// text. Runs once for each rendering, in a fresh context, before the template. What it needs later it keeps
// to itself, because the template may change every global.
"use strict";

globalThis.__wb = (function () {
  const stringify = JSON.stringify;
  const unbound = (method) => Function.prototype.call.bind(method);
  const join = unbound(Array.prototype.join), has = unbound(Object.prototype.hasOwnProperty);
  const indexOf = unbound(String.prototype.indexOf), slice = unbound(String.prototype.slice);
  const trim = unbound(String.prototype.trim);
  const modules = Object.create(null);
  const loaded = Object.create(null);
  let parts = [], trace = [];
  let chars = 0, limit = 0, fresh = true;

  function emit(text) {
    chars += text.length;
    if (chars > limit) {
      parts = [];
      throw new RangeError("output limit");
    }
    parts[parts.length] = text;
  }

  // The trace has an entry for what breaks lines and for what comes first on a line.
  function emitLines(number, text) {
    let count = 0, last = 0;
    for (let at = indexOf(text, "\n"); at >= 0; at = indexOf(text, "\n", last)) {
      ++count;
      last = at + 1;
    }
    if (count || fresh)
      trace[trace.length] = number + ":" + count;
    fresh = (fresh || count > 0) && trim(slice(text, last)) === "";
    emit(text);
  }

  // Numbered properties: writing number n writes the value of expression n.
  const expressions = new Proxy({}, {
    set(target, number, value) {
      emitLines(number, "" + value);
      return true;
    }
  });

  function use(name) {
    if (!has(loaded, name))
      loaded[name] = Object.freeze(modules[name](use));
    return loaded[name];
  }

  // Date: the clock of the caller instead of the machine's, in universal time.
  function setClock(now) {
    const RealDate = Date;
    function FixedDate(...parameters) {
      if (!new.target)
        return new RealDate(now).toString();
      return Reflect.construct(RealDate, parameters.length ? parameters : [now], new.target);
    }
    FixedDate.prototype = RealDate.prototype;
    Object.defineProperty(FixedDate, "name", {value: "Date"});
    FixedDate.UTC = RealDate.UTC;
    FixedDate.parse = RealDate.parse;
    FixedDate.now = () => now;
    RealDate.prototype.constructor = FixedDate;
    globalThis.Date = FixedDate;
  }

  // Math.random: the multiplicative generator of Park and Miller (factor 48271, modulus 2^31 - 1).
  function setSeed(seed) {
    let state = seed;
    Math.random = () => {
      state = state * 48271 % 2147483647;
      return (state - 1) / 2147483646;
    };
    for (let i = 0; i < 4; ++i)
      Math.random();
  }

  function shown(values) {
    const words = [];
    for (const value of values)
      words[words.length] = typeof value === "object" ? stringify(value, null, 1) : String(value);
    return join(words, " ");
  }

  const stdout = [], stderr = [];
  const print = (...values) => { stdout[stdout.length] = shown(values); };
  const complain = (...values) => { stderr[stderr.length] = shown(values); };
  const refuse = (name) => () => {
    throw new Error("wbfile." + name + ": templates cannot read or write files");
  };
  globalThis.stdout = stdout;
  globalThis.stderr = stderr;
  globalThis.console = {log: print, info: print, warn: print, debug: print, error: complain};
  globalThis.wbfile = {
    fileExists: refuse("fileExists"),
    readTextFile: refuse("readTextFile"),
    writeTextFile: refuse("writeTextFile")
  };
  // Memory of several threads, clocks, and what comes from browsers: results may depend on none of them.
  for (const name of ["SharedArrayBuffer", "Atomics", "performance", "queueMicrotask", "atob", "btoa", "DOMException"])
    delete globalThis[name];

  // Where memory is too short even for an error, the engine throws null.
  function described(error) {
    try {
      if (error === null)
        return "InternalError: out of memory";
      if (error instanceof Error)
        return error.name + ": " + error.message + "\n" + error.stack;
      return typeof error === "object" ? stringify(error) : String(error);
    } catch (second) {
      return "an error that cannot be shown";
    }
  }

  function run(template, data, seed, clock, most) {
    delete globalThis.__wb;
    limit = most;
    setSeed(seed);
    setClock(clock);
    const result = {};
    try {
      const values = data();
      template(emitLines, expressions, use, values[0], values[1]);
    } catch (error) {
      result.failed = described(error);
    }
    result.over = chars > limit;
    result.text = join(parts, "");
    result.trace = join(trace, ",");
    result.out = join(stdout, "\n");
    result.err = join(stderr, "\n");
    return stringify(result);
  }

  return {run, modules};
})();
