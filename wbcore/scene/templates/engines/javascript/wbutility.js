// Checks, conversions and messages.
"use strict";

__wb.modules.wbutility = function () {
  const out = stdout, err = stderr;
  const error = (message) => { err.push(message); };

  const has = Function.prototype.call.bind(Object.prototype.hasOwnProperty);

  // A check of an object for numbers of keys; that other keys exist does not matter, as in Webots.
  const keyed = (...keys) => (value) =>
    typeof value === "object" && value !== null && keys.every((key) => has(value, key));

  const isVector2 = keyed("x", "y");
  const isVector3 = keyed("x", "y", "z");

  return {
    // Writes the message to the error stream unless the statement holds; the template goes on.
    assert(statement, message) {
      if (!statement)
        error(message);
    },
    error,
    info(message) { out.push(message); },
    deepCopy: (original) => JSON.parse(JSON.stringify(original)),
    degreesToRadians: (angle) => angle * Math.PI / 180,
    radiansToDegrees: (angle) => angle * 180 / Math.PI,
    isScalar: (value) => typeof value === "number",
    isVector2,
    isVector3,
    isAxisAngle: keyed("x", "y", "z", "a"),
    isQuaternion: keyed("w", "x", "y", "z"),
    isMatrix3: keyed(0, 1, 2, 3, 4, 5, 6, 7, 8),
    isArrayOfPoints(array, dimension) {
      if (!Array.isArray(array))
        return false;
      if (dimension !== 2 && dimension !== 3) {
        error("wbutility.isArrayOfPoints: the second parameter must be 2 or 3");
        return false;
      }
      return array.every(dimension === 2 ? isVector2 : isVector3);
    }
  };
};
