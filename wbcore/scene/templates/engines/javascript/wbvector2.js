// Vectors {x, y}. Wrong parameters are reported on the error stream, as in Webots.
"use strict";

__wb.modules.wbvector2 = function (use) {
  const {assert, error, isScalar, isVector2} = use("wbutility");
  const check = (name, ...vectors) =>
    assert(vectors.every(isVector2), "wbvector2." + name + ": expected objects with keys x and y");

  const add = (a, b) => ({x: a.x + b.x, y: a.y + b.y});
  const minus = (a, b) => ({x: a.x - b.x, y: a.y - b.y});
  const dot = (a, b) => a.x * b.x + a.y * b.y;
  const norm = (v) => Math.sqrt(dot(v, v));
  const same = (a, b) => a.x === b.x && a.y === b.y;
  const checked = (name, compute) => (...vectors) => {
    check(name, ...vectors.slice(0, compute.length));
    return compute(...vectors);
  };

  // Where two lines given by points cross, reckoned along one axis; null for parallel lines.
  function crossing(p, q, r, s, along, across) {
    const m1 = (p[across] - q[across]) / (p[along] - q[along]);
    const m2 = (r[across] - s[across]) / (r[along] - s[along]);
    if (m1 === m2)
      return null;
    const c1 = p[across] - m1 * p[along];
    const c2 = r[across] - m2 * r[along];
    const at = (c2 - c1) / (m1 - m2);
    return {[along]: at, [across]: m2 * at + c2};
  }

  // The point where segment p1-p2 meets segment p3-p4, null if they do not meet or are parallel.
  function intersection(p1, p2, p3, p4) {
    if (same(p1, p2) || same(p3, p4))
      return null;
    if ((p1.x === p2.x && p3.x === p4.x) || (p1.y === p2.y && p3.y === p4.y))
      return null;
    const steep = p1.x === p2.x || p3.x === p4.x;
    const point = crossing(p1, p2, p3, p4, steep ? "y" : "x", steep ? "x" : "y");
    const low = Math.max(Math.min(p1.x, p2.x), Math.min(p3.x, p4.x));
    const high = Math.min(Math.max(p1.x, p2.x), Math.max(p3.x, p4.x));
    return point === null || point.x < low || point.x > high ? null : {x: point.x, y: point.y};
  }

  return {
    equal: checked("equal", same),
    add: checked("add", add),
    minus: checked("minus", minus),
    multiply(v, factor) {
      check("multiply", v);
      assert(isScalar(factor), "wbvector2.multiply: expected a number as second parameter");
      return {x: factor * v.x, y: factor * v.y};
    },
    norm: checked("norm", norm),
    distance: checked("distance", (a, b) => norm(minus(a, b))),
    // Direction of the way from b to a, in radians from the x axis.
    angle: checked("angle", (a, b) => Math.atan2(a.y - b.y, a.x - b.x)),
    cross: checked("cross", (a, b) => a.x * b.y - a.y * b.x),
    dot: checked("dot", dot),
    normalize: checked("normalize", (v) => {
      const length = norm(v);
      if (length !== 0)
        return {x: v.x / length, y: v.y / length};
      error("wbvector2.normalize: the vector has no length");
      return null;
    }),
    intersection: checked("intersection", intersection)
  };
};
