// Drawings of single devices: compass, attitude, and the robot with its distance sensors.
import {color, fit} from './dom.js';

// Vector (x forward, y left) of north, in the plane of the sensor.
export function drawCompass(canvas, north, isYUp) {
  const {pen, width, height} = fit(canvas);
  const r = Math.min(width, height) / 2 - 6;
  if (r <= 0) return; // layout is not finished yet
  pen.translate(width / 2, height / 2);
  pen.strokeStyle = color('--line');
  pen.lineWidth = 1.5;
  circle(pen, r);
  pen.stroke();
  const [x, y] = isYUp ? [north[0], -north[2]] : north;
  const angle = Math.atan2(y, x); // angle of north, counter-clockwise from the front
  pen.font = '12px system-ui';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  ['N', 'W', 'S', 'E'].forEach((letter, i) => {
    const a = -Math.PI / 2 - angle - (i * Math.PI) / 2;
    pen.fillStyle = color(letter === 'N' ? '--bad' : '--dim');
    pen.fillText(letter, (r - 11) * Math.cos(a), (r - 11) * Math.sin(a));
  });
  pen.rotate(-angle);
  arrow(pen, r - 24, color('--bad'), color('--dim'));
}

function circle(pen, r) {
  pen.beginPath();
  pen.arc(0, 0, r, 0, 2 * Math.PI);
}

function arrow(pen, length, front, back) {
  for (const [sign, style] of [[-1, front], [1, back]]) {
    pen.beginPath();
    pen.moveTo(0, sign * length);
    pen.lineTo(6, 0);
    pen.lineTo(-6, 0);
    pen.closePath();
    pen.fillStyle = style;
    pen.fill();
  }
}

// Roll, pitch and yaw (rad) of a quaternion x, y, z, w.
export function angles([x, y, z, w], isYUp) {
  if (isYUp) [y, z] = [-z, y];
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

export function drawAttitude(canvas, quaternion, isYUp) {
  const {pen, width, height} = fit(canvas);
  const r = Math.min(width, height) / 2 - 6;
  if (r <= 0) return;
  const [roll, pitch, yaw] = angles(quaternion, isYUp);
  pen.translate(width / 2, height / 2);
  pen.save();
  circle(pen, r);
  pen.clip();
  pen.rotate(-roll);
  const shift = (-pitch / (Math.PI / 2)) * r;
  pen.fillStyle = color('--sky');
  pen.fillRect(-2 * r, -3 * r, 4 * r, 3 * r + shift);
  pen.fillStyle = color('--earth');
  pen.fillRect(-2 * r, shift, 4 * r, 3 * r);
  pen.strokeStyle = color('--dim');
  for (let degrees = -60; degrees <= 60; degrees += 15) {
    const y = shift - (degrees / 90) * r;
    const half = degrees === 0 ? 2 * r : degrees % 30 ? 8 : 18;
    pen.beginPath();
    pen.moveTo(-half, y);
    pen.lineTo(half, y);
    pen.stroke();
  }
  pen.restore();
  pen.strokeStyle = color('--line');
  pen.lineWidth = 1.5;
  circle(pen, r);
  pen.stroke();
  pen.strokeStyle = color('--accent');
  pen.lineWidth = 3;
  pen.beginPath();
  for (const [from, to] of [[-34, -12], [12, 34], [-2, 2]]) {
    pen.moveTo(from, 0);
    pen.lineTo(to, 0);
  }
  pen.stroke();
  pen.fillStyle = color('--text');
  pen.font = '12px system-ui';
  pen.textAlign = 'center';
  pen.fillText(`${((yaw * 180) / Math.PI).toFixed(0)}°`, 0, r - 8);
}

// The distance (m) for a sensor value: its lookup table, inverted. Infrared sensors return the same value
// near and far: only the far side is used, up to the maximum of the curve.
export function distanceOf(table, value) {
  if (!table || !table.length) return value;
  const [farthest, last] = table.at(-1);
  if (value === last) return farthest;
  let way = 0; // 1: readings increase with the distance, -1: they decrease
  let nearest = farthest;
  for (let i = table.length - 1; i > 0; i--) {
    const [d0, v0] = table[i - 1];
    const [d1, v1] = table[i];
    const step = Math.sign(v1 - v0);
    if (step * way < 0) break;
    way ||= step;
    if (step && (value - v0) * (value - v1) <= 0) return d0 + ((d1 - d0) * (value - v0)) / (v1 - v0);
    nearest = d0;
  }
  return way && (value - last) * way < 0 ? nearest : farthest;
}

const LARGEST_MARK = 70; // size of a robot with a long sensor range, in page units

export function polygon(pen, points) {
  pen.beginPath();
  trace(pen, points);
}

// A closed part of a path.
export function trace(pen, points) {
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

// The robot from above, front up, with the rays of its distance sensors: {place, table, value, name}.
export function drawRays(canvas, outline, rays) {
  const {pen, width, height} = fit(canvas);
  let body = 0.02;
  for (const hull of outline) for (const [x, y] of hull) body = Math.max(body, Math.hypot(x, y));
  const far = (ray) => Math.min(ray.table.length ? ray.table[ray.table.length - 1][0] : 1, 12 * body);
  const ends = rays.map((ray) => [ray.place[0] + far(ray) * Math.cos(ray.place[2]), ray.place[1] + far(ray) * Math.sin(ray.place[2])]);
  const all = [[-body, -body], [body, body], ...ends];
  const [back, front] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const side = Math.max(...all.map(([, y]) => Math.abs(y)));
  if (Math.min(width, height) <= 20) return;
  const scale = Math.min((height - 20) / (front - back), (width - 20) / (2 * side));
  pen.translate(width / 2, height / 2);
  pen.rotate(-Math.PI / 2); // the front points up
  pen.scale(scale, -scale);
  pen.translate(-(front + back) / 2, 0);
  pen.lineWidth = 1.2 / scale;
  for (const {place: [x, y, angle], table, value} of rays) {
    const end = far({table});
    const seen = value == null ? end : Math.min(distanceOf(table, value), end);
    line(pen, x, y, angle, 0, end, color('--grid'), 1.5 / scale);
    if (value == null) continue;
    const near = seen < end * 0.98;
    line(pen, x, y, angle, 0, seen, color(near ? '--curve2' : '--curve1'), 2.5 / scale);
    if (near) {
      pen.beginPath();
      pen.arc(x + seen * Math.cos(angle), y + seen * Math.sin(angle), 4 / scale, 0, 7);
      pen.fillStyle = color('--curve2');
      pen.fill();
    }
  }
  pen.lineWidth = 1.2 / scale;
  pen.strokeStyle = color('--dim');
  pen.fillStyle = color('--line');
  for (const hull of outline) {
    polygon(pen, hull);
    pen.fill();
    pen.stroke();
  }
  const mark = Math.min(body, LARGEST_MARK / scale);
  pen.beginPath();
  pen.moveTo(mark * 0.35, 0);
  pen.lineTo(mark * 0.1, mark * 0.14);
  pen.lineTo(mark * 0.1, -mark * 0.14);
  pen.closePath();
  pen.fillStyle = color('--accent');
  pen.fill();
}

function line(pen, x, y, angle, from, to, style, width) {
  pen.beginPath();
  pen.moveTo(x + from * Math.cos(angle), y + from * Math.sin(angle));
  pen.lineTo(x + to * Math.cos(angle), y + to * Math.sin(angle));
  pen.strokeStyle = style;
  pen.lineWidth = width;
  pen.stroke();
}
