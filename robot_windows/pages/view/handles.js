// Handles at what is selected: arrows move it along an axis, rings turn it, the knob in the middle scales it. They have
// the same size everywhere. What a joint carries has the handle of its axis, and marks at its limits.
import {Matrix4, Quaternion, Vector3} from '../vendor/three.js';
import {matrixOfPose} from './following.js';
import {Plane} from './plane.js';

const SIZE = 95; // pixels of an arrow
const NEAR = 9; // pixels from a handle at which the pointer takes it
const NEAR_FINGER = 22;
const SIDES = 8; // of a tube
const CORNERS = 48; // of a ring
const RING = 0.72; // radius, of the length of an arrow
const DOUBLES = 100; // pixels that double the scale
const GRIDS = {arrow: 0.05, ring: 15, knob: 0.1}; // m, degrees, 1; with Ctrl
const UNITS = {arrow: ' m', ring: '°', knob: ''};
const STEEP = 1e-3; // of sine squared: an axis along the view cannot be followed
const COLORS = {x: [0.95, 0.25, 0.25, 1], y: [0.25, 0.75, 0.25, 1], z: [0.3, 0.45, 1, 1], knob: [0.95, 0.95, 0.95, 1]};
const HELD = [1, 0.8, 0.1, 1];
const LIMIT = [1, 1, 1, 1];

const turnOf = (angle, radius) => [radius * Math.cos(angle), radius * Math.sin(angle)];

// Triangles of a tube through places, each [center, radius, two directions across].
function tube(places) {
  const at = ([center, radius, u, v], k) => {
    const [a, b] = turnOf((2 * Math.PI * k) / SIDES, radius);
    return center.map((one, i) => one + a * u[i] + b * v[i]);
  };
  const numbers = [];
  for (let i = 1; i < places.length; i++) {
    for (let k = 0; k < SIDES; k++) {
      const [a, b, c, d] = [at(places[i - 1], k), at(places[i - 1], k + 1), at(places[i], k), at(places[i], k + 1)];
      numbers.push(...a, ...b, ...c, ...c, ...b, ...d);
    }
  }
  return numbers;
}

// A handle: its axis, the line that the pointer takes it at, and its triangles; lengths in arrows.
function makeHandle(kind, i) {
  const unit = (k) => [0, 1, 2].map((one) => (one === (i + k) % 3 ? 1 : 0));
  const [axis, u, v] = [unit(0), unit(1), unit(2)];
  const along = (size) => axis.map((one) => one * size);
  if (kind === 'arrow') return {kind, axis, key: 'xyz'[i], line: [along(0.2), along(1)], at: tube([[along(0.2), 0.014, u, v], [along(0.82), 0.014, u, v], [along(0.82), 0.06, u, v], [along(1), 0, u, v]])};
  if (kind === 'knob') return {kind, axis, key: 'knob', line: [[0, 0, 0], [0, 0, 0]], at: tube([[along(-0.07), 0, u, v], [along(-0.07), 0.08, u, v], [along(0.07), 0.08, u, v], [along(0.07), 0, u, v]])};
  const places = Array.from({length: CORNERS + 1}, (_, k) => {
    const [a, b] = turnOf((2 * Math.PI * k) / CORNERS, 1);
    const out = u.map((one, j) => a * one + b * v[j]);
    return [out.map((one) => RING * one), 0.014, out, axis];
  });
  return {kind, axis, key: 'xyz'[i], line: places.map(([center]) => center), at: tube(places)};
}

const ALL = [makeHandle('knob', 2), ...[0, 1, 2].map((i) => makeHandle('arrow', i)), ...[0, 1, 2].map((i) => makeHandle('ring', i))];

export class Handles {
  // view: see view.js.
  constructor(view) {
    this.view = view;
    this.isLocal = false; // along the axes of what is selected, instead of the world's
    this.isOn = false;
    this.held = null;
    this.handles = ALL;
  }

