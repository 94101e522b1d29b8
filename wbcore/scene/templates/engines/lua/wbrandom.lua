-- Random numbers from a seed: x' = (1140671485 x + 12820163) mod 2^24, the generator of old Visual Basic.
-- The first seed is 0. The product is rounded to a double as in Webots, so the sequences agree.
local M = {}

local range = 2 ^ 24
local state = 0

local function advance()
  state = (1140671485 * state + 12820163) % range
  return state
end

local function interval(low, high, default_low, default_high)
  if low == nil then return 0, default_high end
  if high == nil then return default_low, low end
  return low, high
end

function M.seed(value)
  state = value
end

-- In [low, high]; real(): in [0, 1], real(high): in [0, high].
function M.real(low, high)
  low, high = interval(low, high, 0, 1)
  return low + advance() * (high - low) / (range - 1)
end

-- From low to high; integer(): from 0 to 2^24 - 1, integer(high): from 1 to high.
function M.integer(low, high)
  low, high = interval(low, high, 1, range - 1)
  return low + advance() % (high - low + 1)
end

return M
