// Rotations {x, y, z, a} (axis and angle in radians), quaternions {w, x, y, z}, matrices with keys 0 to 8 row
// by row.
"use strict";

__wb.modules.wbrotation = function (use) {
  const {assert, error, isAxisAngle, isMatrix3, isQuaternion, isVector3} = use("wbutility");
  const expect = (name, holds, what) => assert(holds, "wbrotation." + name + ": expected " + what);
  const axisAngle = (name, ...rotations) =>
    expect(name, rotations.every(isAxisAngle), "objects with keys x, y, z and a");

  // Below 0.0001 rad the result is no rotation about y.
  function fromQuaternion(q) {
    expect("fromQuaternion", isQuaternion(q), "an object with keys w, x, y and z");
    const angle = 2 * Math.acos(q.w);
    if (angle < 0.0001)
      return {x: 0, y: 1, z: 0, a: 0};
    const length = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    return {x: q.x / length, y: q.y / length, z: q.z / length, a: angle};
  }

  // Normalizes its argument, too.
  function toQuaternion(r) {
    axisAngle("toQuaternion", r);
    normalize(r);
    const sine = Math.sin(r.a / 2);
    return {w: Math.cos(r.a / 2), x: r.x * sine, y: r.y * sine, z: r.z * sine};
  }

  // The axis is not normalized; it has length 2 sin(a).
  function fromMatrix3(m) {
    expect("fromMatrix3", isMatrix3(m), "an object with keys 0 to 8");
    const cosine = (m[0] + m[4] + m[8] - 1) / 2;
    if (Math.abs(cosine) > 1)
      return {x: 1, y: 0, z: 0, a: 0};
    return {x: m[7] - m[5], y: m[2] - m[6], z: m[3] - m[1], a: Math.acos(cosine)};
  }

  // Rodrigues' formula: cos(a) I + (1 - cos(a)) n n' + sin(a) [n].
  function toMatrix3(r) {
    axisAngle("toMatrix3", r);
    const c = Math.cos(r.a), s = Math.sin(r.a), t = 1 - c;
    const xy = r.x * r.y * t, xz = r.x * r.z * t, yz = r.y * r.z * t;
    return Object.assign({}, [
      r.x * r.x * t + c, xy - r.z * s, xz + r.y * s,
      xy + r.z * s, r.y * r.y * t + c, yz - r.x * s,
      xz - r.y * s, yz + r.x * s, r.z * r.z * t + c
    ]);
  }

  // In place: an axis of length 1, an angle in [-pi, pi].
  function normalize(r) {
    axisAngle("normalize", r);
    if (r.x === 0 && r.y === 0 && r.z === 0)
      error("wbrotation.normalize: the axis has no length");
    else {
      const scale = 1 / Math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
      r.x *= scale;
      r.y *= scale;
      r.z *= scale;
    }
    const turn = 2 * Math.PI;
    if (r.a > Math.PI)
      r.a -= turn * Math.ceil((r.a - Math.PI) / turn);
    else if (r.a < -Math.PI)
      r.a += turn * Math.ceil((-Math.PI - r.a) / turn);
    return r;
  }

  // First s, then r.
  function combine(r, s) {
    axisAngle("combine", r, s);
    const p = toQuaternion(r), q = toQuaternion(s);
    return fromQuaternion({
      w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
      x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      y: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
      z: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w
    });
  }

  function rotateVector3ByMatrix3(m, v) {
    expect("rotateVector3ByMatrix3", isMatrix3(m) && isVector3(v),
      "an object with keys 0 to 8 and one with x, y, z");
    return {
      x: m[0] * v.x + m[1] * v.y + m[2] * v.z,
      y: m[3] * v.x + m[4] * v.y + m[5] * v.z,
      z: m[6] * v.x + m[7] * v.y + m[8] * v.z
    };
  }

  const rotateVector3ByRotation = (r, v) => rotateVector3ByMatrix3(toMatrix3(r), v);

  return {
    equal(r, s) {
      axisAngle("equal", r, s);
      return r.x === s.x && r.y === s.y && r.z === s.z && r.a === s.a;
    },
    fromQuaternion,
    toQuaternion,
    fromMatrix3,
    toMatrix3,
    isIdentity: (r) => r.a === 0,
    normalize,
    combine,
    rotateVector3ByMatrix3,
    rotateVector3ByRotation,
    rotateVector3ByQuaternion: (q, v) => rotateVector3ByRotation(fromQuaternion(q), v)
  };
};
