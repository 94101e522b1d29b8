// Vectors {x, y, z}. Wrong parameters are reported on the error stream, as in Webots.
"use strict";

__wb.modules.wbvector3 = function (use) {
  const {assert, error, isScalar, isVector3} = use("wbutility");
  const check = (name, ...vectors) =>
    assert(vectors.every(isVector3), "wbvector3." + name + ": expected objects with keys x, y and z");

  const minus = (a, b) => ({x: a.x - b.x, y: a.y - b.y, z: a.z - b.z});
  const dot = (a, b) => a.x * b.x + a.y * b.y + a.z * b.z;
  const norm = (v) => Math.sqrt(dot(v, v));
  const checked = (name, compute) => (...vectors) => {
    check(name, ...vectors.slice(0, compute.length));
    return compute(...vectors);
  };

  return {
    equal: checked("equal", (a, b) => a.x === b.x && a.y === b.y && a.z === b.z),
    add: checked("add", (a, b) => ({x: a.x + b.x, y: a.y + b.y, z: a.z + b.z})),
    minus: checked("minus", minus),
    multiply(v, factor) {
      check("multiply", v);
      assert(isScalar(factor), "wbvector3.multiply: expected a number as second parameter");
      return {x: factor * v.x, y: factor * v.y, z: factor * v.z};
    },
    norm: checked("norm", norm),
    distance: checked("distance", (a, b) => norm(minus(a, b))),
    cross: checked("cross", (a, b) =>
      ({x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x})),
    dot: checked("dot", dot),
    normalize: checked("normalize", (v) => {
      const length = norm(v);
      if (length !== 0)
        return {x: v.x / length, y: v.y / length, z: v.z / length};
      error("wbvector3.normalize: the vector has no length");
      return null;
    })
  };
};
