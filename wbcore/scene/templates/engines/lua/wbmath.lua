-- Rounding.
local M = {}

-- The nearest integer; halves go up.
function M.round(number)
  return math.floor(number + 0.5)
end

return M
