-- Vectors {x, y, z}.
local M = {}

function M.equal(a, b) return a.x == b.x and a.y == b.y and a.z == b.z end
function M.add(a, b) return {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z} end
function M.minus(a, b) return {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z} end
function M.multiply(v, factor) return {x = v.x * factor, y = v.y * factor, z = v.z * factor} end
function M.dot(a, b) return a.x * b.x + a.y * b.y + a.z * b.z end
function M.norm(v) return math.sqrt(M.dot(v, v)) end
function M.distance(a, b) return M.norm(M.minus(a, b)) end

function M.cross(a, b)
  return {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}
end

function M.normalize(v)
  local length = M.norm(v)
  if length == 0 then error("wbvector3.normalize: the vector has no length", 2) end
  return {x = v.x / length, y = v.y / length, z = v.z / length}
end

return M
