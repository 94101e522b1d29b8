-- Rotations {x, y, z, a} (axis and angle in radians), quaternions {w, x, y, z}, matrices of 9 numbers row by
-- row.
local M = {}

function M.equal(r, s) return r.x == s.x and r.y == s.y and r.z == s.z and r.a == s.a end
function M.isvalid(r) return r.x ~= 0 or r.y ~= 0 or r.z ~= 0 end
function M.isidentity(r) return r.a == 0 end

-- Below 0.0001 rad the result is no rotation about y.
function M.fromquaternion(q)
  local angle = 2 * math.acos(q.w)
  if angle < 0.0001 then return {x = 0, y = 1, z = 0, a = 0} end
  local length = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z)
  return {x = q.x / length, y = q.y / length, z = q.z / length, a = angle}
end

-- Normalizes its argument, too.
function M.toquaternion(r)
  M.normalize(r)
  local s = math.sin(r.a / 2)
  return {w = math.cos(r.a / 2), x = r.x * s, y = r.y * s, z = r.z * s}
end

-- The axis is not normalized; it has length 2 sin(a).
function M.frommatrix3(m)
  local cosine = (m[1] + m[5] + m[9] - 1) / 2
  if math.abs(cosine) > 1 then return {x = 1, y = 0, z = 0, a = 0} end
  return {x = m[8] - m[6], y = m[3] - m[7], z = m[4] - m[2], a = math.acos(cosine)}
end

-- Rodrigues' formula: cos(a) I + (1 - cos(a)) n n' + sin(a) [n].
function M.tomatrix3(r)
  local c, s = math.cos(r.a), math.sin(r.a)
  local t = 1 - c
  local xy, xz, yz = r.x * r.y * t, r.x * r.z * t, r.y * r.z * t
  return {
    r.x * r.x * t + c, xy - r.z * s, xz + r.y * s,
    xy + r.z * s, r.y * r.y * t + c, yz - r.x * s,
    xz - r.y * s, yz + r.x * s, r.z * r.z * t + c,
  }
end

-- In place: angle in [-pi, pi].
function M.normalizeangle(r)
  local turn = 2 * math.pi
  if r.a > math.pi then
    r.a = r.a - turn * math.ceil((r.a - math.pi) / turn)
  elseif r.a < -math.pi then
    r.a = r.a + turn * math.ceil((-math.pi - r.a) / turn)
  end
end

-- In place: an axis of length 1; (0, 1, 0) if there is none.
function M.normalizeaxis(r)
  if not M.isvalid(r) then r.x, r.y, r.z = 0, 1, 0 end
  local scale = 1 / math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
  r.x, r.y, r.z = r.x * scale, r.y * scale, r.z * scale
end

function M.normalize(r)
  M.normalizeaxis(r)
  M.normalizeangle(r)
  return r
end

-- First s, then r.
function M.combine(r, s)
  local p, q = M.toquaternion(r), M.toquaternion(s)
  return M.fromquaternion({
    w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
    y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
    z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
  })
end

function M.rotatevector3bymatrix3(m, v)
  return {
    x = m[1] * v.x + m[2] * v.y + m[3] * v.z,
    y = m[4] * v.x + m[5] * v.y + m[6] * v.z,
    z = m[7] * v.x + m[8] * v.y + m[9] * v.z,
  }
end

function M.rotatevector3byrotation(r, v) return M.rotatevector3bymatrix3(M.tomatrix3(r), v) end
function M.rotatevector3byquaternion(q, v) return M.rotatevector3byrotation(M.fromquaternion(q), v) end

return M