  // selected: as the run describes it; null: nothing.
  show(selected) {
    this.selected = selected?.frame ? selected : null;
    const kind = {hinge: 'ring', slider: 'arrow'}[this.selected?.joint_axis?.kind];
    if (kind !== this.kind) this.drawn = undefined;
    this.kind = kind;
    this.handles = kind ? ALL.filter((one) => one.key === 'z' && one.kind === kind) : ALL;
    this.isOld = true; // the marks at limits
    this.view.invalidate();
  }

  // Lines at the limits of a joint, and at its position, in the frame of its carrier.
  limits() {
    const {joint_axis: {kind, frame, place, position, range, carrier}} = this.selected;
    const body = this.view.world.bodies.has(carrier) ? carrier : null;
    const to = matrixOfPose(body == null ? place : frame);
    const size = RING * new Vector3().setFromMatrixScale(this.matrix()).x;
    const mark = (at) => {
      const [a, b] = turnOf(at - position, size);
      return kind === 'hinge' ? [[0, 0, 0], [a, b, 0]] : [[-0.2 * size, 0, at - position], [0.2 * size, 0, at - position]];
    };
    const lines = (marks, color) => ({shape: 'lines', look: 'axes', color, body, at: marks.flatMap((at) => mark(at).flatMap((point) => new Vector3(...point).applyMatrix4(to).toArray()))});
    return [lines(range ?? [], LIMIT), lines([position], HELD)];
  }

  turnAxes() {
    this.isLocal = !this.isLocal;
    this.view.invalidate();
  }

  get isShown() {
    return Boolean(this.isOn && this.selected);
  }

  // The matrix of the handles: where what is selected is, as large as an arrow is.
  matrix() {
    if (this.held) return this.held.matrix;
    const {camera, canvas, world} = this.view;
    const {carrier, frame, place: inWorld} = this.selected.joint_axis ?? this.selected;
    const body = world.bodies.get(carrier);
    const pose = body ? matrixOfPose(frame).premultiply(body.matrix) : matrixOfPose(inWorld);
    const place = new Vector3().setFromMatrixPosition(pose);
    const ahead = place.clone().sub(camera.position).dot(camera.getWorldDirection(new Vector3()));
    const size = (SIZE * 2 * Math.max(ahead, camera.near) * Math.tan((camera.fov * Math.PI) / 360)) / canvas.clientHeight;
    const turn = this.isLocal || this.kind ? new Quaternion().setFromRotationMatrix(pose) : new Quaternion();
    return new Matrix4().compose(place, turn, new Vector3(size, size, size));
  }

  // The handle at a place of the canvas (CSS pixels), or null. kind: of pointer.
  at(x, y, kind = 'mouse') {
    if (!this.isShown) return null;
    const matrix = this.matrix();
    let [nearest, best] = [null, kind === 'touch' ? NEAR_FINGER : NEAR];
    for (const one of this.handles) {
      const points = one.line.map((point) => this.onScreen(new Vector3(...point).applyMatrix4(matrix)));
      for (let i = 1; i < points.length; i++) {
        const far = distance([x, y], points[i - 1], points[i]);
        if (far < best) [nearest, best] = [one, far];
      }
    }
    return nearest;
  }

  onScreen(point) {
    const {camera, canvas} = this.view;
    const {x, y} = point.project(camera);
    return [((x + 1) / 2) * canvas.clientWidth, ((1 - y) / 2) * canvas.clientHeight];
  }

  // The handle of a key: x, y, z move, with Shift they turn, s scales.
  named(key, isTurn) {
    if (this.kind) return this.handles.find(() => 'xyz'.includes(key));
    return this.handles.find((one) => (key === 's' ? one.kind === 'knob' : one.key === key && one.kind === (isTurn ? 'ring' : 'arrow')));
  }

