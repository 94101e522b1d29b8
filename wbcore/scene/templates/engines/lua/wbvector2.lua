-- Vectors {x, y}.
local M = {}

function M.equal(a, b) return a.x == b.x and a.y == b.y end
function M.add(a, b) return {x = a.x + b.x, y = a.y + b.y} end
function M.minus(a, b) return {x = a.x - b.x, y = a.y - b.y} end
function M.multiply(v, factor) return {x = v.x * factor, y = v.y * factor} end
function M.dot(a, b) return a.x * b.x + a.y * b.y end
function M.cross(a, b) return a.x * b.y - b.x * a.y end
function M.norm(v) return math.sqrt(M.dot(v, v)) end
function M.distance(a, b) return M.norm(M.minus(a, b)) end

-- Angle from the y axis, clockwise: atan2(x, y).
function M.atan2(v) return math.atan2(v.x, v.y) end

-- The same angle for the way from b to a.
function M.angle(a, b) return M.atan2(M.minus(a, b)) end

function M.normalize(v)
  local length = M.norm(v)
  if length == 0 then error("wbvector2.normalize: the vector has no length", 2) end
  return {x = v.x / length, y = v.y / length}
end

-- Where x (or y, with the axes exchanged) of two lines agrees; nil for parallel lines.
local function crossing(p, q, r, s, along, across)
  local m1 = (p[across] - q[across]) / (p[along] - q[along])
  local m2 = (r[across] - s[across]) / (r[along] - s[along])
  if m1 == m2 then return nil end
  local c1 = p[across] - m1 * p[along]
  local c2 = r[across] - m2 * r[along]
  local at = (c2 - c1) / (m1 - m2)
  return {[along] = at, [across] = m2 * at + c2}
end

-- The point where segment p1-p2 meets segment p3-p4, nil if they do not meet or are parallel.
function M.intersection(p1, p2, p3, p4)
  if M.equal(p1, p2) or M.equal(p3, p4) then return nil end
  if p1.x == p2.x and p3.x == p4.x or p1.y == p2.y and p3.y == p4.y then return nil end
  local steep = p1.x == p2.x or p3.x == p4.x
  local point = crossing(p1, p2, p3, p4, steep and "y" or "x", steep and "x" or "y")
  if not point then return nil end
  local low = math.max(math.min(p1.x, p2.x), math.min(p3.x, p4.x))
  local high = math.min(math.max(p1.x, p2.x), math.max(p3.x, p4.x))
  if point.x < low or point.x > high then return nil end
  return point
end

return M
