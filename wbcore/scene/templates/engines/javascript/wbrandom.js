// Random numbers from a seed: x' = (1140671485 x + 12820163) mod 2^24, the generator of old Visual Basic.
// The first seed is 0. The product is rounded to a double as in Webots, so the sequences agree.
"use strict";

__wb.modules.wbrandom = function (use) {
  const {assert, isScalar} = use("wbutility");
  const RANGE = 2 ** 24;
  let state = 0;

  const advance = () => state = (1140671485 * state + 12820163) % RANGE;

  function interval(name, low, high, defaultLow, defaultHigh) {
    if (low === undefined)
      [low, high] = [0, defaultHigh];
    else if (high === undefined)
      [low, high] = [defaultLow, low];
    assert(isScalar(low) && isScalar(high), "wbrandom." + name + ": the parameters must be numbers");
    return [low, high];
  }

  return {
    seed(value) { state = value; },
    // In [low, high]; real(): in [0, 1], real(high): in [0, high].
    real(min, max) {
      const [low, high] = interval("real", min, max, 0, 1);
      return low + advance() * (high - low) / (RANGE - 1);
    },
    // From low to high; integer(): from 0 to 2^24 - 1, integer(high): from 1 to high.
    integer(min, max) {
      const [low, high] = interval("integer", min, max, 1, RANGE - 1);
      return low + advance() % (1 + high - low);
    }
  };
};
