-- Cutting strings.
local M = {}

-- The parts of a text between matches of a pattern. Empty parts count between two matches, not at the ends.
function M.split(text, pattern)
  local parts, from = {}, 1
  local first, last = text:find(pattern, from)
  while first and last >= first do
    if first > 1 then parts[#parts + 1] = text:sub(from, first - 1) end
    from = last + 1
    first, last = text:find(pattern, from)
  end
  if from <= #text then parts[#parts + 1] = text:sub(from) end
  return parts
end

return M
