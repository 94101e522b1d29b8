-- Work on file names; files themselves are out of reach.
local M = {}

-- The folder part of a path, with '/' between its parts and none at the end.
function M.getpathwithoutfilename(path)
  return (path:gsub("\\", "/"):match("^(.*)/"))
end

return M
