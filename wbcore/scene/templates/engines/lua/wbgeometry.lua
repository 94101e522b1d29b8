-- Circles, polygons and splines; points are {x, y} or {x, y, z}.
local M = {}

-- div + 1 points of a circle, the last on the first; shift is the angle of the first in radians.
function M.circle(radius, div, cx, cy, shift)
  local points, step = {}, 2 * math.pi / div
  for i = 0, div do
    local angle = i * step + shift
    points[i + 1] = {x = cx + radius * math.cos(angle), y = cy + radius * math.sin(angle)}
  end
  return points
end

-- Whether a ray from (x, y) in direction x crosses the outline an odd number of times.
function M.ispointinpolygon(x, y, polygon)
  if #polygon < 3 then return false end
  local inside = false
  local a = polygon[#polygon]
  for _, b in ipairs(polygon) do
    if (y > a.y) ~= (y > b.y) and x <= math.max(a.x, b.x) then
      if a.x == b.x or x <= a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y) then inside = not inside end
    end
    a = b
  end
  return inside
end

-- The point nearest to the reference, the first of equals; the reference itself if there are no points.
function M.findclosest2Dpointinarray(reference, points)
  local wbvector2 = require("wbvector2")
  local nearest, least = reference, math.huge
  for _, point in ipairs(points) do
    local distance = wbvector2.distance(reference, point)
    if distance < least then nearest, least = point, distance end
  end
  return nearest
end

-- Whether the outline turns right as Webots computes it: true if the sum of (x' - x)(y' + y) is negative.
function M.islistclockwise2D(points)
  local sum = 0
  for i, point in ipairs(points) do
    local following = points[i + 1] or points[1]
    sum = sum + (following.x - point.x) * (following.y + point.y)
  end
  return sum < 0
end

-- Values of the uniform cubic B-spline through one coordinate of four control points, at t from 0 to 1.
local function blend(p, q, r, s, axis, t)
  local a = (-p[axis] + 3 * q[axis] - 3 * r[axis] + s[axis]) / 6
  local b = (3 * p[axis] - 6 * q[axis] + 3 * r[axis]) / 6
  local c = (-3 * p[axis] + 3 * r[axis]) / 6
  local d = (p[axis] + 4 * q[axis] + r[axis]) / 6
  return (c + t * (b + t * a)) * t + d
end

-- Prolongs the points straight on by two at either end (indices -1 and 0, n + 1 and n + 2), as Webots does.
local function prolong(points, n, vector)
  local function beyond(from, inner) return vector.add(from, vector.minus(from, inner)) end
  points[0] = beyond(points[1], points[2])
  points[-1] = beyond(points[0], points[1])
  points[n + 1] = beyond(points[n], points[n - 1])
  points[n + 2] = beyond(points[n + 1], points[n])
end

local function spline(points, subdivision, vector, axes, first)
  local n = #points
  prolong(points, n, vector)
  local curve = {points[1]}
  for i = first, n - 1 do
    for j = 1, subdivision do
      local point = {}
      for _, axis in ipairs(axes) do
        point[axis] = blend(points[i - 1], points[i], points[i + 1], points[i + 2], axis, j / subdivision)
      end
      curve[#curve + 1] = point
    end
  end
  return curve
end

-- Points of a cubic B-spline, `subdivision` for each segment. The list of points is prolonged in place.
function M.bspline2D(points, subdivision)
  return spline(points, subdivision, require("wbvector2"), {"x", "y"}, 0)
end

function M.bspline3D(points, subdivision)
  return spline(points, subdivision, require("wbvector3"), {"x", "y", "z"}, 1)
end

return M
