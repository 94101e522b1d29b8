-- Copies and lengths of tables.
local M = {}

-- A copy of any value; tables are copied with all they hold, metatables included.
function M.deepcopy(value)
  if type(value) ~= "table" then return value end
  local result = {}
  for key, item in pairs(value) do result[M.deepcopy(key)] = M.deepcopy(item) end
  return setmetatable(result, M.deepcopy(getmetatable(value)))
end

-- Number of items from index 1 up to the first gap.
function M.tablelength(list)
  local n = 0
  while list[n + 1] ~= nil do n = n + 1 end
  return n
end

return M
