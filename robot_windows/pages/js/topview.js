// The world from above: drag to move; wheel, two fingers or + and - to zoom; follows a robot.
import {color, fit} from './dom.js';
import {polygon} from './instruments.js';
import {lengthText, Painting, reach, roundLength} from './painting.js';

const MARK = 9; // radius of a robot without an outline, in page units
const LARGEST_MARK = 18;
const FAR = 50; // m; larger objects are only ground
const LONGEST = 24; // maximum letters of a name
const LINE = 13; // height of a name
const BAR = 110; // maximum length of the scale bar
const AROUND = 3; // on an infinite floor, the view around a robot in robot sizes
const TRAIL = 2000; // maximum stored positions of a robot
const TRAIL_STEP = 0.004; // share of the larger side of the view: shorter movements are not stored

export class TopView {
  constructor(canvas, shape, robots) {
    this.canvas = canvas;
    this.shape = shape;
    this.robots = robots;
    this.isDirty = true;
    this.zoom = 1;
    this.shift = [0, 0];
    this.followed = -1; // index of a robot in the list; -1: none
    this.hasChosen = false; // the user has chosen which robot to follow
    this.trails = robots.map(() => []);
    this.painting = new Painting(shape.pictures ?? [], () => (this.isDirty = true));
    this.sizes = robots.map((_, i) => reach(shape.robots?.[i] ?? []));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.scaleBy(Math.exp(-event.deltaY / 500));
    }, {passive: false});
    canvas.addEventListener('dblclick', () => this.showAll());
    this.fingers = new Map(); // positions of pressed pointers
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    canvas.addEventListener('keydown', (event) => {
      const move = {ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30]}[event.key];
      if (event.key === '+' || event.key === '-') this.scaleBy(event.key === '+' ? 1.2 : 1 / 1.2);
      else if (event.key === '0') this.showAll();
      else if (move) this.shift = [this.shift[0] + move[0], this.shift[1] + move[1]];
      else return;
      event.preventDefault();
      this.isDirty = true;
    });
    new ResizeObserver(() => (this.isDirty = true)).observe(canvas);
  }

  // One pointer pans, two pan and zoom.
  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other) {
      const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
      this.scaleBy(apart(now) / Math.max(apart(before), 1));
    }
    const share = 1 / this.fingers.size;
    this.shift = this.shift.map((one, i) => one + (now[i] - before[i]) * share);
    this.fingers.set(event.pointerId, now);
    this.isDirty = true;
  }

  scaleBy(factor) {
    this.zoom = Math.min(50, Math.max(0.2, this.zoom * factor));
    this.shift = this.shift.map((one) => one * factor);
    this.isDirty = true;
  }

  // Includes robots that have left the initial view.
  showAll() {
    if (this.places) this.limits = this.measure(this.places);
    this.zoom = 1;
    this.shift = [0, 0];
    this.isDirty = true;
  }

  show(places) {
    this.places = places;
    if (!this.limits) this.limits = this.measure(places);
    this.remember(places.robots);
    this.isDirty = true;
  }

  // Stores where robots have been.
  remember(robots) {
    const [left, bottom, right, top] = this.limits;
    const step = (TRAIL_STEP * Math.max(right - left, top - bottom)) / this.zoom;
    robots.forEach(([x, y], i) => {
      const trail = this.trails[i];
      const last = trail?.at(-1);
      if (!trail || (last && Math.hypot(x - last[0], y - last[1]) < step)) return;
      trail.push([x, y]);
      if (trail.length > TRAIL) trail.shift();
    });
  }

  // The world was reset.
  forget() {
    this.trails.forEach((trail) => trail.splice(0));
    this.isDirty = true;
  }

  // Keeps the robot with this index in the center; -1: none.
  follow(i) {
    this.hasChosen = true;
    this.setFollowed(i);
  }

  setFollowed(i) {
    if (i < 0 && this.followed >= 0) this.limits = this.around(this.center());
    this.followed = i;
    this.shift = [0, 0];
    this.isDirty = true;
  }

  // Bounds of the same size around a point.
  around([x, y]) {
    const [left, bottom, right, top] = this.limits;
    const [w, h] = [(right - left) / 2, (top - bottom) / 2];
    return [x - w, y - h, x + w, y + h];
  }

  // The center of the view without panning.
  center() {
    const place = this.places.robots[this.followed];
    if (place) return place;
    const [left, bottom, right, top] = this.limits;
    return [(left + right) / 2, (bottom + top) / 2];
  }

  // Follows a robot that leaves the view, unless the user has chosen otherwise.
  keepInView(scale, width, height) {
    if (this.hasChosen || this.followed >= 0) return;
    const [x, y] = this.center();
    const gone = this.places.robots.findIndex((place) => {
      const u = (place[0] - x) * scale + this.shift[0];
      const v = this.shift[1] - (place[1] - y) * scale;
      return Math.abs(u) > width / 2 || Math.abs(v) > height / 2;
    });
    if (gone < 0) return;
    this.setFollowed(gone);
    this.onFollow?.(gone);
  }

  // Bounds of all outlines, as [left, bottom, right, top]; very large ones are only ground.
  measure(places) {
    const all = [1e9, 1e9, -1e9, -1e9];
    const take = (x, y) => {
      all[0] = Math.min(all[0], x);
      all[1] = Math.min(all[1], y);
      all[2] = Math.max(all[2], x);
      all[3] = Math.max(all[3], y);
    };
    const onGround = this.shape.standing.some((one) => reach([one]) >= FAR);
    places.robots.forEach(([x, y, angle], i) => {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const size = onGround ? AROUND * Math.min(this.sizes[i], FAR) : 0;
      take(x - size, y - size);
      take(x + size, y + size);
      if (this.sizes[i] < FAR) for (const {parts} of this.shape.robots?.[i] ?? []) for (const [a, b] of parts.flat()) take(x + a * c - b * s, y + a * s + b * c);
    });
    for (const [x, y] of places.moving) take(x, y);
    for (const one of this.shape.standing) if (reach([one]) < FAR) for (const [x, y] of one.parts.flat()) take(x, y);
    if (all[0] > all[2]) return [-1, -1, 1, 1];
    const rim = Math.max(0.2, (all[2] - all[0]) * 0.04);
    return [all[0] - rim, all[1] - rim, all[2] + rim, all[3] + rim];
  }

  draw() {
    if (!this.isDirty || !this.places) return;
    this.isDirty = false;
    const {pen, width, height} = fit(this.canvas);
    const [left, bottom, right, top] = this.limits;
    const scale = Math.min(width / (right - left), height / (top - bottom)) * this.zoom;
    this.keepInView(scale, width, height);
    const [x, y] = this.center();
    pen.translate(width / 2 + this.shift[0], height / 2 + this.shift[1]);
    pen.scale(scale, -scale);
    pen.translate(-x, -y);
    const px = 1 / scale;
    pen.lineWidth = px;
    pen.lineJoin = 'round';
    this.grid(pen, scale, [x - (width / 2 + this.shift[0]) * px, y - (height / 2 - this.shift[1]) * px, width * px, height * px]);
    this.painting.draw(pen, this.shape.standing, color('--line'));
    this.shape.moving.forEach((shapes, i) => this.at(pen, this.places.moving[i], () => this.painting.draw(pen, shapes, color('--dim'))));
    this.trails.forEach((trail, i) => this.trail(pen, [...trail, this.places.robots[i]], px));
    this.places.robots.forEach((place, i) => this.at(pen, place, () => this.robot(pen, i, px)));
    pen.setTransform(1, 0, 0, 1, 0, 0);
    this.names(pen, scale, width, height, [x, y]);
    this.bar(pen, scale, height);
  }

  // Lines on the ground: without them, motion on an empty floor would not be visible.
  grid(pen, scale, [left, bottom, width, height]) {
    const step = roundLength(BAR / scale);
    pen.strokeStyle = color('--grid');
    pen.beginPath();
    for (let x = Math.ceil(left / step) * step; x < left + width; x += step) {
      pen.moveTo(x, bottom);
      pen.lineTo(x, bottom + height);
    }
    for (let y = Math.ceil(bottom / step) * step; y < bottom + height; y += step) {
      pen.moveTo(left, y);
      pen.lineTo(left + width, y);
    }
    pen.stroke();
  }

  trail(pen, points, px) {
    if (points.length < 2 || !points.at(-1)) return;
    pen.beginPath();
    points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.strokeStyle = color('--curve2');
    pen.lineWidth = 2 * px;
    pen.stroke();
    pen.lineWidth = px;
  }

  // The scale bar.
  bar(pen, scale, height) {
    const length = roundLength(BAR / scale);
    const [x, y] = [12, height - 12];
    pen.strokeStyle = color('--text');
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [dx, dy] of [[0, -5], [0, 0], [length * scale, 0], [length * scale, -5]]) pen.lineTo(x + dx, y + dy);
    pen.stroke();
    pen.textAlign = 'left';
    pen.strokeStyle = color('--card');
    pen.lineWidth = 3;
    pen.strokeText(lengthText(length), x + 5, y - 6);
    pen.fillStyle = color('--text');
    pen.fillText(lengthText(length), x + 5, y - 6);
  }

  at(pen, [x, y, angle], draw) {
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    draw();
    pen.restore();
  }

  robot(pen, i, px) {
    this.painting.draw(pen, this.shape.robots[i] ?? [], color('--accent'));
    const size = Math.max(MARK * px, this.sizes[i]);
    const mark = Math.max(Math.min(size * 0.45, LARGEST_MARK * px), MARK * px);
    polygon(pen, [[mark, 0], [-mark * 0.6, mark * 0.55], [-mark * 0.6, -mark * 0.55]]);
    pen.fillStyle = color('--accent');
    pen.strokeStyle = color('--card');
    pen.fill();
    pen.stroke();
  }

  names(pen, scale, width, height, middle) {
    const sharp = devicePixelRatio || 1;
    pen.scale(sharp, sharp);
    pen.font = '12px system-ui';
    pen.textAlign = 'center';
    pen.fillStyle = color('--text');
    pen.strokeStyle = color('--card'); // outline of the letters, for readability on any background
    pen.lineWidth = 3;
    const taken = []; // areas of names; overlapping names are omitted
    this.places.robots.forEach(([x, y], i) => {
      const u = width / 2 + this.shift[0] + (x - middle[0]) * scale;
      const v = height / 2 + this.shift[1] - (y - middle[1]) * scale;
      const name = this.robots[i]?.name ?? '';
      const text = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
      if (u < 0 || u > width || v < 0 || v > height) return;
      const half = pen.measureText(text).width / 2;
      const at = Math.max(half, Math.min(u, width - half)); // keep names complete at the edge
      const line = Math.max(LINE, v - 6 - Math.max(MARK, this.sizes[i] * scale));
      if (taken.some(([other, above, wide]) => Math.abs(other - at) < wide + half && Math.abs(above - line) < LINE)) return;
      taken.push([at, line, half]);
      pen.strokeText(text, at, line);
      pen.fillText(text, at, line);
    });
  }
}