  // Takes a handle at a place of the canvas; without one, only numbers that are typed move it.
  hold(handle, place) {
    const matrix = this.matrix();
    const inWorld = (direction) => new Vector3(...direction).transformDirection(matrix);
    const [axis, across] = [inWorld(handle.axis), inWorld(handle.line[0])];
    this.held = {handle, matrix, axis, across, center: new Vector3().setFromMatrixPosition(matrix), value: 0, typed: ''};
    this.held.last = this.held.from = place ? this.reading(place) : null;
    this.view.invalidate();
  }

  // Where the pointer is along the held handle: m, degrees or doublings; null: that cannot be seen from here.
  reading([x, y]) {
    const {handle, axis, across, center} = this.held;
    if (handle.kind === 'knob') return x / DOUBLES;
    const ray = this.view.rayAt(x, y);
    if (handle.kind === 'arrow') {
      const way = center.clone().sub(ray.origin);
      const slope = axis.dot(ray.toward);
      return 1 - slope * slope < STEEP ? null : (slope * way.dot(ray.toward) - way.dot(axis)) / (1 - slope * slope);
    }
    const arm = new Plane(axis, center).meets(ray)?.sub(center);
    return arm ? (Math.atan2(arm.dot(axis.clone().cross(across)), arm.dot(across)) * 180) / Math.PI : null;
  }

  // The pointer has moved the held handle.
  pull(place) {
    const {held} = this;
    const now = this.reading(place);
    if (now == null) return;
    held.last ??= held.from ??= now;
    // A ring goes on after half a turn.
    if (held.handle.kind === 'ring') held.value += ((now - held.last + 540) % 360) - 180;
    else held.value = now - held.from;
    held.last = now;
  }

  // A key while a handle is held: numbers replace what the pointer gives. Returns whether it was one of these.
  type(key) {
    const {held} = this;
    if (key === 'Backspace') held.typed = held.typed.slice(0, -1);
    else if (/^[-.0-9]$/.test(key)) held.typed += key;
    else return false;
    return true;
  }

  cancel() {
    Object.assign(this.held, {value: 0, from: null, typed: ''});
  }

  // What the held handle does: way (m), turn (rad) and factor, as in the message `move`, and a text for the person.
  change(isOnGrid) {
    const {handle: {kind, key}, axis, typed} = this.held;
    let {value} = this.held;
    if (kind === 'knob') value = 2 ** value;
    if (isOnGrid) value = Math.round(value / GRIDS[kind]) * GRIDS[kind];
    if (typed && Number.isFinite(Number(typed))) value = Number(typed);
    const along = (size) => axis.clone().multiplyScalar(size).toArray();
    const text = `${kind === 'knob' ? 'scale' : key} ${typed || Number(value.toFixed(3))}${UNITS[kind]}`;
    return {
      way: along(kind === 'arrow' ? value : 0), turn: along(kind === 'ring' ? (value * Math.PI) / 180 : 0),
      factor: kind === 'knob' ? Math.max(value, GRIDS.knob) : 1, text,
    };
  }

  release() {
    this.held = null;
    this.view.invalidate();
  }

  draw() {
    const {drawings} = this.view;
    const active = this.held?.handle ?? this.hovered;
    const key = this.isShown ? this.handles.indexOf(active) : null;
    if (key !== this.drawn) {
      this.drawn = key;
      const parts = this.handles.map((one) => ({shape: 'triangles', look: 'axes', color: one === active ? HELD : COLORS[one.key], at: one.at, body: null}));
      drawings.show('handles', key == null ? null : parts);
      this.isOld = true;
      this.view.invalidate();
    }
    if (this.isOld) drawings.show('limits', this.isShown && this.kind ? this.limits() : null);
    this.isOld = false;
    if (key == null) return;
    const matrix = this.matrix();
    for (const one of drawings.kinds.get('handles')) one.matrixWorld.copy(matrix);
  }

  hover(place) {
    const handle = place && !this.held ? this.at(...place) : null;
    if (handle !== this.hovered) this.view.invalidate();
    this.hovered = handle;
  }
}

// The distance of a point from a part of a line, on the screen.
function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const size = dx * dx + dy * dy;
  const share = size ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / size)) : 0;
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
